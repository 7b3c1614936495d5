import type { Severity } from '@masthead/contract/registry/vulnerability'
import { baseScore } from './cvss.ts'

export type RangeEvent = { introduced: string } | { fixed: string } | { last_affected: string }
/** `semver`: its events are that, whatever the ecosystem. */
export type Range = { semver: boolean; events: RangeEvent[] }
export type Affected = { ecosystem: string; name: string; ranges: Range[]; versions: string[] }
export type Advisory = { id: string; aliases: string[]; summary: string; severity: Severity; affected: Affected[] }

const mostAffected = 2000
const mostVersions = 3000
/** Of one package, in all its ranges: more are compared with nothing, as that takes long. */
const mostEvents = 200
const longestName = 300

const objectOf = (value: unknown) =>
  (typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}) as Record<string, unknown>
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]) : [])
const textOf = (value: unknown, most = longestName) =>
  typeof value === 'string' ? value.slice(0, most).replaceAll('\0', '').toWellFormed() : ''

/** What an advisory is found by; empty where it is longer than an index of the database takes. */
const keyOf = (value: unknown) => {
  const text = textOf(value, longestName + 1)
  return Buffer.byteLength(text) > longestName ? '' : text
}

/** A document of OSV. Null: it was withdrawn, or is about no package. Throws in words what is none. */
export function readAdvisory(text: string): Advisory | null {
  let value: Record<string, unknown>
  try {
    value = objectOf(JSON.parse(text))
  } catch {
    throw new Error('It is no JSON')
  }
  const id = keyOf(value.id)
  if (id === '' || !Array.isArray(value.affected)) throw new Error('It is no advisory of OSV: these have an id and what is affected')
  if (value.withdrawn !== undefined) return null
  const affected = listOf(value.affected).slice(0, mostAffected).flatMap(readAffected)
  if (affected.length === 0) return null
  return {
    id,
    aliases: listOf(value.aliases)
      .slice(0, 20)
      .map((each) => textOf(each))
      .filter(Boolean),
    summary: textOf(value.summary, 300) || textOf(value.details, 300).split('\n')[0]!,
    severity: severityOf(value),
    affected,
  }
}

function readAffected(given: unknown): Affected[] {
  const { package: about, ranges, versions } = objectOf(given)
  const ecosystem = keyOf(objectOf(about).ecosystem)
  const name = keyOf(objectOf(about).name)
  if (ecosystem === '' || name === '') return []
  const read = listOf(ranges).flatMap(readRange)
  if (read.reduce((sum, { events }) => sum + events.length, 0) > mostEvents)
    throw new Error(`It names more than ${mostEvents} versions of ${name} in which something begins or ends`)
  return [
    {
      ecosystem,
      name: ecosystem === 'PyPI' ? name.toLowerCase().replaceAll(/[-_.]+/g, '-') : name,
      ranges: read,
      versions: listOf(versions)
        .slice(0, mostVersions)
        .map((each) => textOf(each))
        .filter(Boolean),
    },
  ]
}

function readRange(given: unknown): Range[] {
  const { type, events } = objectOf(given)
  if (type !== 'SEMVER' && type !== 'ECOSYSTEM') return []
  const read = listOf(events).flatMap((each): RangeEvent[] => {
    const [introduced, fixed, last_affected] = ['introduced', 'fixed', 'last_affected'].map((name) => textOf(objectOf(each)[name]))
    if (introduced) return [{ introduced }]
    if (fixed) return [{ fixed }]
    return last_affected ? [{ last_affected }] : []
  })
  return [{ semver: type === 'SEMVER', events: read }]
}

const words: Record<string, Severity> = {
  critical: 'critical',
  high: 'high',
  important: 'high',
  moderate: 'medium',
  medium: 'medium',
  low: 'low',
  minor: 'low',
  unimportant: 'low',
}

/** As its source says it in a word; else by its CVSS vector, with the levels of that. */
function severityOf({ database_specific, severity, affected }: Record<string, unknown>): Severity {
  const [first] = listOf(affected).map(objectOf)
  const said = [
    objectOf(database_specific).severity,
    objectOf(first?.ecosystem_specific).urgency,
    objectOf(first?.ecosystem_specific).severity,
  ]
  for (const each of said) {
    const known = words[textOf(each).toLowerCase()]
    if (known) return known
  }
  for (const each of [...listOf(severity), ...listOf(first?.severity)]) {
    const score = baseScore(textOf(objectOf(each).score))
    if (score !== null) return score >= 9 ? 'critical' : score >= 7 ? 'high' : score >= 4 ? 'medium' : 'low'
  }
  return 'unknown'
}
