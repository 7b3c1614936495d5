import type { Reply } from '@masthead/contract/kernel/operation'
import { formatSteadyBytes } from '@masthead/contract/usage/bytes'
import type { getUsageSums } from '@masthead/contract/usage/operations'
import { useClock } from '../kit/clock.ts'
import { Cell, Frame, Stat, StatPart } from '../ui/Panel.tsx'
import { StateShape } from '../ui/StateShape.tsx'
import { beforeWords, isWholeMonth, periodWords } from './period.ts'
import { silentPlace } from './SilentSims.tsx'
import { changeWords, figure, forecastBytes } from './usage-words.ts'

export type UsageSums = Reply<typeof getUsageSums>

/** The sums of the period, beside those of the one before. `silent`: SIMs without data, once they are counted. */
export function UsageFigures({ usage, silent }: { usage: UsageSums | undefined; silent: number | undefined }) {
  const loading = usage === undefined
  const total = usage ? usage.bytes_up + usage.bytes_down : 0
  const change = usage && changeWords(total, usage.previous_bytes)
  const before = usage && beforeWords({ start: usage.previous_start, end: usage.previous_end })
  // By the minute: the projection moves no faster.
  const minute = useClock((now) => Math.floor(now / 60_000))
  const forecast = usage && isWholeMonth(usage) && forecastBytes(total, usage, minute * 60_000)
  const share = (bytes: number) => (total > 0 ? `${Math.round((100 * bytes) / total)} %` : '—')
  return (
    <Frame className="mb-4 grid-cols-2 @lg:grid-cols-4">
      <Cell>
        <Stat
          label="Data"
          {...figure(total)}
          loading={loading}
          parts={
            usage && (
              <>
                <StatPart label={change ? `vs ${before}` : `nothing in ${before}`}>{change ?? '—'}</StatPart>
                {forecast ? (
                  <StatPart label={`all of ${periodWords(usage)}, at this pace`}>≈ {formatSteadyBytes(forecast)}</StatPart>
                ) : null}
              </>
            )
          }
        />
      </Cell>
      <Cell>
        <Stat
          label="Upload"
          {...figure(usage?.bytes_up ?? 0)}
          loading={loading}
          parts={usage && <StatPart label="sent by devices">{share(usage.bytes_up)}</StatPart>}
        />
      </Cell>
      <Cell>
        <Stat
          label="Download"
          {...figure(usage?.bytes_down ?? 0)}
          loading={loading}
          parts={usage && <StatPart label="received by devices">{share(usage.bytes_down)}</StatPart>}
        />
      </Cell>
      <Cell>
        <Stat
          label="Active without data"
          value={(silent ?? 0).toLocaleString('en')}
          unit={silent === 1 ? 'SIM' : 'SIMs'}
          loading={silent === undefined}
          parts={
            silent !== undefined && (
              <StatPart label="in this period">
                <StateShape {...(silent > 0 ? { shape: 'triangle', tone: 'warn' } : { shape: 'done', tone: 'ok' })} />
                {silent > 0 ? (
                  <button
                    type="button"
                    className="link"
                    onClick={() => document.getElementById(silentPlace)?.scrollIntoView({ block: 'start' })}
                  >
                    see which
                  </button>
                ) : (
                  'none'
                )}
              </StatPart>
            )
          }
        />
      </Cell>
    </Frame>
  )
}
