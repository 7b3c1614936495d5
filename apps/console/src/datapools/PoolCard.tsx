import { mostSimsCounted, overageWords, type DataPool } from '@masthead/contract/datapools/pool'
import { formatBytes } from '@masthead/contract/usage/bytes'
import { BesideLink } from '../kit/BesideLink.tsx'
import { Badge } from '../ui/Badge.tsx'
import { ProgressBar } from '../ui/ProgressBar.tsx'
import { AutoRenew } from './AutoRenew.tsx'
import { BuyMore } from './BuyMore.tsx'
import { PoolChart } from './PoolChart.tsx'
import { PoolLine } from './PoolLine.tsx'
import { poolLook, priceWords, shortDay, thresholdWords, wholePoolWords, zoneWords } from './pool-words.ts'

/** A pool at a glance: what is left, when that will be gone, and what follows. */
export function PoolCard({ pool }: { pool: DataPool }) {
  const look = poolLook(pool)
  const [threshold] = pool.thresholds
  const whole = wholePoolWords(pool)
  const heading = `pool-${pool.id}`
  return (
    <section aria-labelledby={heading} className="@container/pool min-w-0 overflow-clip rounded-lg border border-line bg-bg">
      <div className="grid @3xl/pool:grid-cols-[minmax(260px,2fr)_3fr]">
        <div className="grid content-between gap-4 p-4 @3xl/pool:border-r @3xl/pool:border-line">
          <div className="flex items-start gap-2">
            <div className="grid min-w-0 flex-1">
              <h2 id={heading} className="truncate text-sm font-semibold">
                <BesideLink name="pool" value={pool.id}>
                  {pool.name}
                </BesideLink>
              </h2>
              <span className="truncate text-xs text-fg-3">{zoneWords(pool)}</span>
            </div>
            <Badge tone={look.tone} shape={look.shape}>
              {look.label}
            </Badge>
          </div>
          <div className="grid gap-2">
            <div className="flex flex-wrap items-baseline gap-x-2">
              <span className="tight text-xl font-semibold tabular-nums">{formatBytes(pool.used_bytes)}</span>
              <span className="text-fg-3">of {formatBytes(pool.size_bytes)}</span>
              <span className="ml-auto text-fg-2">
                {pool.overage_bytes > 0 ? `${formatBytes(pool.overage_bytes)} over` : `${formatBytes(pool.remaining_bytes)} left`}
              </span>
            </div>
            <ProgressBar
              value={pool.size_bytes === 0 ? 1 : pool.used_bytes / pool.size_bytes}
              label={`Used of ${pool.name}`}
              size={10}
              tone={look.bar}
              {...(threshold && { threshold: threshold / 100 })}
            />
          </div>
          <dl className="grid grid-cols-3 gap-2">
            <PoolFact
              label="SIMs"
              note={`${pool.sims_used.toLocaleString('en')}${pool.sims_used === mostSimsCounted ? ' or more' : ''} used data`}
            >
              {pool.sims.toLocaleString('en')}
            </PoolFact>
            <PoolFact label="Pace" note={pool.forecast ? 'a day' : ''}>
              {pool.forecast ? formatBytes(pool.forecast.bytes_per_day) : '—'}
            </PoolFact>
            {pool.price_micros !== null && (
              <PoolFact label="Price" note="">
                {priceWords(pool)}
              </PoolFact>
            )}
          </dl>
          {whole && <p className="text-xs text-pretty text-fg-3">{whole}</p>}
        </div>
        <div className="grid min-w-0 content-start gap-2 border-t border-line p-4 @3xl/pool:border-t-0">
          <PoolLine pool={pool} />
          <PoolChart pool={pool} />
        </div>
      </div>
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2 border-t border-line bg-sunken px-4 py-2">
        <span className="flex flex-wrap items-center gap-x-2">
          <AutoRenew pool={pool} />
          {pool.state !== 'ended' && (
            <span className="text-fg-3">
              {pool.auto_renew ? 'on' : 'the pool ends on'} {shortDay(pool.term_end)}
            </span>
          )}
        </span>
        <span className="text-fg-2">
          After the pool: <b className="font-medium text-fg">{overageWords(pool)}</b>
        </span>
        <span className="text-fg-2">{thresholdWords(pool.thresholds)}</span>
        <span className="ml-auto flex flex-wrap items-center gap-3">
          <BuyMore pool={pool} />
          <BesideLink name="pool" value={pool.id}>
            Manage<span className="sr-only"> {pool.name}</span>
          </BesideLink>
        </span>
      </div>
    </section>
  )
}

const PoolFact = ({ label, note, children }: { label: string; note: string; children: string }) => (
  <div className="grid content-start">
    <dt className="text-xs text-fg-3">{label}</dt>
    <dd className="min-w-0 wrap-anywhere tabular-nums">
      {children}
      {note && <span className="block text-xs text-fg-3">{note}</span>}
    </dd>
  </div>
)
