import type { Asset } from '@masthead/contract/assets/asset'
import { updateAsset } from '@masthead/contract/assets/operations'
import type { Place } from '@masthead/contract/assets/place-operations'
import { useState } from 'react'
import { ActionButton } from '../../kit/ActionButton.tsx'
import { later } from '../../kit/later.tsx'
import { MomentTime, RelativeTime } from '../../kit/RelativeTime.tsx'
import { CopyText } from '../../ui/CopyText.tsx'
import { positionWords } from './position.ts'

const PositionDialog = later(() => import('./PositionDialog.tsx').then((file) => file.PositionDialog))

const mostBefore = 5

/** Where an asset stands, as somebody or a system of theirs set it, with the change of that, and where it stood before. */
export function Positions({ asset, places }: { asset: Asset; places: readonly Place[] }) {
  const [asking, setAsking] = useState<'set' | 'remove' | null>(null)
  const now = places.find(({ until }) => until === null)
  const before = places.filter((place) => place !== now).slice(0, mostBefore)
  return (
    <div className="grid gap-1.5 border-b border-line px-4 py-2.5">
      <div className="flex flex-wrap items-start justify-between gap-x-2 gap-y-1">
        {now ? (
          <span className="grid min-w-0 gap-0.5">
            <CopyText text={positionWords(now)} label="the position" />
            <span className="text-xs wrap-anywhere text-fg-3">
              set <RelativeTime at={now.since} /> by {now.by}
            </span>
          </span>
        ) : (
          <span className="text-fg-3">No position was set.</span>
        )}
        <span className="-my-1 -mr-2 flex flex-none">
          <ActionButton size="small" color="ghost" operation={updateAsset} onClick={() => setAsking('set')}>
            {now ? 'Move' : 'Set position'}
          </ActionButton>
          {now && (
            <ActionButton
              size="small"
              color="ghost"
              aria-label="Remove the position"
              operation={updateAsset}
              onClick={() => setAsking('remove')}
            >
              Remove
            </ActionButton>
          )}
        </span>
      </div>
      {before.length > 0 && (
        <ol className="grid gap-0.5 text-xs text-fg-3" aria-label="Positions before, newest first">
          {before.map((place) => (
            <li key={place.since} className="flex flex-wrap gap-x-2">
              <span className="mono">{positionWords(place)}</span>
              <span>
                until <MomentTime at={place.until!} />
              </span>
            </li>
          ))}
        </ol>
      )}
      {asking && <PositionDialog asset={asset} now={now} asking={asking} onClose={() => setAsking(null)} />}
    </div>
  )
}
