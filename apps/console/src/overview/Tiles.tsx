import { assetTypes } from '@masthead/contract/assets/asset-types'
import { formatDay } from '@masthead/contract/kernel/time'
import { formatSteadyBytes } from '@masthead/contract/usage/bytes'
import type { OverviewRange } from '@masthead/contract/overview/range'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useClock } from '../kit/clock.ts'
import { Cell, Stat, StatPart } from '../ui/Panel.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { StateShape } from '../ui/StateShape.tsx'
import { statuses, type Status } from '../ui/status.ts'
import { TypeBadge } from '../ui/TypeBadge.tsx'
import { changeWords, figure, forecastBytes } from '../usage/index.ts'
import { rangeWords, type Overview } from './range-words.ts'

type Assets = { assets: Overview['assets'] | undefined }

/** A part of a figure that leads to the list of what it counts. */
function CountPart({ status, count, label, to }: { status: Status; count: number; label: ReactNode; to?: string }) {
  const { shape, tone } = statuses[status]
  const shown = count.toLocaleString('en')
  return (
    <StatPart label={label}>
      <StateShape shape={shape} tone={tone} />
      {to ? (
        <Link to={to} className="hover:underline" aria-label={`${shown} ${typeof label === 'string' ? label : ''}`}>
          {shown}
        </Link>
      ) : (
        shown
      )}
    </StatPart>
  )
}

const offlineList = `/assets?search=${encodeURIComponent('connection:offline -seen:never')}`
/** The list of more assets is not asked for those that are offline. */
const mostAsked = 50_000

export function AssetTile({ assets }: Assets) {
  return (
    <Cell className="@lg:col-span-4">
      <Stat
        label="Assets"
        value={assets?.total.toLocaleString('en')}
        loading={!assets}
        parts={
          assets && (
            <>
              <CountPart status="online" count={assets.online} label="online" to="/assets?online=true" />
              <CountPart status="offline" count={assets.offline} label="offline" {...(assets.total <= mostAsked && { to: offlineList })} />
              <CountPart status="never_seen" count={assets.never_seen} label="never seen" to="/assets?search=seen:never" />
            </>
          )
        }
      />
    </Cell>
  )
}

// What is in service first, then what should be.
const order: Status[] = ['active', 'blocked', 'ready', 'standby', 'inactive', 'inventory', 'terminated']

export function SimTile({ assets }: Assets) {
  const counts = (assets?.by_sim_status ?? []).toSorted((a, b) => order.indexOf(a.status) - order.indexOf(b.status))
  return (
    <Cell className="@lg:col-span-4">
      <Stat
        label="SIMs"
        value={counts.reduce((sum, { count }) => sum + count, 0).toLocaleString('en')}
        loading={!assets}
        parts={counts.map(({ status, count }) => (
          <CountPart
            key={status}
            status={status}
            count={count}
            label={statuses[status].label.toLowerCase()}
            to={`/assets?sim_status=${status}`}
          />
        ))}
      />
    </Cell>
  )
}

export function UsageTile({ usage, range }: { usage: Overview['usage'] | undefined; range: OverviewRange }) {
  const total = usage ? usage.bytes_up + usage.bytes_down : 0
  const minute = useClock((now) => Math.floor(now / 60_000))
  const change = usage && changeWords(total, usage.previous_bytes)
  const forecast = usage && range === 'month' ? forecastBytes(total, usage, minute * 60_000) : null
  return (
    <Cell className="col-span-2 @lg:col-span-4">
      <Stat
        label={usage ? rangeWords(range, usage).label : 'Data'}
        {...figure(total)}
        loading={!usage}
        parts={
          usage && (
            <>
              {change && <StatPart label={rangeWords(range, usage).compared}>{change}</StatPart>}
              {forecast !== null && (
                <StatPart label={`by ${formatDay(new Date(Date.parse(usage.end) - 1).toISOString()).slice(0, -5)} at this pace`}>
                  {formatSteadyBytes(forecast)}
                </StatPart>
              )}
              {!change && forecast === null && <StatPart label="in the period before">—</StatPart>}
            </>
          )
        }
      />
    </Cell>
  )
}

/** How many there are of each product. */
export function TypeTile({ assets }: Assets) {
  return (
    <Cell className="col-span-2 @lg:col-span-12">
      <h2 className="sr-only">By product</h2>
      <ul className="flex flex-wrap gap-x-7 gap-y-2">
        {assets
          ? assets.by_type.map(({ type, count }) => (
              <li key={type}>
                <Link to={`/assets?type=${type}`} className="inline-flex items-center gap-2 hover:underline">
                  <span className="font-medium tabular-nums">{count.toLocaleString('en')}</span>
                  <TypeBadge type={type} label={assetTypes[type]} />
                </Link>
              </li>
            ))
          : [0, 1, 2, 3].map((place) => (
              <li key={place} className="py-[5px]">
                <Skeleton className="w-28" />
              </li>
            ))}
      </ul>
    </Cell>
  )
}
