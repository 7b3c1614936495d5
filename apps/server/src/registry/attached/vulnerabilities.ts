import { sql } from 'kysely'
import { notFound, Problem } from '@masthead/contract/kernel/problem'
import type { Severity, SeverityCounts, Vulnerabilities, Vulnerability } from '@masthead/contract/registry/vulnerability'
import { getLoad, matchVersion, readerOf } from '../../advisories/index.ts'
import type { Actor, Db } from '../../kernel/app.ts'
import { findManifest } from '../content/manifests.ts'
import type { Repository, Within } from '../content/repository.ts'
import { isDigest } from '../protocol/address.ts'
import { getRepositoryHere } from '../repository-here.ts'
import { asScan, findingsOf, scansOf, type ScanRow } from '../scans/scan-queries.ts'
import { countsOf, joinFound } from './join-found.ts'
import { packagesOf, sbomsOf, type SbomRow } from './sboms.ts'

const mostShown = 1000
/** Pairs of a package and an advisory that are read for one list. */
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
async function readPairs(db: Db, { account_id, repository_id }: Within, sboms: readonly SbomRow[], load_id: string): Promise<Pair[]> {
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
    const known = found.get(key)?.fixed_in ?? fixed_in
    found.set(key, { id, aliases, severity, summary, package: name, version, fixed_in: known, found_by: ['packages'] })
  }
  return [...found.values()]
}

/** `scanner`: whether there is one. Throws not_found. */
export async function getVulnerabilities(db: Db, actor: Actor, asked: string, digest: string, scanner = false): Promise<Vulnerabilities> {
  const repository = await getRepositoryHere(db, actor, asked)
  if (!isDigest(digest) || !(await findManifest(db, repository, digest))) throw new Problem(notFound)
  const load = await getLoad(db)
  const sboms = (await sbomsOf(db, repository, [digest])).get(digest) ?? []
  const scans = (await scansOf(db, repository, [digest])).get(digest) ?? []
  const packages = sboms.length === 0 ? null : sboms.reduce((sum, each) => sum + each.packages, 0)
  const isCompared = load !== null && packages !== null
  let compared = 0
  for (const sbom of isCompared ? sboms : []) compared += await countCompared(db, repository, sbom)
  const listed = isCompared ? judge(await readPairs(db, repository, sboms, load.id)) : []
  const found = joinFound(listed, await findingsOf(db, repository, scans))
  return {
    advisories_at: load?.loaded_at ?? null,
    packages,
    not_compared: isCompared ? packages - compared : 0,
    counts: countsOf(found, beyondOf(scans)),
    fixable: found.filter(({ fixed_in }) => fixed_in !== null).length,
    scanner,
    scan: asScan(scanner ? scans : reportsOf(scans)),
    items: found.slice(0, mostShown),
  }
}

/** What is left of scans where nobody goes on with them. */
const reportsOf = (scans: readonly ScanRow[]) =>
  scans.filter(({ done_at }) => done_at !== null).map((row) => ({ ...row, state: 'done' as const, words: null }))

/** How many more the reports of scans have than are kept of them. */
const beyondOf = (scans: readonly ScanRow[]) => scans.flatMap(({ done_at, beyond }) => (done_at && beyond ? [beyond] : []))

/** Packages whose versions have an order here. */
async function countCompared(db: Db, repository: Repository, sbom: SbomRow): Promise<number> {
  const rows = await packagesOf(db, repository, sbom).select(['p.ecosystem', 'p.ecosystem_version']).execute()
  return rows.filter(({ ecosystem, ecosystem_version }) => readerOf(ecosystem)?.(ecosystem_version)).length
}

/** How many there are of some images, by the image; none of those that no scanner reported on, and whose list of parts is missing or not compared. */
export async function vulnerabilityCounts(db: Db, repository: Within, images: readonly string[]): Promise<Map<string, SeverityCounts>> {
  const wanted = [...new Set(images)]
  const sboms = await sbomsOf(db, repository, wanted)
  const all = [...sboms.values()].flat()
  const load = all.length > 0 ? await getLoad(db) : null
  const pairs = Map.groupBy(load ? await readPairs(db, repository, all, load.id) : [], ({ sbom }) => sbom)
  const scans = await scansOf(db, repository, wanted)
  const findings = Map.groupBy(await findingsOf(db, repository, [...scans.values()].flat()), ({ digest }) => digest)
  const counts = new Map<string, SeverityCounts>()
  for (const image of wanted) {
    const lists = load ? (sboms.get(image) ?? []) : []
    const reported = (scans.get(image) ?? []).filter(({ done_at }) => done_at !== null)
    if (lists.length === 0 && reported.length === 0) continue
    const listed = judge(lists.flatMap((sbom) => pairs.get(nameOf(sbom)) ?? []))
    const found = joinFound(
      listed,
      reported.flatMap(({ digest }) => findings.get(digest) ?? [])
    )
    counts.set(image, countsOf(found, beyondOf(reported)))
  }
  return counts
}
