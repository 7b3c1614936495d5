import { sql } from 'kysely'
import { Problem } from '@masthead/contract/kernel/problem'
import { imageDeleted } from '@masthead/contract/registry/events'
import { untaggedChanged } from '@masthead/contract/registry/problems'
import type { RemoveUntaggedBody, Untagged, UntaggedRemoved } from '@masthead/contract/registry/removal'
import type { Actor, Db, Tx } from '../../kernel/app.ts'
import { recordMany } from '../../kernel/record.ts'
import type { Repository } from '../content/repository.ts'
import { lockRegistry } from '../content/quota.ts'
import { getRepositoryHere } from '../repository-here.ts'
import { needService } from '../suspended.ts'
import { withoutTag, withWhatHangsOn } from './plan-removal.ts'
import { freedBy, remove, stillPushed } from './remove.ts'
import { isNeeded, readStanding, type Standing } from './standing.ts'

const pulledLately = 30 * 86_400_000 // ms
const eventsAtOnce = 2000

/** `first`: those that nothing leads to; `digests`: with what goes with them; `needed`: how many are kept for a device or a fleet. */
type Going = { first: string[]; digests: string[]; needed: number }

function judge(standing: Standing, at: Date): Going {
  const { tags, manifests } = standing
  const before = at.getTime() - stillPushed
  // An index is pushed after its images.
  const isNew = (digest: string) => manifests.get(digest)!.pushed_at.getTime() >= before
  const alone = withoutTag(standing).filter((digest) => !isNew(digest))
  const first = alone.filter((digest) => !isNeeded(standing, digest))
  const named = new Set(tags.map(({ digest }) => digest))
  const stays = (digest: string) => named.has(digest) || isNew(digest) || isNeeded(standing, digest)
  return { first, digests: withWhatHangsOn(standing, first, stays), needed: alone.length - first.length }
}

const inRepository = ({ repository_id }: Repository, digests: readonly string[]) => digests.map((digest) => ({ repository_id, digest }))

/** What deleting images without a tag would free. Throws not_found. */
export async function getUntagged(db: Db, actor: Actor, asked: string): Promise<Untagged> {
  const { account_id, at } = actor
  const repository = await getRepositoryHere(db, actor, asked)
  const standing = await readUntagged(db, repository, at)
  // Mostly there are none.
  if (standing.manifests.size === 0) return { images: 0, freed_bytes: 0, pulled_30_days: 0, needed: 0 }
  const { digests, needed } = judge(standing, at)
  const [freed_bytes] = await freedBy(db, account_id, [inRepository(repository, digests)], at)
  const since = at.getTime() - pulledLately
  return {
    images: digests.length,
    freed_bytes: freed_bytes!,
    pulled_30_days: digests.filter((digest) => (standing.manifests.get(digest)!.pulled_at?.getTime() ?? 0) >= since).length,
    needed,
  }
}

/**
 * The repository as it stands around the images that no tag leads to: those that `withoutTag` would find in all of it. The few that are attached to another are
 * found by the index of these, so that of all others nothing but their digests is read.
 */
async function readUntagged(db: Db, repository: Repository, at: Date): Promise<Standing> {
  const { account_id, repository_id } = repository
  const { rows } = await sql<{
    digest: string
  }>`select m.digest from registry_manifest m where m.account_id = ${account_id} and m.repository_id = ${repository_id}
    and not exists (select from registry_tag t
      where t.account_id = m.account_id and t.repository_id = m.repository_id and t.digest = m.digest)
    and not exists (select from registry_reference r
      where r.account_id = m.account_id and r.repository_id = m.repository_id and r.target = m.digest and r.kind = 'manifest')
    and not exists (select from registry_manifest a join registry_manifest s
        on s.account_id = a.account_id and s.repository_id = a.repository_id and s.digest = a.subject
      where a.account_id = m.account_id and a.repository_id = m.repository_id and a.digest = m.digest and a.subject is not null)`.execute(
    db
  )
  return readStanding(
    db,
    repository,
    at,
    rows.map(({ digest }) => digest)
  )
}

/** Deletes what `getUntagged` said. Throws not_found, untagged_changed where there are others by now, and registry_suspended. */
export async function removeUntagged(tx: Tx, actor: Actor, asked: string, { images }: RemoveUntaggedBody): Promise<UntaggedRemoved> {
  const { account_id, at } = actor
  await needService(tx, actor)
  const repository = await getRepositoryHere(tx, actor, asked)
  await lockRegistry(tx, account_id)
  const { first, digests } = judge(await readUntagged(tx, repository, at), at)
  if (digests.length !== images) throw new Problem(untaggedChanged)
  const [freed_bytes] = await freedBy(tx, account_id, [inRepository(repository, digests)], at)
  await remove(tx, repository, { names: [], digests }, at)
  const deleted = first.map((digest) => ({ repository: repository.name, digest, tags: [] }))
  for (let i = 0; i < deleted.length; i += eventsAtOnce) await recordMany(tx, actor, imageDeleted, deleted.slice(i, i + eventsAtOnce))
  return { images: digests.length, freed_bytes: freed_bytes! }
}
