import { sql } from 'kysely'
import type { PoolDownload, RolloutDownload } from '@masthead/contract/alpon-fleets/rollout'
import { listDataPools } from '@masthead/contract/datapools/operations'
import { getRepository } from '@masthead/contract/registry/operations'
import { leftInPools } from '../../datapools/index.ts'
import { missingOf } from './pool-shares.ts'
import { actorMay, type Actor, type Db } from '../../kernel/app.ts'

/**
 * So many devices, alike in their processor, in whether they use the cellular network, in the images that they run (as `repository@digest`), and in the data
 * pools that they draw from, in the order in which data is taken.
 */
type DeviceGroup = {
  devices: number
  architecture: string | null
  cellular: boolean
  pool_ids: readonly string[]
  has: readonly string[]
}

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
  if (!actorMay(actor, getRepository.access)) return null
  const wanted = [...new Set(images)].map((image) => ({ image, digest: image.split('@')[1] ?? null }))
  const lackedBy = ({ has }: DeviceGroup) => {
    const digests = new Set(has.map(digestOf))
    return wanted.filter(({ digest }) => digest === null || !digests.has(digest))
  }
  const lacking = groups.filter((group) => lackedBy(group).length > 0)
  const blobsOf = await findBlobs(db, actor.account_id, wanted, lacking)
  const unknown = new Set<string>()
  const byPools = new Map<string, Download>()
  const elsewhere = { devices: 0, bytes: 0, incomplete: false }
  for (const group of lacking) {
    const { architecture, cellular, has, pool_ids, devices } = group
    const there = new Set(has.flatMap((image) => Object.keys(blobsOf(digestOf(image), architecture) ?? {})))
    const needed: Record<string, number> = {}
    const pools = pool_ids.join(' ')
    const known = cellular ? (byPools.get(pools) ?? { pool_ids, devices: 0, bytes: 0, incomplete: false }) : null
    if (known) byPools.set(pools, known)
    const download = known ?? elsewhere
    for (const { image, digest } of lackedBy(group)) {
      const blobs = digest === null ? null : blobsOf(digest, architecture)
      if (blobs) Object.assign(needed, blobs)
      else {
        unknown.add(image)
        download.incomplete = true
      }
    }
    download.devices += devices
    for (const [blob, bytes] of Object.entries(needed)) if (!there.has(blob)) download.bytes += bytes * devices
  }
  const byCellular = [...byPools.values()]
  const all = [...byCellular, elsewhere]
  return {
    devices: all.reduce((sum, { devices }) => sum + devices, 0),
    bytes: all.reduce((sum, { bytes }) => sum + bytes, 0),
    unknown_images: [...unknown].toSorted(),
    elsewhere,
    pools: actorMay(actor, listDataPools.access) ? await withPools(db, actor.account_id, byCellular) : null,
  }
}

/** What these images, each named with its digest, take on a processor; null where one is not known in full. Null for whom may not see the registry. */
export async function sizesOf(
  db: Db,
  actor: Actor,
  images: readonly string[],
  architectures: readonly (string | null)[]
): Promise<(architecture: string | null) => number | null> {
  if (!actorMay(actor, getRepository.access)) return () => null
  const wanted = images.map((image) => ({ image, digest: image.split('@')[1] ?? null }))
  const groups = architectures.map((architecture) => ({ devices: 1, architecture, cellular: true, pool_ids: [], has: [] }))
  const blobsOf = await findBlobs(db, actor.account_id, wanted, groups)
  return (architecture) => {
    const parts = wanted.map(({ digest }) => (digest === null ? null : blobsOf(digest, architecture)))
    return parts.includes(null) ? null : sizeOf({ blobs: Object.assign({}, ...parts) as Blobs })
  }
}

type Download = Omit<PoolDownload, 'pool' | 'others' | 'missing_bytes'> & { pool_ids: readonly string[] }

async function withPools(db: Db, account_id: string, downloads: readonly Download[]): Promise<PoolDownload[]> {
  const ids = [...new Set(downloads.flatMap(({ pool_ids }) => pool_ids))]
  const pools = new Map((await leftInPools(db, account_id, ids)).map((pool) => [pool.id, pool]))
  const missing = missingOf(downloads, new Map([...pools].map(([id, { remaining_bytes }]) => [id, remaining_bytes])))
  return downloads
    .map(({ pool_ids, ...download }, nth) => {
      const [pool = null, ...others] = pool_ids.flatMap((id) => pools.get(id) ?? [])
      return { pool, others, ...download, missing_bytes: missing[nth]! }
    })
    .toSorted((one, other) => other.bytes - one.bytes || other.devices - one.devices)
}

/** Bytes by digest. */
type Blobs = Readonly<Record<string, number>>
/** `architecture`: null where there is one image for whatever device. */
type Part = { image: string; architecture: string | null; blobs: Blobs }

/** The repository that an image names, whatever the device calls the registry. */
const repositoryOf = (image: string) => image.slice(image.indexOf('/') + 1).split(/[@:]/)[0]!
/** Of `repository@digest`. */
const digestOf = (named: string) => named.slice(named.lastIndexOf('@') + 1)

/**
 * What an image consists of on a processor, of images in the repositories of the account; null where that is not known. Where an index names several for a
 * processor, as for the variants of ARM, it is the largest.
 */
async function findBlobs(
  db: Db,
  account_id: string,
  wanted: readonly WantedImage[],
  groups: readonly DeviceGroup[]
): Promise<(digest: string, architecture: string | null) => Blobs | null> {
  const run = mostRunBy(groups)
  const digests = [...wanted.flatMap(({ digest }) => digest ?? []), ...run.map(digestOf)]
  const repositories = [...wanted.map(({ image }) => repositoryOf(image)), ...run.map((named) => named.slice(0, named.lastIndexOf('@')))]
  const architectures = [...new Set(groups.flatMap(({ architecture }) => architecture ?? []))]
  const { rows } = await sql<Part>`select image.digest as image,
      case when child.target is not null then part.platforms->0->>'architecture' end as architecture,
      json_object_agg(named.target, held.bytes) as blobs
    from registry_account own
      join registry_repository repository on repository.account_id = own.account_id
        and own.slug || '/' || repository.name = any(${[...new Set(repositories)]}::text[])
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

const sizeOf = ({ blobs }: Pick<Part, 'blobs'>) => Object.values(blobs).reduce((sum, bytes) => sum + bytes, 0)

function mostRunBy(groups: readonly DeviceGroup[]): string[] {
  const counts = new Map<string, number>()
  for (const { has, devices } of groups) for (const image of has) counts.set(image, (counts.get(image) ?? 0) + devices)
  return [...counts]
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, mostRun)
    .map(([image]) => image)
}
