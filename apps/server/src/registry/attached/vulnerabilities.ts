import { setImmediate as turn } from 'node:timers/promises'
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
/** Pairs of a package and an advisory that are read at once. */
const mostPairs = 50_000
/** Versions that are compared before others have a turn: some milliseconds. */
const mostInTurn = 500

type Compared = { ecosystem: string; ecosystem_version: string; ranges: Parameters<typeof matchVersion>[2]['ranges']; listed: boolean }
type Pair = Compared & {
  /** In which of the lists that are asked for the package is. */
  lists: number[]
  name: string
  version: string
  id: string
  aliases: string[]
  severity: Severity
  summary: string
}

const nameOf = ({ digest, n }: Pick<SbomRow, 'digest' | 'n'>) => `${digest} ${n}`

/** Every advisory about a package of some lists, whatever its version, once for all lists that have it: images of a repository have most in common. */
async function readPairs(db: Db, { account_id, repository_id }: Within, sboms: readonly SbomRow[], load_id: string): Promise<Pair[]> {
  const { rows } = await sql<Pair>`with part as (
      select array_agg(s.place::int - 1) as lists, p.name, p.version, p.ecosystem, p.ecosystem_name, p.ecosystem_version
      from unnest(${sboms.map(({ digest }) => digest)}::text[], ${sboms.map(({ n }) => n)}::int[]) with ordinality as s (digest, n, place)
      join registry_package p on p.account_id = ${account_id} and p.repository_id = ${repository_id} and p.digest = s.digest and p.n = s.n
      group by p.name, p.version, p.ecosystem, p.ecosystem_name, p.ecosystem_version)
    select p.lists, p.name, p.version, p.ecosystem, p.ecosystem_version, a.id, a.aliases, a.severity, a.summary, f.ranges,
      p.ecosystem_version = any(f.versions) as listed
    from part p
    join advisory_affected f on f.load_id = ${load_id} and f.ecosystem = p.ecosystem and f.name = p.ecosystem_name
    join advisory a on a.load_id = f.load_id and a.id = f.id
    limit ${mostPairs}`.execute(db)
  return rows
}

/** Those whose version is affected, with the version in which that ended. */
export async function* affectedOf<Of extends Compared>(pairs: readonly Of[]): AsyncGenerator<Of & { fixed_in: string | null }> {
  let compared = 0
  for (const pair of pairs) {
    const match = matchVersion(pair.ecosystem, pair.ecosystem_version, pair)
    if (match !== 'unknown' && match.affected) yield { ...pair, fixed_in: match.fixed_in }
    // The same process serves others, and advisories may say a great deal of what an image has.
    if ((compared += pair.ranges.reduce((sum, { events }) => sum + events.length, 1)) < mostInTurn) continue
    compared = 0
    await turn()
  }
}

/** What advisories say of some lists, by the list. */
async function findListed(db: Db, within: Within, sboms: readonly SbomRow[], load_id: string): Promise<Map<string, Vulnerability[]>> {
  const lists = [...new Map(sboms.map((sbom) => [nameOf(sbom), sbom])).values()]
  const pairs = await readPairs(db, within, lists, load_id)
  // There may be more, of any of them: of a part of the lists it is less.
  if (pairs.length === mostPairs && lists.length > 1) {
    const half = lists.length >> 1
    const first = await findListed(db, within, lists.slice(0, half), load_id)
    return new Map([...first, ...(await findListed(db, within, lists.slice(half), load_id))])
  }
  const found: Vulnerability[][] = lists.map(() => [])
  for await (const { lists: of, name, version, id, aliases, severity, summary, fixed_in } of affectedOf(pairs))
    for (const list of of) found[list]!.push({ id, aliases, severity, summary, package: name, version, fixed_in, found_by: ['packages'] })
  return new Map(lists.map((sbom, list) => [nameOf(sbom), found[list]!]))
}

/** One of an advisory, a package and its version, however often both name it. */
function onceEach(all: readonly Vulnerability[]): Vulnerability[] {
  const found = new Map<string, Vulnerability>()
  for (const each of all) {
    const key = `${each.id}\n${each.package}\n${each.version}`
    found.set(key, { ...each, fixed_in: found.get(key)?.fixed_in ?? each.fixed_in })
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
  const listed = isCompared ? await findListed(db, repository, sboms, load.id) : new Map<string, Vulnerability[]>()
  const found = joinFound(onceEach([...listed.values()].flat()), await findingsOf(db, repository, scans))
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
  const listed = load ? await findListed(db, repository, all, load.id) : new Map<string, Vulnerability[]>()
  const scans = await scansOf(db, repository, wanted)
  const findings = Map.groupBy(await findingsOf(db, repository, [...scans.values()].flat()), ({ digest }) => digest)
  const counts = new Map<string, SeverityCounts>()
  for (const image of wanted) {
    const lists = load ? (sboms.get(image) ?? []) : []
    const reported = (scans.get(image) ?? []).filter(({ done_at }) => done_at !== null)
    if (lists.length === 0 && reported.length === 0) continue
    const found = joinFound(
      onceEach(lists.flatMap((sbom) => listed.get(nameOf(sbom)) ?? [])),
      reported.flatMap(({ digest }) => findings.get(digest) ?? [])
    )
    counts.set(image, countsOf(found, beyondOf(reported)))
  }
  return counts
}
