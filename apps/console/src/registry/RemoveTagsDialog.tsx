import { useQuery } from '@tanstack/react-query'
import type { Outcome, RemovalKind, RemovalPreview, RemovalResult } from '@masthead/contract/registry/removal'
import { previewRemoval, removeTags } from '@masthead/contract/registry/removal-operations'
import { formatBytes } from '@masthead/contract/usage/bytes'
import { useState } from 'react'
import type { Failure } from '../api/client.ts'
import { q, useOperation } from '../api/query.ts'
import type { Ticked } from '../kit/selection.tsx'
import { Button } from '../ui/Button.tsx'
import { Confirm } from '../ui/Confirm.tsx'
import { Modal } from '../ui/Modal.tsx'
import { RadioGroup } from '../ui/RadioGroup.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { toast } from '../ui/toast.ts'
import { partsOf, tagsWords } from './registry-words.ts'
import { Line, WhatBreaks } from './WhatBreaks.tsx'

type Props = { repository: { id: string; name: string }; ticked: Ticked; onClose: () => void }

/** Says what deleting the ticked tags would break, asks how much of it is deleted, and says which were kept and why. */
export function RemoveTagsDialog({ repository, ticked, onClose }: Props) {
  const [chosen, choose] = useState<RemovalKind | null>(null)
  const [result, setResult] = useState<RemovalResult | null>(null)
  const params = { repository_id: repository.id }
  const choice = ticked.all ? { ...ticked.query, except: [...ticked.ids] } : { names: [...ticked.ids] }
  const preview = useQuery({
    ...q(previewRemoval, { params, body: choice }),
    // What is agreed to is what was read here: the list may go on beneath.
    queryKey: ['removal', repository.id, choice],
    staleTime: 0,
    gcTime: 0,
    enabled: result === null,
  })
  const removing = useOperation(removeTags)
  if (result) return <Stayed result={result} onClose={onClose} />
  const shown = preview.data
  const what = chosen ?? (shown && shown.unused.tags > 0 ? 'unused' : 'names')
  const outcome = shown && outcomeOf(shown, what)
  const breaks = shown ? shown.devices > 0 || shown.more_devices || shown.fleets.length > 0 : false
  const { image } = partsOf(repository.name)
  return (
    <Confirm
      open
      onClose={onClose}
      title={`Delete ${tagsWords(shown?.count ?? ticked.count)} of ${image}?`}
      confirm={outcome && outcome.tags > 0 ? `Delete ${tagsWords(outcome.tags)}` : 'Delete'}
      color="danger"
      loading={removing.isPending}
      failure={removing.error ?? (preview.error as Failure | null)}
      blocked={!outcome ? 'Wait for the preview' : outcome.tags === 0 ? 'None of them would be deleted' : null}
      {...(what === 'all' && breaks && { typed: image })}
      onConfirm={() =>
        removing.mutate(
          { params, body: { ...choice, what, count: shown!.count } },
          {
            onSuccess: (done) => {
              ticked.clear()
              if (done.kept.length > 0) return setResult(done)
              toast.success(doneWords(done))
              onClose()
            },
            // Others match by now: what they would break is read anew.
            onError: () => void preview.refetch(),
          }
        )
      }
    >
      {shown ? (
        <>
          <WhatBreaks preview={shown} />
          <RadioGroup<RemovalKind>
            label="What is deleted"
            hideLabel
            cards
            value={what}
            onChange={choose}
            choices={[
              { value: 'unused', label: 'Only what breaks nothing', ...aboutOf(shown.unused) },
              { value: 'names', label: 'Only the names; keep images that run', ...aboutOf(shown.names_only) },
              { value: 'all', label: 'All that can be deleted, with their images', ...aboutOf(shown.all) },
            ]}
          />
        </>
      ) : (
        !preview.error && <Skeleton className="h-40" />
      )}
    </Confirm>
  )
}

const outcomeOf = (preview: RemovalPreview, what: RemovalKind): Outcome => (what === 'names' ? preview.names_only : preview[what])

const aboutOf = ({ tags, freed_bytes, stay }: Outcome): { about: string } | { disabled: string } =>
  tags === 0
    ? { disabled: 'None of them would be deleted' }
    : { about: `${tagsWords(tags)}, frees ${formatBytes(freed_bytes)}${stay > 0 ? `; ${stay.toLocaleString('en')} kept` : ''}` }

const doneWords = ({ tags, freed_bytes }: RemovalResult) => `Deleted ${tagsWords(tags)}, which frees ${formatBytes(freed_bytes)}`

/** Which tags were kept, and why each was. */
function Stayed({ result, onClose }: { result: RemovalResult; onClose: () => void }) {
  return (
    <Modal
      open
      onClose={onClose}
      title={doneWords(result)}
      footer={
        <Button onClick={onClose} data-autofocus>
          Done
        </Button>
      }
    >
      <p className="text-fg-2">{result.kept.length === 1 ? 'One was kept:' : `${result.kept.length.toLocaleString('en')} were kept:`}</p>
      <ul
        aria-label="Tags that were kept"
        className="max-h-80 divide-y divide-line overflow-y-auto rounded-lg border border-line"
        tabIndex={0}
      >
        {result.kept.slice(0, 500).map(({ name, why }) => (
          <Line key={name} shape="bars" tone="hold" words={name}>{`${why}.`}</Line>
        ))}
      </ul>
      {result.kept.length > 500 && <p className="text-xs text-fg-3">The first 500 are shown.</p>}
    </Modal>
  )
}
