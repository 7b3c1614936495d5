import { severities, type Severity, type SeverityCounts } from '@masthead/contract/registry/vulnerability'
import { nameOf } from './scanner-says.ts'
import { objectOf } from '../attached/read-signed.ts'
import { textOf } from './plain-values.ts'
import { ScanFailed } from './scan-failed.ts'

export type ScanFinding = {
  id: string
  severity: Severity
  summary: string
  package: string
  version: string
  fixed_in: string | null
}
/** `counts`: of all; `beyond`: of those that are not among `kept`. */
export type ReadReport = {
  scanner: string
  vulnerabilities: number
  counts: SeverityCounts
  beyond: SeverityCounts
  kept: ScanFinding[]
}

const mostRead = 100_000
const mostKept = 5000

const words: Record<string, Severity> = { critical: 'critical', high: 'high', medium: 'medium', low: 'low', negligible: 'low' }
export const noCounts = (): SeverityCounts => ({ critical: 0, high: 0, medium: 0, low: 0, unknown: 0 })

export function countSeverities(of: readonly { severity: Severity }[], counts = noCounts()): SeverityCounts {
  for (const { severity } of of) counts[severity]++
  return counts
}

/** A report of vulnerabilities, versions 1.0 and 1.1. What has no id or no package is left out. Throws ScanFailed. */
export function readReport(given: Record<string, unknown>, digest: string): ReadReport {
  const { scanner, artifact, vulnerabilities = null, generated_at } = given
  const about = textOf(objectOf(artifact).digest)
  if (about !== '' && about !== digest) throw new ScanFailed('failed', 'The report of the scanner is about another image')
  const isReport = typeof generated_at === 'string' || typeof scanner === 'object'
  if (!isReport || (vulnerabilities !== null && !Array.isArray(vulnerabilities)))
    throw new ScanFailed('for_good', 'What the scanner sends is no report of vulnerabilities')
  const found = new Map<string, ScanFinding>()
  for (const each of ((vulnerabilities ?? []) as unknown[]).slice(0, mostRead)) {
    const finding = readFinding(objectOf(each))
    if (finding) found.set(`${finding.id}\n${finding.package}\n${finding.version}`, finding)
  }
  const rank = ({ severity }: ScanFinding) => severities.indexOf(severity)
  const all = [...found.values()].toSorted((a, b) => rank(a) - rank(b) || a.package.localeCompare(b.package) || a.id.localeCompare(b.id))
  return {
    scanner: nameOf(scanner),
    vulnerabilities: all.length,
    counts: countSeverities(all),
    beyond: countSeverities(all.slice(mostKept)),
    kept: all.slice(0, mostKept),
  }
}

function readFinding(given: Record<string, unknown>): ScanFinding | null {
  const [id, name] = [textOf(given.id, 100), textOf(given.package)]
  if (id === '' || name === '') return null
  return {
    id,
    severity: words[textOf(given.severity).toLowerCase()] ?? 'unknown',
    summary: textOf(given.description).split('\n')[0]!,
    package: name,
    version: textOf(given.version),
    fixed_in: textOf(given.fix_version) || null,
  }
}
