import { notFound, Problem } from '@masthead/contract/kernel/problem'
import {
  immutableTagsSet,
  repositoryDeleted,
  slugChosen,
  tagProtected as tagProtectedEvent,
  tagUnprotected,
} from '@masthead/contract/registry/events'
import type { Registry, Tag } from '@masthead/contract/registry/image'
import { slugSettled, slugTaken, tagProtected } from '@masthead/contract/registry/problems'
import type { OwnHosts } from '../devices/agent/index.ts'
import type { Actor, Tx } from '../kernel/app.ts'
import { record } from '../kernel/record.ts'
import { immutableOf, needMovable } from './content/immutable.ts'
import { deleteManifest, deleteTag as deleteTagOf, findManifest, setTag } from './content/manifests.ts'
import { lockRegistry } from './content/quota.ts'
import { needSlug } from './content/slug.ts'
import { needService } from './suspended.ts'
import { isOwnDigest } from './protocol/address.ts'
import { getRegistry, getTag } from './registry-queries.ts'
import { withWhatHangsOn } from './removal/plan-removal.ts'
import { remove } from './removal/remove.ts'
import { isNeeded, readStanding } from './removal/standing.ts'
import { getRepositoryHere } from './repository-here.ts'

export async function chooseSlug(tx: Tx, actor: Actor, slug: string): Promise<Registry> {
  const { account_id, at } = actor
  const now = await getRegistry(tx, actor)
  if (now.slug === slug) return now
  if (!now.can_choose_slug) throw new Problem(slugSettled)
  const other = await tx
    .selectFrom('registry_account')
    .select('slug')
    .where('slug', '=', slug)
    .where('account_id', '!=', account_id)
    .executeTakeFirst()
  if (other) throw new Problem(slugTaken)
  await tx
    .insertInto('registry_account')
    .values({ account_id, slug, created_at: at })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ slug }))
    .execute()
  await record(tx, actor, slugChosen, { slug })
  return getRegistry(tx, actor)
}

/** Says which tags can be neither moved nor deleted, by patterns. Throws registry_suspended where one would be taken away. */
export async function setImmutableTags(tx: Tx, actor: Actor, patterns: string[]): Promise<Registry> {
  const { account_id, at } = actor
  const wanted = [...new Set(patterns)]
  await needSlug(tx, account_id, at)
  await lockRegistry(tx, account_id)
  const before = await immutableOf(tx, account_id)
  if (before.some((pattern) => !wanted.includes(pattern))) await needService(tx, actor)
  if (JSON.stringify(before) !== JSON.stringify(wanted)) {
    await tx.updateTable('registry_account').set({ immutable: wanted }).where('account_id', '=', account_id).execute()
    await record(tx, actor, immutableTagsSet, { patterns: wanted })
  }
  return getRegistry(tx, actor)
}

export async function deleteRepository(tx: Tx, actor: Actor, asked: string): Promise<void> {
  await needService(tx, actor)
  const { account_id, repository_id, name } = await getRepositoryHere(tx, actor, asked)
  // Nobody pushes meanwhile, and protects nothing that is not checked below.
  await lockRegistry(tx, account_id)
  const tags = await tx
    .selectFrom('registry_tag')
    .select(['name', 'protected'])
    .where('account_id', '=', account_id)
    .where('repository_id', '=', repository_id)
    .forUpdate()
    .execute()
  const kept = tags.find((tag) => tag.protected)
  await needMovable(tx, { account_id, repository_id, name }, ...tags.map((tag) => tag.name))
  if (kept) throw new Problem(tagProtected, `The tag ${kept.name} is protected: end that first`)
  await tx.deleteFrom('registry_repository').where('account_id', '=', account_id).where('id', '=', repository_id).execute()
  await record(tx, actor, repositoryDeleted, { repository: name, tags: tags.length })
}

export async function addTag(
  tx: Tx,
  hosts: OwnHosts,
  actor: Actor,
  asked: string,
  { tag, digest }: { tag: string; digest: string }
): Promise<Tag> {
  await needService(tx, actor)
  const repository = await getRepositoryHere(tx, actor, asked)
  // Not while others are deleted, the image among them.
  await lockRegistry(tx, actor.account_id)
  const found = await findManifest(tx, repository, digest)
  if (!found) throw new Problem(notFound)
  await setTag(tx, actor, repository, { tag, digest, bytes: found.size_bytes, pushed: false })
  return getTag(tx, hosts, actor, repository, tag)
}

export async function setTagProtection(
  tx: Tx,
  hosts: OwnHosts,
  actor: Actor,
  asked: string,
  tag: string,
  isProtected: boolean
): Promise<Tag> {
  const repository = await getRepositoryHere(tx, actor, asked)
  // Not while others are deleted, this one among them.
  await lockRegistry(tx, actor.account_id)
  const before = await getTag(tx, hosts, actor, repository, tag)
  if (before.protected === isProtected) return before
  if (!isProtected) await needService(tx, actor)
  const { account_id, repository_id, name } = repository
  await tx
    .updateTable('registry_tag')
    .set({ protected: isProtected })
    .where('account_id', '=', account_id)
    .where('repository_id', '=', repository_id)
    .where('name', '=', tag)
    .execute()
  await record(tx, actor, isProtected ? tagProtectedEvent : tagUnprotected, { repository: name, tag })
  return getTag(tx, hosts, actor, repository, tag)
}

export async function deleteTag(tx: Tx, actor: Actor, asked: string, tag: string): Promise<void> {
  await needService(tx, actor)
  await deleteTagOf(tx, actor, await getRepositoryHere(tx, actor, asked), tag)
}

/**
 * With all its tags; and with what it names as an index and what is attached to it, unless a tag, another index, a device or a fleet needs that. Throws not_found,
 * tag_protected, and image_needed where an index names it.
 */
export async function deleteImage(tx: Tx, actor: Actor, asked: string, digest: string): Promise<{ tags: string[]; images: number }> {
  await needService(tx, actor)
  const repository = await getRepositoryHere(tx, actor, asked)
  if (!isOwnDigest(digest)) throw new Problem(notFound)
  await lockRegistry(tx, actor.account_id)
  const standing = await readStanding(tx, repository, actor.at, [digest])
  const tags = await deleteManifest(tx, actor, repository, digest)
  const named = new Set(standing.tags.map((each) => each.digest))
  const more = withWhatHangsOn(standing, [digest], (each) => each !== digest && (named.has(each) || isNeeded(standing, each))).filter(
    (each) => each !== digest
  )
  await remove(tx, repository, { names: [], digests: more }, actor.at)
  return { tags, images: more.length }
}
