import type { Page, PageQuery } from '@masthead/contract/kernel/page'
import { notFound, Problem } from '@masthead/contract/kernel/problem'
import type { DeployedImage, Image, ImageConfig } from '@masthead/contract/registry/image'
import { patternFor } from '@masthead/contract/registry/removal'
import { listDeployed, type OwnHosts } from '../devices/agent/index.ts'
import type { Actor, Db } from '../kernel/app.ts'
import { listAttached } from './attached/attached-to.ts'
import { asSbom, findSboms } from './attached/sboms.ts'
import { listSignatures } from './attached/signatures.ts'
import { immutableOf, withoutSlug } from './content/immutable.ts'
import { findManifest } from './content/manifests.ts'
import { platformOf } from './content/read-manifest.ts'
import type { Repository } from './content/repository.ts'
import { isDigest } from './protocol/address.ts'
import { getRepositoryHere } from './repository-here.ts'

/** A descriptor of a manifest that was checked when it came. */
type Named = { digest: string; mediaType: string; size: number; platform?: unknown }

/** What an image is, from its manifest and what its configuration said when it came. Throws not_found. */
export async function getImage(db: Db, actor: Actor, asked: string, digest: string): Promise<Image> {
  const repository = await getRepositoryHere(db, actor, asked)
  const found = isDigest(digest) ? await findManifest(db, repository, digest) : null
  if (!found) throw new Problem(notFound)
  const raw = found.content.toString('utf8')
  const immutable = patternFor(await immutableOf(db, repository.account_id), withoutSlug(repository.name))
  const { layers = [], manifests = [] } = JSON.parse(raw) as { layers?: Named[]; manifests?: Named[] }
  return {
    repository_id: repository.repository_id,
    repository: repository.name,
    digest,
    media_type: found.media_type,
    artifact_type: found.artifact_type,
    size_bytes: found.size_bytes,
    pushed_at: found.pushed_at.toISOString(),
    pushed_by: found.pushed_by,
    pulled_at: found.pulled_at?.toISOString() ?? null,
    pulls: found.pulls,
    tags: (await within(db, repository).tags(digest)).map((tag) => ({ ...tag, immutable: immutable(tag.name) })),
    platforms: found.platforms,
    manifests: await within(db, repository).children(manifests),
    config: found.image && { ...found.image, created_at: plainTime(found.image.created_at) },
    layers: withLines(layers, found.image),
    annotations: found.annotations,
    referrers: (await listAttached(db, repository, digest)).map((row) => ({ ...row, pushed_at: row.pushed_at.toISOString() })),
    sboms: (await findSboms(db, repository, [digest])).map(asSbom),
    ...(await listSignatures(db, repository, digest)),
    needed_by: await within(db, repository).indexes(digest),
    damaged: await within(db, repository).damaged(digest),
    raw,
  }
}

/** A year that is written with a sign is no time of an answer; images were kept with one before. */
const plainTime = (time: string | null) => (time !== null && /^\d/.test(time) ? time : null)

/** Where an image is deployed. Throws not_found. */
export async function listDeployedImage(
  db: Db,
  hosts: OwnHosts,
  actor: Actor,
  asked: string,
  digest: string,
  query: PageQuery
): Promise<Page<DeployedImage>> {
  const repository = await getRepositoryHere(db, actor, asked)
  if (!isDigest(digest) || !(await findManifest(db, repository, digest))) throw new Problem(notFound)
  const tags = (await within(db, repository).tags(digest)).map(({ name }) => name)
  return listDeployed(db, actor, { repository: repository.name, hosts, only: { tags, digest } }, query)
}

/** Each layer with the line of the build that made it: the lines that made one, in order. Others than layers make the lines unsure. */
function withLines(layers: Named[], image: ImageConfig | null): Image['layers'] {
  const lines = (image?.history ?? []).filter(({ empty }) => !empty)
  return layers.map(({ digest, mediaType, size }, n) => ({
    digest,
    media_type: mediaType,
    bytes: size,
    created_by: lines.length === layers.length ? lines[n]!.created_by : null,
  }))
}

function within(db: Db, { account_id, repository_id }: Repository) {
  const manifests = db.selectFrom('registry_manifest').where('account_id', '=', account_id).where('repository_id', '=', repository_id)
  return {
    tags: (digest: string) =>
      db
        .selectFrom('registry_tag')
        .select(['name', 'protected'])
        .where('account_id', '=', account_id)
        .where('repository_id', '=', repository_id)
        .where('digest', '=', digest)
        .orderBy('name')
        .execute(),
    children: async (named: Named[]): Promise<Image['manifests']> => {
      if (named.length === 0) return []
      const digests = named.map(({ digest }) => digest)
      const rows = await manifests.select(['digest', 'size_bytes', 'platforms']).where('digest', 'in', digests).execute()
      const known = new Map(rows.map((row) => [row.digest, row]))
      return named.map(({ digest, mediaType, size, platform }) => ({
        digest,
        media_type: mediaType,
        size_bytes: known.get(digest)?.size_bytes ?? size,
        platform: platformOf(platform)[0] ?? known.get(digest)?.platforms[0] ?? null,
      }))
    },
    damaged: async (digest: string): Promise<string[]> => {
      const named = (of: string[]) =>
        db
          .selectFrom('registry_reference')
          .select(['target', 'kind'])
          .distinct()
          .where('account_id', '=', account_id)
          .where('repository_id', '=', repository_id)
          .where('digest', 'in', of)
          .execute()
      const own = await named([digest])
      const children = own.flatMap(({ target, kind }) => (kind === 'manifest' ? [target] : []))
      const targets = [...own, ...(children.length > 0 ? await named(children) : [])].map(({ target }) => target)
      if (targets.length === 0) return []
      const rows = await db
        .selectFrom('registry_blob')
        .select('digest')
        .where('digest', 'in', targets)
        .where('damaged_at', 'is not', null)
        .orderBy('digest')
        .execute()
      return rows.map((row) => row.digest)
    },
    indexes: async (digest: string): Promise<string[]> => {
      const rows = await db
        .selectFrom('registry_reference')
        .select('digest')
        .where('account_id', '=', account_id)
        .where('repository_id', '=', repository_id)
        .where('target', '=', digest)
        .where('kind', '=', 'manifest')
        .orderBy('digest')
        .limit(200)
        .execute()
      return rows.map((row) => row.digest)
    },
  }
}
