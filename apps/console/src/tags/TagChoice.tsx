import type { Tag } from '@masthead/contract/tags/tag'
import { Pencil, Plus } from 'lucide-react'
import { useState } from 'react'
import { later } from '../kit/later.tsx'
import { Button, IconButton } from '../ui/Button.tsx'
import { Checkbox } from '../ui/Checkbox.tsx'
import { Icon } from '../ui/Icon.tsx'
import { SearchField } from '../ui/SearchField.tsx'
import { SkeletonLines } from '../ui/Skeleton.tsx'
import { TagMark } from '../ui/Tag.tsx'
import { useTags } from './use-tags.ts'

const CreateTagForm = later(() => import('./TagForm.tsx').then((file) => file.CreateTagForm))
const EditTagForm = later(() => import('./TagForm.tsx').then((file) => file.EditTagForm))
const DeleteTag = later(() => import('./DeleteTag.tsx').then((file) => file.DeleteTag))

type View = { show: 'list' } | { show: 'new' } | { show: 'edit' | 'delete'; tag: Tag }

/** The tags of a thing, ticked by their ids; also where tags are made, renamed, recoloured and deleted. Put it in a popover or a dialog. */
export function TagChoice({ chosen, onChange }: { chosen: readonly string[]; onChange: (ids: string[]) => void }) {
  const tags = useTags()
  const [wanted, setWanted] = useState('')
  const [view, setView] = useState<View>({ show: 'list' })
  const toList = () => setView({ show: 'list' })
  if (!tags) return <SkeletonLines />
  const create = (tag: Tag) => {
    setWanted('')
    toList()
    onChange([...chosen, tag.id])
  }
  if (view.show === 'new') return <CreateTagForm name={wanted.trim()} tags={tags} onDone={create} onCancel={toList} />
  if (view.show === 'edit') {
    return <EditTagForm tag={view.tag} onDone={toList} onDelete={() => setView({ show: 'delete', tag: view.tag })} />
  }
  if (view.show === 'delete') return <DeleteTag tag={view.tag} onDone={toList} onCancel={toList} />
  const matching = tags.filter((tag) => tag.name.toLowerCase().includes(wanted.trim().toLowerCase()))
  const known = tags.some((tag) => tag.name.toLowerCase() === wanted.trim().toLowerCase())
  return (
    <div
      className="grid gap-1"
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement) || event.target.type !== 'search') return
        // What was typed is the tag that is meant, or one that does not exist yet.
        const [only] = matching
        if (matching.length === 1) onChange(toggled(chosen, only!.id))
        else if (!known && wanted.trim() !== '') setView({ show: 'new' })
      }}
    >
      <SearchField
        value={wanted}
        onChange={setWanted}
        label="Find or create a tag"
        placeholder="Find or create a tag"
        size="small"
        wait={0}
      />
      <ul className="max-h-64 overflow-auto" aria-label="Tags">
        {matching.map((tag) => (
          <li key={tag.id} className="flex items-center gap-1">
            <Checkbox
              className="option min-w-0 flex-1"
              checked={chosen.includes(tag.id)}
              onChange={() => onChange(toggled(chosen, tag.id))}
              aria-label={tag.name}
            >
              <TagMark color={tag.color} />
              <span className="truncate">{tag.name}</span>
              <span className="ml-auto pl-2 text-xs text-fg-3 tabular-nums">{tag.asset_count.toLocaleString('en')}</span>
            </Checkbox>
            <IconButton label={`Edit tag ${tag.name}`} icon={Pencil} size="small" onClick={() => setView({ show: 'edit', tag })} />
          </li>
        ))}
      </ul>
      {matching.length === 0 && (
        <p className="px-2 py-1 text-xs text-fg-3">
          {tags.length === 0 ? 'There are no tags yet.' : `No tag has “${wanted.trim()}” in its name.`}
        </p>
      )}
      {!known && (
        <Button color="ghost" size="small" className="min-w-0 justify-start!" onClick={() => setView({ show: 'new' })}>
          <Icon of={Plus} size={14} />
          <span className="truncate leading-5">{wanted.trim() === '' ? 'New tag' : `Create “${wanted.trim()}”`}</span>
        </Button>
      )}
    </div>
  )
}

const toggled = (chosen: readonly string[], id: string) => (chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id])
