import { sql } from 'kysely'
import { patternFor } from '@masthead/contract/registry/removal'
import { imagesOfFleets } from '../../alpon-fleets/index.ts'
import { anyOf, type Viewer } from '../../assets/index.ts'
import { keyOfImage, neededByDevices, repositoryOf } from '../../devices/agent/index.ts'
import { systemActor, type Db } from '../../kernel/app.ts'
import { immutableOf, withoutSlug } from '../content/immutable.ts'
import type { Repository } from '../content/repository.ts'

/** `immutable`: the pattern that makes it so. */
export type StandingTag = {
  name: string
  digest: string
  protected: boolean
  immutable: string | null
  pushed_at: Date
  pulled_at: Date | null
}
type Manifest = { subject: string | null; pushed_at: Date; pulled_at: Date | null; children: string[] }

/** A repository as it stands: what names what, and who needs it. Of a part of it: all that it says of the manifests of that part. */
export type Standing = {
  repository: Repository
  tags: StandingTag[]
  manifests: Map<string, Manifest>
  /** Which indexes name a manifest, and what is attached to it. */
  parents: Map<string, string[]>
  attached: Map<string, string[]>
  /** Devices and versions of fleets by what they need: a tag, or `@sha256:…`. */
  devices: Map<string, Set<string>>
  fleets: Map<string, Set<string>>
}

/** Some manifests with all that may go with them: what they name as indexes, and what is attached to them. */
async function withWhatMayGo(db: Db, { account_id, repository_id }: Repository, first: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ digest: string }>`with recursive near (digest) as (
      select unnest(${[...first]}::text[])
      union select next.digest from near cross join lateral (
        select r.target as digest from registry_reference r where r.account_id = ${account_id} and r.repository_id = ${repository_id}
          and r.digest = near.digest and r.kind = 'manifest'
        union all select m.digest from registry_manifest m where m.account_id = ${account_id} and m.repository_id = ${repository_id}
          and m.subject = near.digest) next)
    select digest from near`.execute(db)
  return rows.map(({ digest }) => digest)
}

/**
 * Read in one transaction that nobody pushes beside, it is what is deleted from. `first`: the part of the repository that may go where these manifests go; a
 * large one is not read whole for a few.
 */
export async function readStanding(db: Db, repository: Repository, at: Date, first?: readonly string[]): Promise<Standing> {
  const near = first && (await withWhatMayGo(db, repository, first))
  return (await readStandings(db, [repository], at, near))[0]!
}

/** The same of several repositories of an account; `near`: these manifests alone. */
export async function readStandings(db: Db, repositories: readonly Repository[], at: Date, near?: readonly string[]): Promise<Standing[]> {
  const [one] = repositories
  if (!one) return []
  const { account_id } = one
  const ids = anyOf(repositories.map(({ repository_id }) => repository_id))
  const tags = await db
    .selectFrom('registry_tag as t')
    .innerJoin('registry_manifest as m', (join) =>
      join.onRef('m.account_id', '=', 't.account_id').onRef('m.repository_id', '=', 't.repository_id').onRef('m.digest', '=', 't.digest')
    )
    .select([
      't.repository_id',
      't.name',
      't.digest',
      't.protected',
      't.pushed_at',
      'm.subject',
      'm.pushed_at as image_pushed_at',
      'm.pulled_at',
    ])
    .where('t.account_id', '=', account_id)
    .where('t.repository_id', '=', ids)
    .$if(near !== undefined, (all) => all.where('t.digest', '=', anyOf(near!)))
    .orderBy('t.pushed_at', 'desc')
    .orderBy('t.name', 'desc')
    .execute()
  // The others: of a large repository most have a tag.
  const untagged = await db
    .selectFrom('registry_manifest as m')
    .select(['m.repository_id', 'm.digest', 'm.subject', 'm.pushed_at', 'm.pulled_at'])
    .where('m.account_id', '=', account_id)
    .where('m.repository_id', '=', ids)
    .where(sql<boolean>`not exists (select from registry_tag t
      where t.account_id = m.account_id and t.repository_id = m.repository_id and t.digest = m.digest)`)
    .$if(near !== undefined, (all) => all.where('m.digest', '=', anyOf(near!)))
    .execute()
  const named = await db
    .selectFrom('registry_reference as r')
    .select(['r.repository_id', 'r.digest', 'r.target'])
    .where('r.account_id', '=', account_id)
    .where('r.repository_id', '=', ids)
    .where('r.kind', '=', 'manifest')
    .$if(near !== undefined, (all) => all.where('r.target', '=', anyOf(near!)))
    .execute()
  const immutable = await immutableOf(db, account_id)
  const standings = new Map(
    repositories.map((repository): [string, Standing] => [
      repository.repository_id,
      {
        repository,
        tags: [],
        manifests: new Map(),
        parents: new Map(),
        attached: new Map(),
        devices: new Map(),
        fleets: new Map(),
      },
    ])
  )
  const patterns = new Map(repositories.map(({ repository_id, name }) => [repository_id, patternFor(immutable, withoutSlug(name))]))
  for (const { repository_id, subject, image_pushed_at, ...tag } of tags) {
    const standing = standings.get(repository_id)!
    standing.tags.push({ ...tag, immutable: patterns.get(repository_id)!(tag.name) })
    put(standing, tag.digest, { subject, pushed_at: image_pushed_at, pulled_at: tag.pulled_at })
  }
  for (const { repository_id, digest, ...manifest } of untagged) put(standings.get(repository_id)!, digest, manifest)
  for (const { repository_id, digest, target } of named) {
    const standing = standings.get(repository_id)!
    push(standing.parents, target, digest)
    standing.manifests.get(digest)?.children.push(target)
  }
  const byName = new Map([...standings.values()].map((standing) => [standing.repository.name, standing]))
  for (const { repository, key, asset_id } of await neededByDevices(db, systemActor(account_id, at), [...byName.keys()]))
    add(byName.get(repository)!.devices, key, asset_id)
  for (const { fleet, version, image } of await imagesOfFleets(db, account_id, [...byName.keys()])) {
    const repository = repositoryOf(image)
    add(byName.get(repository)!.fleets, keyOfImage(image, repository)!, `version ${version} of the fleet ${fleet}`)
  }
  return [...standings.values()]
}

/** Of the devices that need what is named, those that somebody sees. */
export async function seenDevices(db: Db, viewer: Viewer, { devices, repository }: Standing): Promise<Standing['devices']> {
  if (viewer.tags.length === 0) return devices
  const seen = new Map<string, Set<string>>()
  for (const { key, asset_id } of await neededByDevices(db, viewer, [repository.name])) add(seen, key, asset_id)
  return seen
}

function put({ manifests, attached }: Standing, digest: string, manifest: Omit<Manifest, 'children'>) {
  if (manifests.has(digest)) return
  manifests.set(digest, { ...manifest, children: [] })
  if (manifest.subject) push(attached, manifest.subject, digest)
}
function push(map: Map<string, string[]>, key: string, value: string) {
  const known = map.get(key)
  if (known) known.push(value)
  else map.set(key, [value])
}
const add = (map: Map<string, Set<string>>, key: string, value: string) => map.set(key, (map.get(key) ?? new Set()).add(value))

/** The keys by which a tag's image is needed: its name, its digest, and those of the images that it names as an index. */
export const keysOf = ({ manifests }: Standing, { name, digest }: Pick<StandingTag, 'name' | 'digest'>): string[] => [
  name,
  ...keysOfDigest(manifests, digest),
]
const keysOfDigest = (manifests: Standing['manifests'], digest: string): string[] => [
  `@${digest}`,
  ...(manifests.get(digest)?.children ?? []).map((child) => `@${child}`),
]

/** Who needs what is under some keys. */
export function whoNeeds(map: ReadonlyMap<string, ReadonlySet<string>>, keys: readonly string[]): Set<string> {
  const who = new Set<string>()
  for (const key of keys) for (const each of map.get(key) ?? []) who.add(each)
  return who
}

/** Whether a device or a fleet needs a manifest by its digest. */
export const isNeeded = ({ manifests, devices, fleets }: Standing, digest: string): boolean =>
  keysOfDigest(manifests, digest).some((key) => devices.has(key) || fleets.has(key))
