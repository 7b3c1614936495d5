import { sql, type Selectable } from 'kysely'
import { assetsChanged, simActivated, simDeactivated } from '@masthead/contract/assets/events'
import { defaultGroup } from '@masthead/contract/network-groups/network-group'
import { bulkProgressed } from '@masthead/contract/signals'
import { anyOf } from '../index.ts'
import { setSimStates } from '../service/index.ts'
import type { Actor, Tx } from '../../kernel/app.ts'
import type { Database } from '../../kernel/database/database.ts'
import { addJob } from '../../kernel/jobs/jobs.ts'
import { publish } from '../../kernel/live/publish.ts'
import { record, recordMany } from '../../kernel/record.ts'
import { getGroupByWord, moveSims } from '../../network-groups/index.ts'
import { tagAssets, untagAssets } from '../../tags/index.ts'
import { judge, simWork, told, type Judged, type Outcome, type Outcomes, type Work } from './outcome.ts'
import { stillAllowed } from './still-allowed.ts'

/** Which part of which change. */
export type Part = { account_id: string; bulk_id: string; part: number }

/** Does one part of a change, and sees to the next. A part that was done already is left alone, so it may be asked for twice. */
export async function changePart(tx: Tx, at: Date, { account_id, bulk_id, part }: Part): Promise<void> {
  const change = await tx
    .selectFrom('bulk_change')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('id', '=', bulk_id)
    .forUpdate()
    .executeTakeFirst()
  if (!change || change.finished_at || change.parts_done !== part) return
  const { asset_ids = [] } =
    (await tx
      .selectFrom('bulk_change_part')
      .select('asset_ids')
      .where('account_id', '=', account_id)
      .where('bulk_id', '=', bulk_id)
      .where('part', '=', part)
      .executeTakeFirst()) ?? {}
  // Who asked is not there any more; what they may see is as it was when they were.
  const actor: Actor = { ...change.actor, account_id, permissions: [], staff: [], at }
  if (!(await stillAllowed(tx, change, at))) return leaveRest(tx, actor, change)
  const work = simWork[change.action] ? switchSims : change.network_group ? setGroup : moveTags
  const judged = await work(tx, actor, change, asset_ids)
  const became = new Map(judged.map((one) => [one.asset_id, one.outcome]))
  await tx
    .updateTable('bulk_change_part')
    .set({ outcomes: asset_ids.map((id) => became.get(id)!) })
    .where('account_id', '=', account_id)
    .where('bulk_id', '=', bulk_id)
    .where('part', '=', part)
    .execute()
  await goOn(tx, actor, change, added(change.outcomes, judged))
}

type Change = Selectable<Database['bulk_change']>

/** Ends a change that may not go on: the assets it has not come to stay as they are. */
async function leaveRest(tx: Tx, actor: Actor, change: Change): Promise<void> {
  await tx
    .updateTable('bulk_change_part')
    .set({ outcomes: sql`array_fill('not_allowed'::text, array[cardinality(asset_ids)])` })
    .where('account_id', '=', change.account_id)
    .where('bulk_id', '=', change.id)
    .where('part', '>=', change.parts_done)
    .execute()
  await goOn(tx, actor, change, { ...change.outcomes, not_allowed: change.total - told(change.outcomes).total })
}

/** Keeps what has become of the assets so far, tells of it, and sees to the next part or the end. */
async function goOn(tx: Tx, actor: Actor, { account_id, id: bulk_id, ...change }: Change, outcomes: Outcomes): Promise<void> {
  const { total, changed } = told(outcomes)
  const ended = total >= change.total
  const part = change.parts_done + 1
  await tx
    .updateTable('bulk_change')
    .set({ parts_done: part, outcomes: JSON.stringify(outcomes), finished_at: ended ? actor.at : null })
    .where('account_id', '=', account_id)
    .where('id', '=', bulk_id)
    .execute()
  await publish(tx, account_id, bulkProgressed)
  if (!ended) return addJob(tx, 'change_assets', { account_id, bulk_id, part })
  const stopped = outcomes.not_allowed !== undefined
  // Of one asset its own event says all.
  if ((changed > 0 && total > 1) || stopped) {
    const tags = change.tags.map((tag) => tag.tag_name).join(', ')
    const group = change.network_group && { network_group_name: change.network_group.name }
    const done = { bulk_id, action: change.action, tags, ...group, total, changed, left: total - changed }
    await record(tx, actor, assetsChanged, { ...done, ...(stopped && { stopped }) })
  }
}

function added(outcomes: Outcomes, judged: readonly Judged[]): Outcomes {
  const sum = { ...outcomes }
  for (const { outcome } of judged) sum[outcome] = (sum[outcome] ?? 0) + 1
  return sum
}

const isChanged = ({ outcome }: Judged) => outcome === 'changed' || outcome === 'blocked'
const these = (ids: readonly string[]) => sql<{ id: string }>`select id from unnest(${ids}::text[]) as given (id)`

async function switchSims(tx: Tx, actor: Actor, work: Work, ids: readonly string[]): Promise<Judged[]> {
  const { judged, sims } = await judgeLocked(tx, actor, work, ids)
  const { state } = simWork[work.action]!
  await setSimStates(
    tx,
    actor,
    sims.map((sim) => sim.sim_id),
    state
  )
  await recordMany(tx, actor, state === 'active' ? simActivated : simDeactivated, sims)
  return judged
}

type LockedSim = Record<'asset_id' | 'asset_name' | 'sim_id' | 'iccid', string>

/** What is to become of SIMs, which nobody else changes until the transaction ends. */
async function judgeLocked(tx: Tx, actor: Actor, work: Work, ids: readonly string[]) {
  // The SIMs and never the assets first, as the meter does; in the order of their ids, so that two changes of the same never wait in a ring.
  await sql`select from asset join sim on sim.account_id = asset.account_id and sim.id = asset.sim_id
    where asset.account_id = ${actor.account_id} and asset.id = ${anyOf(ids)} order by sim.id for update of sim`.execute(tx)
  const judged = await judge(tx, actor, work, these(ids))
  return { judged, sims: judged.filter(isChanged).map(({ outcome: _, ...sim }) => sim as LockedSim) }
}

async function setGroup(tx: Tx, actor: Actor, work: Work, ids: readonly string[]): Promise<Judged[]> {
  const { judged, sims } = await judgeLocked(tx, actor, work, ids)
  // A group that was deleted since is the default one.
  const { id } = work.network_group!
  const group = await getGroupByWord(tx, actor, id, 'network_group').catch(() => getGroupByWord(tx, actor, defaultGroup, 'network_group'))
  await moveSims(tx, actor, sims, group)
  return judged
}

async function moveTags(tx: Tx, actor: Actor, work: Work, ids: readonly string[]): Promise<Judged[]> {
  const isRemoved = work.action === 'remove_tags'
  // Two that take different tags off the same asset must not together take it out of their sight.
  if (isRemoved && actor.tags.length > 0) {
    await sql`select from asset where account_id = ${actor.account_id} and id = ${anyOf(ids)} order by id for update`.execute(tx)
  }
  const judged = await judge(tx, actor, work, these(ids))
  const assets = judged.filter(isChanged).map(({ asset_id, asset_name }) => ({ asset_id, asset_name: asset_name! }))
  const touched = await (isRemoved ? untagAssets : tagAssets)(tx, actor, assets, work.tags)
  // Somebody else may have done the same since it was looked at.
  const became = (one: Judged): Outcome => (isChanged(one) && !touched.has(one.asset_id) ? 'already' : one.outcome)
  return judged.map((one) => ({ ...one, outcome: became(one) }))
}
