import { sql } from 'kysely'
import type { PoolDownload, RolloutDownload } from '@masthead/contract/alpon-fleets/rollout'
import { leftInPools } from '../../datapools/index.ts'
import { actorMay, type Actor, type Db } from '../../kernel/app.ts'

/** So many devices, alike in their processor, in the digests of the images that they run, and in the data pool that they draw from. */
export type DeviceGroup = { devices: number; architecture: string | null; pool_id: string | null; has: readonly string[] }

type WantedImage = { image: string; digest: string | null }

/** Images that devices run are read for what they share with those that are wanted: at most so many, of the most devices. */
const mostRun = 100

/** What devices download to run these images, each named with its digest. Null where the actor may not see the registry. */
export async function downloadOf(
  db: Db,
  actor: Actor,
  images: readonly string[],
  groups: readonly DeviceGroup[]
): Promise<RolloutDownload | null> {
  if (!actorMay(actor, 'registry.view')) return null
  const wanted = [...new Set(images)].map((image) => ({ image, digest: image.split('@')[1] ?? null }))
  const lackedBy = ({ has }: DeviceGroup) => wanted.filter(({ digest }) => digest === null || !has.includes(digest))
  const lacking = groups.filter((group) => lackedBy(group).length > 0)
  const blobsOf = await findBlobs(db, actor.account_id, wanted, lacking)
  const unknown = new Set<string>()
  const byPool = new Map<string | null, Omit<PoolDownload, 'pool'>>()
  for (const group of lacking) {
    const { architecture, has, pool_id, devices } = group
    const there = new Set(has.flatMap((digest) => Object.keys(blobsOf(digest, architecture) ?? {})))
    const needed: Record<string, number> = {}
    const pool = byPool.get(pool_id) ?? { devices: 0, bytes: 0, incomplete: false }
    byPool.set(pool_id, pool)
    for (const { image, digest } of lackedBy(group)) {
      const blobs = digest === null ? null : blobsOf(digest, architecture)
      if (blobs) Object.assign(needed, blobs)
      else {
        unknown.add(image)
        pool.incomplete = true
      }
    }
    pool.devices += devices
    for (const [blob, bytes] of Object.entries(needed)) if (!there.has(blob)) pool.bytes += bytes * devices
  }
  const all = [...byPool.values()]
  return {
    devices: all.reduce((sum, { devices }) => sum + devices, 0),
    bytes: all.reduce((sum, { bytes }) => sum + bytes, 0),
    unknown_images: [...unknown].toSorted(),
    pools: actorMay(actor, 'datapools.view') ? await withPools(db, actor.account_id, byPool) : null,
  }
}

async function withPools(
  db: Db,
  account_id: string,
  byPool: ReadonlyMap<string | null, Omit<PoolDownload, 'pool'>>
): Promise<PoolDownload[]> {
  const ids = [...byPool.keys()].filter((id) => id !== null)
  const pools = new Map((await leftInPools(db, account_id, ids)).map((pool) => [pool.id, pool]))
  return [...byPool]
    .map(([id, download]) => ({ pool: id === null ? null : (pools.get(id) ?? null), ...download }))
    .toSorted((one, other) => other.bytes - one.bytes || other.devices - one.devices)
}

/** Bytes by digest. */
type Blobs = Readonly<Record<string, number>>
/** `architecture`: null where there is one image for whatever device. */
type Part = { image: string; architecture: string | null; blobs: Blobs }

/** The repository that an image names, whatever the device calls the registry. */
const repositoryOf = (image: string) => image.slice(image.indexOf('/') + 1).split(/[@:]/)[0]!

/**
 * What an image consists of on a processor, of images in the repositories of those that are wanted; null where that is not known. Where an index
 * names several for a processor, as for the variants of ARM, it is the largest.
 */
async function findBlobs(
  db: Db,
  account_id: string,
  wanted: readonly WantedImage[],
  groups: readonly DeviceGroup[]
): Promise<(digest: string, architecture: string | null) => Blobs | null> {
  const digests = [...wanted.flatMap(({ digest }) => digest ?? []), ...mostRunBy(groups)]
  const architectures = [...new Set(groups.flatMap(({ architecture }) => architecture ?? []))]
  const { rows } = await sql<Part>`select image.digest as image,
      case when child.target is not null then part.platforms->0->>'architecture' end as architecture,
      json_object_agg(named.target, held.bytes) as blobs
    from registry_account own
      join registry_repository repository on repository.account_id = own.account_id
        and own.slug || '/' || repository.name = any(${wanted.map(({ image }) => repositoryOf(image))}::text[])
      join registry_manifest image on image.account_id = own.account_id and image.repository_id = repository.id
        and image.digest = any(${[...new Set(digests)]}::text[])
      left join registry_reference child on child.account_id = image.account_id and child.repository_id = image.repository_id
        and child.digest = image.digest and child.kind = 'manifest'
      join registry_manifest part on part.account_id = image.account_id and part.repository_id = image.repository_id
        and part.digest = coalesce(child.target, image.digest)
      join registry_reference named on named.account_id = part.account_id and named.repository_id = part.repository_id
        and named.digest = part.digest and named.kind in ('config', 'layer')
      join registry_held held on held.account_id = part.account_id and held.repository_id = part.repository_id and held.digest = named.target
    where own.account_id = ${account_id} and (child.target is null
      or (part.platforms->0->>'os' = 'linux' and part.platforms->0->>'architecture' = any(${architectures}::text[])))
    group by image.repository_id, image.digest, child.target, part.platforms`.execute(db)
  const byImage = Map.groupBy(
    rows.toSorted((one, other) => sizeOf(other) - sizeOf(one)),
    ({ image }) => image
  )
  return (digest, architecture) =>
    byImage.get(digest)?.find((part) => part.architecture === null || part.architecture === architecture)?.blobs ?? null
}

const sizeOf = ({ blobs }: Part) => Object.values(blobs).reduce((sum, bytes) => sum + bytes, 0)

function mostRunBy(groups: readonly DeviceGroup[]): string[] {
  const counts = new Map<string, number>()
  for (const { has, devices } of groups) for (const digest of has) counts.set(digest, (counts.get(digest) ?? 0) + devices)
  return [...counts]
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, mostRun)
    .map(([digest]) => digest)
}
