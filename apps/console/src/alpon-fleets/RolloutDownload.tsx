import type { RolloutPreview } from '@masthead/contract/alpon-fleets/rollout'
import { Notice } from '../ui/Notice.tsx'
import { downloadWords, elsewhereWords, fits, poolWords, unknownWords } from './download-words.ts'

const mostPools = 8

/** What a rollout takes in data, and from which data pools; those that have not enough come first. */
export function RolloutDownload({ download }: { download: RolloutPreview['download'] }) {
  if (!download) return <p className="text-xs text-fg-3">How much they download is shown to those who may see the container registry.</p>
  const unknown = unknownWords(download)
  const elsewhere = elsewhereWords(download)
  return (
    <>
      <p className="text-fg-2">
        {downloadWords(download)}
        {elsewhere && ` ${elsewhere}`}
      </p>
      {unknown && <p className="text-xs text-fg-3 wrap-anywhere">{unknown}</p>}
      {download.pools ? (
        <Pools pools={download.pools} />
      ) : (
        <p className="text-xs text-fg-3">Which data pools it comes from is shown to those who may see data pools.</p>
      )}
    </>
  )
}

function Pools({ pools }: { pools: NonNullable<NonNullable<RolloutPreview['download']>['pools']> }) {
  if (pools.length === 0) return null
  const sorted = pools.toSorted((one, other) => Number(fits(one)) - Number(fits(other)))
  const more = sorted.length - mostPools
  return (
    <ul className="grid gap-1.5">
      {sorted.slice(0, mostPools).map((each) => (
        <li key={[each.pool, ...each.others].map((pool) => pool?.id).join(' ')} className="text-fg-2 wrap-anywhere">
          {fits(each) ? poolWords(each) : <Notice tone="warn">{poolWords(each)}</Notice>}
        </li>
      ))}
      {more > 0 && <li className="text-xs text-fg-3">And {more.toLocaleString('en')} more</li>}
    </ul>
  )
}
