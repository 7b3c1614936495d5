import { useQuery } from '@tanstack/react-query'
import type { BulkChange } from '@masthead/contract/assets/bulk/bulk'
import { exportBulkResults, getBulkChange, listLeftAssets, undoBulkChange } from '@masthead/contract/assets/bulk/bulk-operations'
import { Download, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { urlOf } from '../../api/client.ts'
import { q, useOperation } from '../../api/query.ts'
import { DownloadLink } from '../../kit/DownloadLink.tsx'
import { ActionButton } from '../../kit/ActionButton.tsx'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { FailureNotice } from '../../ui/FailureNotice.tsx'
import { Modal } from '../../ui/Modal.tsx'
import { ProgressBar } from '../../ui/ProgressBar.tsx'
import { doneWords, reasonWords, wordsOf } from './bulk-words.ts'
import { OutcomeLines } from './OutcomeLines.tsx'

/** So often a change that goes on is asked for, should the live stream be lost. Milliseconds. */
const askedEvery = 3000

/** How far a change is, and when it has ended, what it did and which assets it left. */
export function BulkResult({ change: given, onClose }: { change: BulkChange; onClose: () => void }) {
  // Undone, it is the undoing that is shown.
  const [begun, setBegun] = useState(given)
  const undo = useOperation(undoBulkChange)
  const { data, error } = useQuery({
    ...q(getBulkChange, { params: { bulk_id: begun.id } }),
    initialData: begun,
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.finished_at ? false : askedEvery),
  })
  const change = data ?? begun
  const { total, done, finished_at } = change
  const { doing } = wordsOf(change)
  const words = `${done.toLocaleString('en')} of ${total.toLocaleString('en')}`
  return (
    <Modal
      open
      onClose={onClose}
      title={finished_at ? doneWords(change, change.changed) : doing}
      footer={
        <>
          {change.can_undo && (
            <ActionButton
              operation={undoBulkChange}
              color="ghost"
              icon={Undo2}
              className="mr-auto"
              loading={undo.isPending}
              onClick={() => undo.mutate({ params: { bulk_id: change.id } }, { onSuccess: setBegun })}
            >
              Undo
            </ActionButton>
          )}
          <DownloadLink
            className={buttonClass('ghost')}
            href={urlOf(exportBulkResults, { params: { bulk_id: change.id } } as never)}
            name="results.csv"
          >
            <Icon of={Download} className="-ml-0.5" />
            Results
          </DownloadLink>
          <Button onClick={onClose} data-autofocus>
            {finished_at ? 'Done' : 'Close'}
          </Button>
        </>
      }
    >
      {!finished_at && (
        <div className="grid gap-2">
          <ProgressBar value={total > 0 ? done / total : 0} label={doing} size={10} />
          <p className="text-fg-2 tabular-nums">{words}. It continues when you close this, and stands under Changes.</p>
        </div>
      )}
      {(undo.error ?? error) && <FailureNotice of={(undo.error ?? error)!} />}
      <OutcomeLines of={change} outcome={change} done />
      {finished_at && change.left.length > 0 && <Left change={change} />}
    </Modal>
  )
}

/** The first of the assets that were left, by name, what went wrong first; of a file with the line of each. */
function Left({ change: { id, action } }: { change: BulkChange }) {
  const { data, error, refetch } = useQuery(q(listLeftAssets, { params: { bulk_id: id } }))
  if (!data && error)
    return (
      <FailureNotice
        of={error}
        action={
          <button type="button" className="link" onClick={() => void refetch()}>
            Try again
          </button>
        }
      >
        Which assets were not changed could not be loaded. {error.detail}
      </FailureNotice>
    )
  if (!data) return null
  const more = data.total - data.items.length
  return (
    <details className="text-sm">
      <summary className="cursor-pointer font-medium">Which assets were not changed</summary>
      <ul className="mt-2 grid gap-1">
        {data.items.map(({ asset_id, name, reason, line, words }) => (
          <li key={line ?? asset_id} className="flex gap-3">
            {line !== null && <span className="min-w-14 flex-none text-fg-3 tabular-nums">Line {line}</span>}
            {name ? (
              <Link to={`/assets/${asset_id}`} className="max-w-1/2 flex-none truncate hover:underline">
                {name}
              </Link>
            ) : (
              <span className="max-w-1/2 flex-none truncate">{asset_id}</span>
            )}
            <span className="ml-auto text-right text-fg-2 text-pretty">{words ?? reasonWords(action, reason)}</span>
          </li>
        ))}
      </ul>
      {more > 0 && (
        <p className="mt-2 text-fg-2">
          And {more.toLocaleString('en')}
          {data.total_capped ? ' or more' : ''} others.
        </p>
      )}
    </details>
  )
}
