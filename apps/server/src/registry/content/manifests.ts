import { sql } from 'kysely'
import { notFound, Problem } from '@masthead/contract/kernel/problem'
import { artifactAttached, imageDeleted, imagePushed, imageTagged, tagDeleted } from '@masthead/contract/registry/events'
import { imageNeeded, tagProtected } from '@masthead/contract/registry/problems'
import type { Actor, Db, Tx } from '../../kernel/app.ts'
import { record } from '../../kernel/record.ts'
import type { ImageConfig } from '@masthead/contract/registry/image'
import type { Caller } from '../protocol/caller.ts'
import { Refusal } from '../protocol/refusal.ts'
import { isDigest } from '../protocol/address.ts'
import { keepAttached, type Attached } from '../attached/read-attached.ts'
import { isForScanner, wantFirstScan } from '../scans/want-scans.ts'
import { isWhole } from './held.ts'
import { needMovable } from './immutable.ts'
import type { Platform, ReadManifest, Reference } from './read-manifest.ts'
import type { Repository } from './repository.ts'
import { sumOf } from './sum-of.ts'
import { lockQuota, needQuota } from './quota.ts'

const stillPushed = 3_600_000 // ms

type Pushed = {
  manifest: ReadManifest
  content: Buffer
  platforms: Platform[]
  image: ImageConfig | null
  attached: Attached
  tag: string | null
  /** Whether there is a scanner for what is pushed. */
  scans: boolean
}

/** Keeps a manifest of which everything is there, and has a tag name it. Throws MANIFEST_BLOB_UNKNOWN, SIZE_INVALID, DENIED. */
export async function pushManifest(
  tx: Tx,
  caller: Caller,
  repository: Repository,
  { manifest, content, platforms, image, attached, tag, scans }: Pushed
): Promise<void> {
  const { actor } = caller
  const { account_id, repository_id } = repository
  const within = { account_id, repository_id }
  const quota = await lockQuota(tx, account_id)
  const { digest, references } = manifest
  const size_bytes = sumOf([content.byteLength, await sizeOf(tx, repository, references, actor.at)])
  const known = await findManifest(tx, repository, digest)
  if (!known) needQuota(quota, content.byteLength)
  const pushed_by = madeBy(actor)
  await tx
    .insertInto('registry_manifest')
    .values({
      ...within,
      digest,
      media_type: manifest.mediaType,
      artifact_type: manifest.artifactType,
      subject: manifest.subject,
      content,
      bytes: content.byteLength,
      size_bytes,
      annotations: JSON.stringify(manifest.annotations),
      platforms: JSON.stringify(platforms),
      config: manifest.config,
      image: image && JSON.stringify(image),
      pushed_at: actor.at,
      pushed_by,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'repository_id', 'digest'])
        // The content is what the digest says: one that was damaged in the database is whole again.
        .doUpdateSet({ media_type: manifest.mediaType, content, pushed_at: actor.at, pushed_by })
    )
    .execute()
  if (references.length > 0)
    await tx
      .insertInto('registry_reference')
      .values(references.map(({ digest: target, kind }) => ({ ...within, digest, target, kind })))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  await keepAttached(tx, repository, digest, attached)
  if (scans && isForScanner(manifest, platforms)) await wantFirstScan(tx, { account_id, digest, at: actor.at })
  await tx
    .updateTable('registry_repository')
    .set({ pushed_at: actor.at, pushed_by })
    .where('account_id', '=', account_id)
    .where('id', '=', repository_id)
    .execute()
  if (tag !== null) await setTag(tx, actor, repository, { tag, digest, bytes: size_bytes, pushed: true })
  else if (manifest.subject && !known)
    await record(tx, actor, artifactAttached, {
      repository: repository.name,
      digest,
      subject: manifest.subject,
      artifact_type: manifest.artifactType ?? manifest.mediaType,
    })
}

/** What a manifest names must be in its repository; from now on it is wanted there. Answers the bytes of it all. */
async function sizeOf(tx: Tx, { account_id, repository_id, name }: Repository, references: Reference[], at: Date): Promise<number> {
  const digestsOf = (isManifest: boolean) =>
    references.filter(({ kind }) => (kind === 'manifest') === isManifest).map(({ digest }) => digest)
  const { rows: blobs } = await sql<{ digest: string; bytes: number; whole: number }>`update registry_held set held_at = ${at}
    where account_id = ${account_id} and repository_id = ${repository_id} and digest = any(${digestsOf(false)}::text[]) and ${isWhole}
    returning digest, bytes, bytes as whole`.execute(tx)
  const { rows: manifests } = await sql<{ digest: string; bytes: number; whole: number }>`select digest, bytes, size_bytes as whole
    from registry_manifest where account_id = ${account_id} and repository_id = ${repository_id}
    and digest = any(${digestsOf(true)}::text[]) for update`.execute(tx)
  const found = new Map([...blobs, ...manifests].map((each) => [each.digest, each]))
  const missing = references.filter(({ digest }) => !found.has(digest))
  if (missing.length > 0)
    throw new Refusal('MANIFEST_BLOB_UNKNOWN', `${name} has no ${missing[0]!.digest}, which the manifest names: push that first`, {
      detail: missing.slice(0, 20).map(({ digest }) => ({ digest })),
    })
  for (const { digest, size } of references)
    if (found.get(digest)!.bytes !== size)
      throw new Refusal('SIZE_INVALID', `The manifest says that ${digest} has ${size} bytes, and it has ${found.get(digest)!.bytes}`)
  // Indexes of indexes count what they share each time.
  return sumOf([...found.values()].map(({ whole }) => whole))
}

type Named = { tag: string; digest: string; bytes: number; /** With the manifest, or later. */ pushed: boolean }

const madeBy = ({ key, email }: Actor) => key?.name ?? email

const findTagForUpdate = (tx: Tx, { account_id, repository_id }: Pick<Repository, 'account_id' | 'repository_id'>, tag: string) =>
  tx
    .selectFrom('registry_tag')
    .select(['digest', 'protected'])
    .where('account_id', '=', account_id)
    .where('repository_id', '=', repository_id)
    .where('name', '=', tag)
    .forUpdate()
    .executeTakeFirst()

/** Has a tag name a manifest of its repository. Throws tag_protected where it is, and names another. */
export async function setTag(tx: Tx, actor: Actor, { account_id, repository_id, name }: Repository, { tag, digest, bytes, pushed }: Named) {
  const before = await findTagForUpdate(tx, { account_id, repository_id }, tag)
  if (before?.digest === digest) {
    // Rules of retention keep what was pushed lately, also where it is what it was.
    if (pushed)
      await tx
        .updateTable('registry_tag')
        .set({ pushed_at: actor.at, pushed_by: madeBy(actor) })
        .where('account_id', '=', account_id)
        .where('repository_id', '=', repository_id)
        .where('name', '=', tag)
        .execute()
    return
  }
  if (before?.protected) throw new Problem(tagProtected, `The tag ${tag} of ${name} is protected: it goes on naming what it names`)
  if (before) await needMovable(tx, { account_id, repository_id, name }, tag)
  const now = { digest, pushed_at: actor.at, pushed_by: madeBy(actor) }
  await tx
    .insertInto('registry_tag')
    .values({ account_id, repository_id, name: tag, ...now })
    .onConflict((conflict) => conflict.columns(['account_id', 'repository_id', 'name']).doUpdateSet(now))
    .execute()
  if (pushed) await record(tx, actor, imagePushed, { repository: name, tag, digest, bytes })
  else await record(tx, actor, imageTagged, { repository: name, tag, digest })
}

/** By its digest or a tag. */
export async function findManifest(db: Db, { account_id, repository_id }: Repository, reference: string) {
  const manifests = db
    .selectFrom('registry_manifest as m')
    .selectAll('m')
    .where('m.account_id', '=', account_id)
    .where('m.repository_id', '=', repository_id)
  const found = isDigest(reference)
    ? manifests.where('m.digest', '=', reference)
    : manifests
        .innerJoin('registry_tag as t', (join) =>
          join
            .onRef('t.account_id', '=', 'm.account_id')
            .onRef('t.repository_id', '=', 'm.repository_id')
            .onRef('t.digest', '=', 'm.digest')
        )
        .where('t.name', '=', reference)
  return (await found.executeTakeFirst()) ?? null
}

/** Throws MANIFEST_UNKNOWN. */
export async function getManifest(db: Db, repository: Repository, reference: string) {
  const found = await findManifest(db, repository, reference)
  if (!found) throw new Refusal('MANIFEST_UNKNOWN', `${repository.name} has no ${isDigest(reference) ? 'manifest' : 'tag'} ${reference}`)
  return found
}

/** With all its tags, which it answers. Throws not_found, tag_protected, and image_needed where an index names it. */
export async function deleteManifest(tx: Tx, actor: Actor, repository: Repository, digest: string): Promise<string[]> {
  const { account_id, repository_id, name } = repository
  const found = await tx
    .selectFrom('registry_manifest')
    .select('digest')
    .where('account_id', '=', account_id)
    .where('repository_id', '=', repository_id)
    .where('digest', '=', digest)
    .forUpdate()
    .executeTakeFirst()
  if (!found) throw new Problem(notFound)
  const parent = await tx
    .selectFrom('registry_reference')
    .select('digest')
    .where('account_id', '=', account_id)
    .where('repository_id', '=', repository_id)
    .where('target', '=', digest)
    .executeTakeFirst()
  if (parent) throw new Problem(imageNeeded, `The index ${parent.digest} of ${name} names this image: delete that first`)
  const tags = await tx
    .selectFrom('registry_tag')
    .select(['name', 'protected'])
    .where('account_id', '=', account_id)
    .where('repository_id', '=', repository_id)
    .where('digest', '=', digest)
    .orderBy('name')
    .execute()
  const kept = tags.find((each) => each.protected)
  if (kept) throw new Problem(tagProtected, `The tag ${kept.name} of ${name} is protected, and names this image`)
  await needMovable(tx, repository, ...tags.map((each) => each.name))
  const named = await tx
    .selectFrom('registry_reference')
    .select('target')
    .where('account_id', '=', account_id)
    .where('repository_id', '=', repository_id)
    .where('digest', '=', digest)
    .execute()
  await tx
    .deleteFrom('registry_manifest')
    .where('account_id', '=', account_id)
    .where('repository_id', '=', repository_id)
    .where('digest', '=', digest)
    .execute()
  // It counts no more at once; what somebody pushed or asked for just now may be for the next image, and goes later.
  const before = new Date(actor.at.getTime() - stillPushed)
  await sql`delete from registry_held h where account_id = ${account_id} and repository_id = ${repository_id} and held_at < ${before}
    and digest = any(${named.map(({ target }) => target)}::text[]) and not exists (select from registry_reference r
      where r.account_id = h.account_id and r.repository_id = h.repository_id and r.target = h.digest)`.execute(tx)
  await record(tx, actor, imageDeleted, { repository: name, digest, tags: tags.map((each) => each.name) })
  return tags.map((each) => each.name)
}

/** The name alone: what it names stays. Throws not_found and tag_protected. */
export async function deleteTag(tx: Tx, actor: Actor, repository: Repository, tag: string): Promise<void> {
  const { account_id, repository_id, name } = repository
  const found = await findTagForUpdate(tx, repository, tag)
  if (!found) throw new Problem(notFound)
  if (found.protected) throw new Problem(tagProtected, `The tag ${tag} of ${name} is protected`)
  await needMovable(tx, repository, tag)
  await tx
    .deleteFrom('registry_tag')
    .where('account_id', '=', account_id)
    .where('repository_id', '=', repository_id)
    .where('name', '=', tag)
    .execute()
  await record(tx, actor, tagDeleted, { repository: name, tag, digest: found.digest })
}
