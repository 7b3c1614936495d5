import { imageDeleted, tagDeleted } from '@masthead/contract/registry/events'
import { Problem } from '@masthead/contract/kernel/problem'
import { tagsChanged } from '@masthead/contract/registry/problems'
import {
  RemovalKind,
  type KeptTag,
  type RemovalPreview,
  type RemovalResult,
  type RemoveTagsBody,
  type TagChoice,
} from '@masthead/contract/registry/removal'
import { anyOf } from '../../assets/index.ts'
import type { Actor, Db, Tx } from '../../kernel/app.ts'
import { recordMany } from '../../kernel/record.ts'
import { lockRegistry } from '../content/quota.ts'
import type { Repository } from '../content/repository.ts'
import { namesOfTags } from '../registry-queries.ts'
import { getRepositoryHere } from '../repository-here.ts'
import { needService } from '../suspended.ts'
import { planRemoval, whyFixed, whyNeeded, type Removal } from './plan-removal.ts'
import { freedBy, remove } from './remove.ts'
import { isNeeded, keysOf, readStanding, seenDevices, whoNeeds, type Standing, type StandingTag } from './standing.ts'

const mostShown = 100
const eventsAtOnce = 2000

/** For so many tags only what may go with them is read; for more the whole repository, which is less work then. */
const readOneByOne = 1000

type Chosen = { tags: StandingTag[]; unknown: KeptTag[] }

/** The tags that were chosen, and the repository as it stands around them. */
async function choose(
  db: Db,
  repository: Repository,
  { names, search, except = [] }: TagChoice,
  at: Date
): Promise<{ standing: Standing; chosen: Chosen }> {
  const wanted = new Set(names ?? (await namesOfTags(db, repository, search)))
  for (const name of except) wanted.delete(name)
  const first = wanted.size <= readOneByOne ? await imagesOfTags(db, repository, [...wanted]) : undefined
  const standing = await readStanding(db, repository, at, first)
  const tags = standing.tags.filter(({ name }) => wanted.delete(name))
  const unknown = [...wanted].map((name) => ({ name, code: 'unknown' as const, why: 'There is no tag of this name any more' }))
  return { standing, chosen: { tags, unknown } }
}

const imagesOfTags = async (db: Db, { account_id, repository_id }: Repository, names: readonly string[]): Promise<string[]> =>
  (
    await db
      .selectFrom('registry_tag')
      .select('digest')
      .distinct()
      .where('account_id', '=', account_id)
      .where('repository_id', '=', repository_id)
      .where('name', '=', anyOf(names))
      .execute()
  ).map(({ digest }) => digest)

/** What goes of those chosen, and why each of the others stays. */
function judge(
  standing: Standing,
  { tags, unknown }: Chosen,
  what: RemovalKind,
  { tags: limits }: Pick<Actor, 'tags'>
): { removal: Removal; kept: KeptTag[] } {
  const kept = [...unknown]
  const going = tags.filter((tag) => {
    const why = whyFixed(tag) ?? (what === 'unused' ? whyNeeded(standing, tag, limits.length === 0) : null)
    if (why) kept.push(why)
    return !why
  })
  const keeps = (digest: string) => what !== 'all' && isNeeded(standing, digest)
  return {
    removal: planRemoval(
      standing,
      going.map(({ name }) => name),
      keeps
    ),
    kept,
  }
}

const asGoing = ({ repository: { repository_id } }: Standing, digests: readonly string[]) =>
  digests.map((digest) => ({ repository_id, digest }))

/** What deleting some tags would free, and what it would break. */
export async function previewRemoval(db: Db, actor: Actor, asked: string, choice: TagChoice): Promise<RemovalPreview> {
  const repository = await getRepositoryHere(db, actor, asked)
  const { standing, chosen } = await choose(db, repository, choice, actor.at)
  // Each deletes what those before it delete.
  const judged = RemovalKind.options.map((what) => judge(standing, chosen, what, actor))
  const before = new Set<string>()
  const steps = judged.map(({ removal }) => {
    const more = removal.digests.filter((digest) => !before.has(digest))
    for (const digest of more) before.add(digest)
    return asGoing(standing, more)
  })
  const freed = await freedBy(db, actor.account_id, steps, actor.at)
  const [unused, names_only, all] = judged.map(({ removal, kept }, step) => ({
    tags: removal.names.length,
    images: removal.digests.length,
    freed_bytes: freed[step]!,
    stay: kept.length,
    kept: kept.slice(0, mostShown),
  }))
  const movable = chosen.tags.filter((tag) => !whyFixed(tag))
  const keys = movable.flatMap((tag) => keysOf(standing, tag))
  const seen = whoNeeds(await seenDevices(db, actor, standing), keys)
  const names = new Set(chosen.tags.map(({ name }) => name))
  const firstOf = new Map(movable.toReversed().map(({ digest, name }) => [digest, name]))
  return {
    count: chosen.tags.length,
    names: chosen.tags.slice(0, mostShown).map(({ name }) => name),
    unused: unused!,
    names_only: names_only!,
    all: all!,
    devices: seen.size,
    more_devices: whoNeeds(standing.devices, keys).size > seen.size,
    // A name of a fleet is nothing for whoever sees some assets alone.
    fleets: actor.tags.length > 0 ? [] : [...whoNeeds(standing.fleets, keys)].slice(0, mostShown),
    others: standing.tags
      .filter(({ name, digest }) => !names.has(name) && firstOf.has(digest))
      .slice(0, mostShown)
      .map(({ name, digest }) => ({ name, same_as: firstOf.get(digest)! })),
  }
}

/** Deletes what the preview said. Throws tags_changed where others match by now. */
export async function removeTags(tx: Tx, actor: Actor, asked: string, { what, count, ...choice }: RemoveTagsBody): Promise<RemovalResult> {
  await needService(tx, actor)
  const repository = await getRepositoryHere(tx, actor, asked)
  await lockRegistry(tx, actor.account_id)
  const { standing, chosen } = await choose(tx, repository, choice, actor.at)
  if (!choice.names && chosen.tags.length !== count) throw new Problem(tagsChanged)
  const { removal, kept } = judge(standing, chosen, what, actor)
  const [freed_bytes] = await freedBy(tx, actor.account_id, [asGoing(standing, removal.digests)], actor.at)
  await remove(tx, repository, removal, actor.at)
  await recordRemoval(tx, actor, standing, removal)
  return { tags: removal.names.length, images: removal.digests.length, freed_bytes: freed_bytes!, kept }
}

/** An event for each image that had names, and one for each name whose image stays. */
async function recordRemoval(tx: Tx, actor: Actor, { repository, tags }: Standing, { names, digests }: Removal): Promise<void> {
  const [gone, going] = [new Set(digests), new Set(names)]
  const images = new Map<string, string[]>()
  const alone: { repository: string; tag: string; digest: string }[] = []
  for (const { name, digest } of tags) {
    if (!going.has(name)) continue
    if (gone.has(digest)) images.set(digest, [...(images.get(digest) ?? []), name])
    else alone.push({ repository: repository.name, tag: name, digest })
  }
  const deleted = [...images].map(([digest, of]) => ({ repository: repository.name, digest, tags: of }))
  for (let i = 0; i < deleted.length; i += eventsAtOnce) await recordMany(tx, actor, imageDeleted, deleted.slice(i, i + eventsAtOnce))
  for (let i = 0; i < alone.length; i += eventsAtOnce) await recordMany(tx, actor, tagDeleted, alone.slice(i, i + eventsAtOnce))
}
