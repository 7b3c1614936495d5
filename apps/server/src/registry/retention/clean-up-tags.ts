import { newId } from '@masthead/contract/kernel/id'
import type { Page, PageQuery } from '@masthead/contract/kernel/page'
import { cleanedUp } from '@masthead/contract/registry/events'
import {
  cleanUpId,
  keptCodes,
  type CleanUp,
  type CleanUpReport,
  type JudgedTag,
  type Judgement,
  type PreviewRetentionBody,
} from '@masthead/contract/registry/retention'
import { sql } from 'kysely'
import { systemActor, type Actor, type App, type Db, type Tx } from '../../kernel/app.ts'
import { pageByKey } from '../../kernel/http/page-by-key.ts'
import { record } from '../../kernel/record.ts'
import { lockRegistry } from '../content/quota.ts'
import { needSlug } from '../content/slug.ts'
import type { Repository } from '../content/repository.ts'
import { needService } from '../suspended.ts'
import type { Removal } from '../removal/plan-removal.ts'
import { freedBy, remove } from '../removal/remove.ts'
import { readStandings } from '../removal/standing.ts'
import { judgeRepository } from './judge-repository.ts'
import { getCleanUpRow, getRules, getScope, repositoriesOf, type Rules } from './retention-queries.ts'

const mostShown = 500
/** Manifests that are judged at once. */
const mostAtOnce = 20_000
const keptFor = 365 // days

type Planned = { judgement: Judgement; removals: { repository: Repository; removal: Removal }[] }

/** Repositories that are read at once: many small ones, or one that is large. */
async function inParts(db: Db, account_id: string, repositories: readonly Repository[]): Promise<Repository[][]> {
  const counted = await db
    .selectFrom('registry_manifest')
    .select(['repository_id', sql<number>`count(*)::int`.as('manifests')])
    .where('account_id', '=', account_id)
    .groupBy('repository_id')
    .execute()
  const sizes = new Map(counted.map(({ repository_id, manifests }) => [repository_id, manifests]))
  const parts: Repository[][] = []
  let room = 0
  for (const repository of repositories) {
    // What has no image costs its share all the same.
    const size = 1 + (sizes.get(repository.repository_id) ?? 0)
    if (parts.length === 0 || size > room) {
      parts.push([])
      room = mostAtOnce
    }
    parts.at(-1)!.push(repository)
    room -= size
  }
  return parts
}

/** What rules delete of some repositories at a time, and why each other tag stays. */
async function plan(db: Db, account_id: string, repositories: Repository[], rules: Rules, at: Date): Promise<Planned> {
  const removals: Planned['removals'] = []
  const counts = new Map<string, number>()
  const [going, staying]: [JudgedTag[], JudgedTag[]] = [[], []]
  const judgement = { tags: 0, images: 0, kept: 0 }
  const ruleOf = ({ repository_id }: Repository) => rules.get(repository_id) ?? rules.get(null)
  const ruled = repositories.filter(ruleOf)
  for (const some of await inParts(db, account_id, ruled))
    for (const standing of await readStandings(db, some, at)) {
      const { repository } = standing
      const { judged, removal } = judgeRepository(standing, ruleOf(repository)!, at)
      for (const { goes, why, ...tag } of judged) {
        const list = goes ? going : staying
        if (list.length < mostShown) list.push({ repository: repository.name, ...tag, why: why() })
        if (!goes) counts.set(tag.code, (counts.get(tag.code) ?? 0) + 1)
      }
      judgement.tags += removal.names.length
      judgement.images += removal.digests.length
      judgement.kept += judged.length - removal.names.length
      if (removal.names.length + removal.digests.length > 0) removals.push({ repository, removal })
    }
  const manifests = removals.flatMap(({ repository: { repository_id }, removal }) =>
    removal.digests.map((digest) => ({ repository_id, digest }))
  )
  const why_kept = keptCodes.flatMap((code) => (counts.has(code) ? [{ code, count: counts.get(code)! }] : []))
  const [freed_bytes] = await freedBy(db, account_id, [manifests], at)
  return { judgement: { ...judgement, why_kept, going, staying, freed_bytes: freed_bytes! }, removals }
}

/** Whoever sees some assets alone reads of the others neither how many there are nor what their fleets are called. */
const seenBy = <Shown extends Judgement>({ tags }: Pick<Actor, 'tags'>, judgement: Shown): Shown =>
  tags.length === 0
    ? judgement
    : {
        ...judgement,
        staying: judgement.staying.map((tag) =>
          tag.code === 'deployed' || tag.code === 'fleet'
            ? { ...tag, why: tag.code === 'fleet' ? 'It is needed for a fleet' : 'It is deployed' }
            : tag
        ),
      }

/** What a rule would delete now. Throws not_found. */
export async function previewRetention(db: Db, actor: Actor, { repository, rule }: PreviewRetentionBody): Promise<Judgement> {
  const { account_id, at } = actor
  const scope = await getScope(db, actor, repository)
  const rules = new Map(await getRules(db, account_id)).set(scope?.repository_id ?? null, rule)
  const { judgement } = await plan(db, account_id, scope ? [scope] : await repositoriesOf(db, account_id), rules, at)
  return seenBy(actor, judgement)
}

/** Deletes what the rules of an account do not keep. Nobody of it pushes meanwhile. */
async function cleanUpAccount(tx: Tx, actor: Actor, started_by: string | null): Promise<CleanUpReport> {
  const { account_id, at } = actor
  await lockRegistry(tx, account_id)
  const { judgement, removals } = await plan(tx, account_id, await repositoriesOf(tx, account_id), await getRules(tx, account_id), at)
  for (const { repository, removal } of removals) await remove(tx, repository, removal, at)
  const { why_kept, going, staying, ...sums } = judgement
  const id = newId(cleanUpId, at.getTime())
  // A night that had nothing to delete is not recorded.
  if (started_by !== null || removals.length > 0) {
    await tx
      .insertInto('registry_clean_up')
      .values({ account_id, id, at, started_by, ...sums, report: JSON.stringify({ why_kept, going, staying }) })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    const { tags, images, freed_bytes: bytes, kept } = sums
    await record(tx, actor, cleanedUp, { clean_up_id: id, tags, images, bytes, kept })
  }
  return { id, at: at.toISOString(), started_by, ...judgement }
}

export async function cleanUpNow(tx: Tx, actor: Actor): Promise<CleanUpReport> {
  await needService(tx, actor)
  await needSlug(tx, actor.account_id, actor.at)
  return seenBy(actor, await cleanUpAccount(tx, actor, actor.email))
}

/** Each night: of every account with a rule, but those that are suspended. One that fails is tried in the next. */
export async function cleanUpTags({ db, clock, log }: Pick<App, 'db' | 'clock' | 'log'>): Promise<void> {
  const at = clock.now()
  const accounts = await db
    .selectFrom('registry_retention as t')
    .innerJoin('account', 'account.id', 't.account_id')
    .select('t.account_id')
    .distinct()
    .where('account.suspended_at', 'is', null)
    .execute()
  for (const { account_id } of accounts)
    await db
      .transaction()
      .execute((tx) => cleanUpAccount(tx, systemActor(account_id, at), null))
      .catch((error: unknown) => log.error({ err: error, account_id }, 'tags that no rule keeps could not be cleaned up'))
  const before = new Date(at.getTime() - keptFor * 86_400_000)
  await db.transaction().execute((tx) => tx.deleteFrom('registry_clean_up').where('at', '<', before).execute())
}

type Row = Omit<CleanUp, 'at'> & { at: Date }
const asCleanUp = ({ id, at, started_by, tags, images, freed_bytes, kept }: Row): CleanUp => ({
  id,
  started_by,
  tags,
  images,
  freed_bytes,
  kept,
  at: at.toISOString(),
})

export const listCleanUps = (db: Db, { account_id }: Actor, query: PageQuery): Promise<Page<CleanUp>> =>
  pageByKey(db, query, {
    name: 'clean_ups',
    all: db.selectFrom('registry_clean_up as c').where('c.account_id', '=', account_id),
    keys: [
      { of: sql.ref('c.at'), is: 'time' },
      { of: sql.ref('c.id'), is: 'text' },
    ],
    order: 'desc',
    rows: (page) => page.select(['c.id', 'c.at', 'c.started_by', 'c.tags', 'c.images', 'c.freed_bytes', 'c.kept']),
    items: (rows) => rows.map(asCleanUp),
  })

/** Throws not_found. */
export async function getCleanUp(db: Db, actor: Actor, id: string): Promise<CleanUpReport> {
  const row = await getCleanUpRow(db, actor, id)
  return seenBy(actor, { ...asCleanUp(row), ...row.report })
}
