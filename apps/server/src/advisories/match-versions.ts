import type { Range, RangeEvent } from './read-advisory.ts'
import { compareVersions, readerOf } from './versions/compare.ts'
import type { Version } from './versions/version.ts'
import { readSemver } from './versions/semver.ts'

/** Whether a version is affected, and in which it no longer is. `unknown`: its versions have no order. */
export type Match = { affected: boolean; fixed_in: string | null } | 'unknown'

/** `listed`: the advisory names this very version. */
export function matchVersion(ecosystem: string, version: string, { ranges, listed }: { ranges: readonly Range[]; listed: boolean }): Match {
  let unknown = false
  let fixed_in: string | null = null
  let affected = listed
  for (const range of ranges) {
    const found = matchRange(range, range.semver ? readSemver : readerOf(ecosystem), version)
    if (found === 'unknown') unknown = true
    else if (found.affected || (listed && found.fixed_in !== null)) {
      affected = true
      fixed_in ??= found.fixed_in
    }
  }
  return unknown && !affected ? 'unknown' : { affected, fixed_in }
}

type Placed = { event: RangeEvent; text: string; version: Version | null }

function matchRange({ events }: Range, read: ((text: string) => Version | null) | null, text: string): Match {
  const version = read?.(text) ?? null
  if (!read || !version) return 'unknown'
  const placed = events.map((event): Placed => {
    const [at] = Object.values(event) as [string]
    // 0 is before all versions.
    return { event, text: at, version: 'introduced' in event && at === '0' ? null : read(at) }
  })
  if (placed.some(({ event, version: at }) => at === null && !('introduced' in event && event.introduced === '0'))) return 'unknown'
  const order = (a: Placed, b: Placed) =>
    a.version && b.version ? compareVersions(a.version, b.version) : (a.version ? 1 : 0) - (b.version ? 1 : 0)
  let affected = false
  let fixed_in: string | null = null
  for (const { event, text: at, version: then } of placed.toSorted(order)) {
    const is = then === null ? 1 : compareVersions(version, then)
    if ('introduced' in event && is >= 0) affected = true
    else if ('fixed' in event && is >= 0) affected = false
    else if ('last_affected' in event && is > 0) affected = false
    else if ('fixed' in event && is < 0) fixed_in ??= at
  }
  return { affected, fixed_in }
}
