import { sql } from 'kysely'
import { imagesOfFleets } from '../../alpon-fleets/index.ts'
import type { Viewer } from '../../assets/index.ts'
import { keyOfImage, neededByDevices } from '../../devices/agent/index.ts'
import { systemActor, type Db } from '../../kernel/app.ts'
import { immutableOf } from '../content/immutable.ts'
import type { Repository } from '../content/repository.ts'

export type StandingTag = { name: string; digest: string; protected: boolean; pushed_at: Date; pulled_at: Date | null }
type Manifest = { subject: string | null; pushed_at: Date; pulled_at: Date | null; children: string[] }

/** A repository as it stands: what names what, and who needs it. */
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
  immutable: readonly string[]
}

/** Read in one transaction that nobody pushes beside, it is what is deleted from. */
export async function readStanding(db: Db, repository: Repository, at: Date): Promise<Standing> {
  const { account_id, repository_id, name } = repository
  const tags = await db
    .selectFrom('registry_tag as t')
    .innerJoin('registry_manifest as m', (join) =>
      join.onRef('m.account_id', '=', 't.account_id').onRef('m.repository_id', '=', 't.repository_id').onRef('m.digest', '=', 't.digest')
    )
    .select(['t.name', 't.digest', 't.protected', 't.pushed_at', 'm.pulled_at'])
    .where('t.account_id', '=', account_id)
    .where('t.repository_id', '=', repository_id)
    .orderBy('t.pushed_at', 'desc')
    .orderBy('t.name', 'desc')
    .execute()
  const rows = await db
    .selectFrom('registry_manifest as m')
    .select(['m.digest', 'm.subject', 'm.pushed_at', 'm.pulled_at'])
    .select(
      sql<string[]>`array(select r.target from registry_reference r where r.account_id = m.account_id and r.repository_id = m.repository_id
        and r.digest = m.digest and r.kind = 'manifest')`.as('children')
    )
    .where('m.account_id', '=', account_id)
    .where('m.repository_id', '=', repository_id)
    .execute()
  const standing: Standing = {
    repository,
    tags,
    manifests: new Map(rows.map(({ digest, ...row }) => [digest, row])),
    parents: new Map(),
    attached: new Map(),
    devices: new Map(),
    fleets: new Map(),
    immutable: await immutableOf(db, account_id),
  }
  for (const { digest, subject, children } of rows) {
    for (const child of children) push(standing.parents, child, digest)
    if (subject) push(standing.attached, subject, digest)
  }
  const everybody = systemActor(account_id, at)
  for (const { key, asset_id } of await neededByDevices(db, everybody, name)) add(standing.devices, key, asset_id)
  for (const { fleet, version, image } of await imagesOfFleets(db, account_id)) {
    const key = keyOfImage(image, name)
    if (key !== null) add(standing.fleets, key, `version ${version} of the fleet ${fleet}`)
  }
  return standing
}

/** Of the devices that need what is named, those that somebody sees. */
export async function seenDevices(db: Db, viewer: Viewer, repository: string): Promise<Map<string, Set<string>>> {
  const seen = new Map<string, Set<string>>()
  for (const { key, asset_id } of await neededByDevices(db, viewer, repository)) add(seen, key, asset_id)
  return seen
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
export const whoNeeds = (map: ReadonlyMap<string, ReadonlySet<string>>, keys: readonly string[]): Set<string> =>
  new Set(keys.flatMap((key) => [...(map.get(key) ?? [])]))

/** Whether a device or a fleet needs a manifest by its digest. */
export const isNeeded = ({ manifests, devices, fleets }: Standing, digest: string): boolean =>
  keysOfDigest(manifests, digest).some((key) => devices.has(key) || fleets.has(key))
