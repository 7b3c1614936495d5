import { formatBytes } from '@masthead/contract/usage/bytes'
import type { JudgedTag, Judgement } from '@masthead/contract/registry/retention'
import { useState } from 'react'
import { CellLink } from '../../kit/CellLink.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Segmented } from '../../ui/Segmented.tsx'
import { PlainTable, TwoLines, type Column } from '../../ui/Table.tsx'
import { tagHref, tagsWords } from '../registry-words.ts'
import { codeWords } from './rule-words.ts'

const columns = (linked: boolean): Column<JudgedTag>[] => [
  {
    id: 'tag',
    header: 'Tag',
    list: 'title',
    shape: 'two',
    cell: ({ repository, tag, digest }) => (
      <TwoLines first={linked ? <CellLink to={tagHref(repository, tag, digest)}>{tag}</CellLink> : tag} second={repository} />
    ),
  },
  { id: 'why', header: 'Why', list: 'below', cell: ({ why }) => why },
]

/** Which tags are deleted and which are kept, each with why. `done`: it happened, and is no dry run. */
export function CheckedTags({ outcome, done = false, words }: { outcome: Judgement; done?: boolean; words?: string | null }) {
  const [shown, show] = useState<'going' | 'staying'>(outcome.tags > 0 || outcome.kept === 0 ? 'going' : 'staying')
  const { tags, images, freed_bytes, kept, why_kept } = outcome
  const rows = outcome[shown]
  const total = shown === 'going' ? tags : kept
  return (
    <div className="grid">
      {words && (
        <Notice tone="warn" strip>
          {words}
        </Notice>
      )}
      <div className="grid gap-3 p-4">
        <p>
          <strong className="font-semibold">
            {tagsWords(tags)} and {images === 1 ? '1 image' : `${images.toLocaleString('en')} images`}{' '}
            {!done ? 'would be' : tags + images === 1 ? 'was' : 'were'} deleted
          </strong>
          , which {done ? 'freed' : 'frees'} {formatBytes(freed_bytes)}. {kept.toLocaleString('en')}{' '}
          {done ? (kept === 1 ? 'was kept' : 'were kept') : 'would be kept'}
          {why_kept.length > 0 && `: ${why_kept.map(({ code, count }) => `${count.toLocaleString('en')} ${codeWords[code]}`).join(', ')}`}.
        </p>
        <div>
          <Segmented
            label="Which tags"
            value={shown}
            onChange={show}
            options={[
              { value: 'going', label: `Deleted, ${tags.toLocaleString('en')}` },
              { value: 'staying', label: `Kept, ${kept.toLocaleString('en')}` },
            ]}
          />
        </div>
      </div>
      <div className="max-h-120 overflow-y-auto border-t border-line" role="region" aria-label="Tags that were checked" tabIndex={0}>
        <PlainTable
          label={shown === 'going' ? 'Tags that are deleted' : 'Tags that are kept'}
          columns={columns(!done || shown === 'staying')}
          rows={rows}
          rowId={({ repository, tag }) => `${repository}:${tag}`}
          empty={<EmptyState title="No data found">{shown === 'going' ? 'No tag is deleted.' : 'No tag is kept.'}</EmptyState>}
        />
      </div>
      {total > rows.length && (
        <p className="border-t border-line px-4 py-2.5 text-xs text-fg-3">
          The first {rows.length.toLocaleString('en')} of {total.toLocaleString('en')} are shown.
        </p>
      )}
    </div>
  )
}
