import { severities, type SeverityCounts, type Vulnerability } from '@masthead/contract/registry/vulnerability'
import { countSeverities, noCounts, type ScanFinding } from '../scans/read-report.ts'

const rank = ({ severity }: Pick<Vulnerability, 'severity'>) => severities.indexOf(severity)
const keyOf = (id: string, { package: name, version }: Pick<Vulnerability, 'package' | 'version'>) => `${id}\n${name}\n${version}`

/**
 * What advisories say of the packages, and what a scanner found, the worst first. What both name is one: by the id or another name of it, the package and its
 * version; it is as bad as the worse of the two says.
 */
export function joinFound(listed: readonly Vulnerability[], scanned: readonly ScanFinding[]): Vulnerability[] {
  const all = listed.map((each) => ({ ...each }))
  const known = new Map(all.flatMap((each) => [each.id, ...each.aliases].map((id) => [keyOf(id, each), each] as const)))
  for (const { id, severity, summary, package: name, version, fixed_in } of scanned) {
    const key = keyOf(id, { package: name, version })
    const same = known.get(key)
    if (!same) {
      const found: Vulnerability = { id, aliases: [], severity, summary, package: name, version, fixed_in, found_by: ['scanner'] }
      known.set(key, found)
      all.push(found)
      continue
    }
    if (!same.found_by.includes('scanner')) same.found_by = [...same.found_by, 'scanner']
    if (rank({ severity }) < rank(same)) same.severity = severity
    same.fixed_in ??= fixed_in
    if (same.summary === '') same.summary = summary
  }
  return all.toSorted((a, b) => rank(a) - rank(b) || a.package.localeCompare(b.package) || a.id.localeCompare(b.id))
}

/** `beyond`: of what was left out. */
export function countsOf(found: readonly Vulnerability[], beyond: readonly SeverityCounts[]): SeverityCounts {
  const counts = countSeverities(found, noCounts())
  for (const each of beyond) for (const severity of severities) counts[severity] += each[severity]
  return counts
}
