import { sql } from 'kysely'
import { notFound, Problem } from '@masthead/contract/kernel/problem'
import {
  severities,
  type Severity,
  type SeverityCounts,
  type Vulnerabilities,
  type Vulnerability,
} from '@masthead/contract/registry/vulnerability'
import { getLoad, matchVersion, readerOf } from '../../advisories/index.ts'
import type { Actor, Db } from '../../kernel/app.ts'
import { findManifest } from '../content/manifests.ts'
import type { Repository } from '../content/repository.ts'
import { isDigest } from '../protocol/address.ts'
import { getRepositoryHere } from '../repository-here.ts'
import { packagesOf, sbomsOf, type SbomRow } from './sboms.ts'

const mostShown = 1000
/** Pairs of a package and an advisory that are looked at for one list. */
const mostPairs = 50_000

type Pair = {
  sbom: string
  name: string
  version: string
  ecosystem: string
  ecosystem_version: string
  id: string
  aliases: string[]
  severity: Severity
  summary: string
  ranges: Parameters<typeof matchVersion>[2]['ranges']
  listed: boolean
}

const nameOf = ({ digest, n }: Pick<SbomRow, 'digest' | 'n'>) => `${digest} ${n}`

/** Every advisory about a package of some lists, whatever its version; for a list of tags without words. */
async function readPairs(db: Db, { account_id, repository_id }: Repository, sboms: readonly SbomRow[], load_id: string): Promise<Pair[]> {
  const { rows } = await sql<Pair>`select s.digest || ' ' || s.n as sbom, p.name, p.version, p.ecosystem, p.ecosystem_version,
      a.id, a.aliases, a.severity, a.summary, f.ranges, p.ecosystem_version = any(f.versions) as listed
    from (select distinct * from unnest(${sboms.map(({ digest }) => digest)}::text[], ${sboms.map(({ n }) => n)}::int[]) as u (digest, n)) s
    join registry_package p on p.account_id = ${account_id} and p.repository_id = ${repository_id} and p.digest = s.digest and p.n = s.n
    join advisory_affected f on f.load_id = ${load_id} and f.ecosystem = p.ecosystem and f.name = p.ecosystem_name
    join advisory a on a.load_id = f.load_id and a.id = f.id
    limit ${mostPairs}`.execute(db)
  return rows
}

/** One of an advisory, a package and its version, however often both name it. */
function judge(pairs: readonly Pair[]): Vulnerability[] {
  const found = new Map<string, Vulnerability>()
  for (const { ecosystem, ecosystem_version, ranges, listed, name, version, id, aliases, severity, summary } of pairs) {
    const match = matchVersion(ecosystem, ecosystem_version, { ranges, listed })
    if (match === 'unknown' || !match.affected) continue
    const key = `${id}\n${name}\n${version}`
    const { fixed_in } = match
    found.set(key, { id, aliases, severity, summary, package: name, version, fixed_in: found.get(key)?.fixed_in ?? fixed_in })
  }
  const rank = ({ severity }: Vulnerability) => severities.indexOf(severity)
  return [...found.values()].toSorted((a, b) => rank(a) - rank(b) || a.package.localeCompare(b.package) || a.id.localeCompare(b.id))
}

function countsOf(found: readonly Vulnerability[]): SeverityCounts {
  const counts: SeverityCounts = { critical: 0, high: 0, medium: 0, low: 0, unknown: 0 }
  for (const { severity } of found) counts[severity]++
  return counts
}

/** Throws not_found. */
export async function getVulnerabilities(db: Db, actor: Actor, asked: string, digest: string): Promise<Vulnerabilities> {
  const repository = await getRepositoryHere(db, actor, asked)
  if (!isDigest(digest) || !(await findManifest(db, repository, digest))) throw new Problem(notFound)
  const load = await getLoad(db)
  const sboms = (await sbomsOf(db, repository, [digest])).get(digest) ?? []
  const nothing = { counts: countsOf([]), fixable: 0, not_compared: 0, items: [] }
  const advisories_at = load?.loaded_at ?? null
  const packages = sboms.length === 0 ? null : sboms.reduce((sum, each) => sum + each.packages, 0)
  if (!load || packages === null) return { ...nothing, advisories_at, packages }
  const found = judge(await readPairs(db, repository, sboms, load.id))
  let compared = 0
  for (const sbom of sboms) compared += await countCompared(db, repository, sbom)
  return {
    advisories_at,
    packages,
    not_compared: packages - compared,
    counts: countsOf(found),
    fixable: found.filter(({ fixed_in }) => fixed_in !== null).length,
    items: found.slice(0, mostShown),
  }
}

/** Packages whose versions have an order here. */
async function countCompared(db: Db, repository: Repository, sbom: SbomRow): Promise<number> {
  const rows = await packagesOf(db, repository, sbom).select(['p.ecosystem', 'p.ecosystem_version']).execute()
  return rows.filter(({ ecosystem, ecosystem_version }) => readerOf(ecosystem)?.(ecosystem_version)).length
}

/** How many there are of some images, by the image; none of those without a list of parts, or while no advisories are loaded. */
export async function vulnerabilityCounts(db: Db, repository: Repository, images: readonly string[]): Promise<Map<string, SeverityCounts>> {
  const sboms = await sbomsOf(db, repository, [...new Set(images)])
  const all = [...sboms.values()].flat()
  const load = all.length > 0 ? await getLoad(db) : null
  if (!load) return new Map()
  const pairs = Map.groupBy(await readPairs(db, repository, all, load.id), ({ sbom }) => sbom)
  const known = [...sboms].filter(([, of]) => of.length > 0)
  return new Map(known.map(([image, of]) => [image, countsOf(judge(of.flatMap((sbom) => pairs.get(nameOf(sbom)) ?? [])))]))
}
