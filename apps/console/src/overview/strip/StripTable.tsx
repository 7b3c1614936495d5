import { lazy, Suspense, useCallback, useMemo } from 'react'
import { Link } from 'react-router'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import { StateShape } from '../../ui/StateShape.tsx'
import type { SimRow } from './ManySims.tsx'
import { groupName, clockAt, looks, stretchOf } from './row-words.ts'
import { hours, states, type Hours, type State, type StripReply } from './strip-lines.ts'

/** More are drawn as they come into sight. */
const mostRows = 200
const ManySims = lazy(() => import('./ManySims.tsx').then((module) => ({ default: module.ManySims })))
const now = hours - 1

/** The same for who cannot see it: each group now, and each SIM that is not as usual now. */
export function StripTable({ strip, at }: { strip: StripReply; at: Hours['at'] }) {
  const { lines, groups } = strip
  const off = useMemo(() => [...lines.name.keys()].filter((line) => at(line, now) !== states.u && at(line, now) !== states.n), [lines, at])
  const before = useMemo(() => [...lines.name.keys()].filter((line) => ![null, now].includes(lastOff(at, line))), [lines, at])
  const hourBefore = useCallback((line: number) => lastOff(at, line)!, [at])
  const count = (group: number, state: State) => off.filter((line) => lines.group[line] === group && at(line, now) === state).length
  return (
    <div className="grid gap-4 overflow-x-auto px-4 pb-4 text-sm" style={{ minHeight: 292 }}>
      <table className="w-full text-left tabular-nums">
        <caption className="sr-only">SIMs that should work, by country, as they are now</caption>
        <thead className="text-xs text-fg-3">
          <tr className="border-b border-line">
            <Head>Country</Head>
            <Head end>SIMs</Head>
            <Head end wide>
              As usual
            </Head>
            <Head end>Silent</Head>
            <Head end>Refused</Head>
            <Head end>Blocked</Head>
          </tr>
        </thead>
        <tbody>
          {groups.map((group, i) => (
            <tr key={group.country} className="border-b border-line">
              <th scope="row" className="py-1.5 pr-3 font-medium">
                {groupName(strip, i)}
              </th>
              {[group.sims, group.sims - group.off, count(i, states.s), count(i, states.r), count(i, states.b)].map((value, at) => (
                <td key={at} className={`py-1.5 pl-2 text-right @xs:pl-3 ${at === 1 ? onlyWide : ''} ${value === 0 ? 'text-fg-3' : ''}`}>
                  {value.toLocaleString('en')}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {off.length > 0 && <Sims strip={strip} at={at} shown={off} title="Not as usual now" hourOf={inThisHour} />}
      {before.length > 0 && <Sims strip={strip} at={at} shown={before} title="As usual now, and not in hours before" hourOf={hourBefore} />}
    </div>
  )
}

const inThisHour = () => now

/** The last hour in which a SIM was not as usual; null where there is none. */
function lastOff(at: Hours['at'], line: number): number | null {
  for (let hour = now; hour >= 0; hour--) if (at(line, hour) !== states.u && at(line, hour) !== states.n) return hour
  return null
}

type Shown = { strip: StripReply; at: Hours['at']; shown: number[]; title: string; hourOf: (line: number) => number }

/** What each of these SIMs was in an hour, and from when to when. */
function Sims({ strip, at, shown, title, hourOf }: Shown) {
  const rowOf = useCallback(
    (place: number): SimRow => {
      const line = shown[place]!
      const hour = hourOf(line)
      const row = { group: strip.lines.group[line]!, lines: [line], y: 0, height: 1, fold: 0 }
      const when = whenWords(strip.start!, stretchOf(row, at, hour))
      return { asset_id: strip.lines.asset_id[line]!, name: strip.lines.name[line]!, state: at(line, hour), when }
    },
    [strip, at, shown, hourOf]
  )
  if (shown.length > mostRows) {
    return (
      <section className="grid gap-1">
        <p className="text-xs text-fg-3">
          {title}: {shown.length.toLocaleString('en')}
        </p>
        <Suspense fallback={<SkeletonLines lines={10} />}>
          <ManySims title={title} count={shown.length} rowOf={rowOf} />
        </Suspense>
      </section>
    )
  }
  return (
    <table className="w-full text-left">
      <caption className="pb-1 text-left text-xs text-fg-3">{title}</caption>
      <thead className="sr-only">
        <tr>
          <Head>SIM</Head>
          <Head>State</Head>
          <Head>When</Head>
        </tr>
      </thead>
      <tbody>
        {shown.map((_, place) => {
          const { asset_id, name, state, when } = rowOf(place)
          const { label, ...look } = looks[state]
          return (
            <tr key={asset_id} className="border-b border-line">
              <th scope="row" className="py-1.5 pr-3 font-normal">
                <Link to={`/assets/${asset_id}`} className="font-medium hover:underline">
                  {name}
                </Link>
              </th>
              <td className="py-1.5 pr-3 whitespace-nowrap">
                <StateShape {...look} className="mr-1.5 inline" />
                {label}
              </td>
              <td className="py-1.5 text-right whitespace-nowrap text-fg-2">{when}</td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

function whenWords(start: string, [from, to]: [from: number, to: number]) {
  if (to < hours) return `${from === 0 ? 'up' : `${clockAt(start, from)}`} to ${clockAt(start, to)}`
  return from === 0 ? '24 hours or more' : `since ${clockAt(start, from)}`
}

/** It follows from the others, for which a telephone has just room. */
const onlyWide = 'hidden @xs:table-cell'

const Head = ({ end = false, wide = false, children }: { end?: boolean; wide?: boolean; children: string }) => (
  <th scope="col" className={`py-1 font-normal ${end ? 'pl-2 text-right @xs:pl-3' : 'pr-3'} ${wide ? onlyWide : ''}`}>
    {children}
  </th>
)
