import { sql } from 'kysely'
import { usageHour } from '@masthead/contract/developers/webhook'
import { newId } from '@masthead/contract/kernel/id'
import { keyScopeOf } from '@masthead/contract/kernel/operation'
import type { Permission } from '@masthead/contract/kernel/permission'
import { getTotalUsage } from '@masthead/contract/usage/operations'
import type { Reader } from '../../activities/index.ts'
import { actorMay, type App, type Db, type Tx } from '../../kernel/app.ts'
import { eachOf } from '../../kernel/jobs/each-of.ts'
import { findCompleteUntil, simSeen, totalBytes, usageRows, type Period } from '../../usage/index.ts'
import { isFull } from './add-deliveries.ts'
import { makerOf, receivedBy } from './webhook-maker.ts'

/** SIMs of one delivery: its body stays below 64 KB. */
const mostSims = 400
const hourMs = 3_600_000
/** From the end of an hour: most late reports have come. */
const sentAfter = 6 * 60_000
/** What nobody sent for so long, as no worker ran, is left out. */
const longestBehind = 48 * hourMs
const rowsAtOnce = 1000

/** What whoever answers for a webhook must hold, besides what any of them needs. */
export const usageScope = keyScopeOf(getTotalUsage) as Permission
export const seesUsage = (reader: Pick<Reader, 'permissions'>): boolean => actorMay(reader, usageScope)

type Key = { account_id: string; id: string }

/** Puts each hour that is over, and counted, into the log of the webhooks that send usage. */
export async function addUsageHours({ db, clock }: App): Promise<void> {
  const at = clock.now()
  const ended = new Date(Math.floor((at.getTime() - sentAfter) / hourMs) * hourMs)
  const complete_until = await findCompleteUntil(db)
  if (complete_until === null || Date.parse(complete_until) < ended.getTime()) return
  const webhooks = await db
    .selectFrom('webhook')
    .select(['account_id', 'id'])
    .where('disabled_at', 'is', null)
    .where(sql<boolean>`${usageHour} = any(events)`)
    .where(({ or, eb }) => or([eb('usage_until', 'is', null), eb('usage_until', '<', ended)]))
    .execute()
  await eachOf(webhooks, async (webhook) => {
    while (await db.transaction().execute((tx) => addHour(tx, webhook, ended, at)));
  })
}

/** The next hour of a webhook, a delivery for each some hundred SIMs of which one used data. True when there is another hour. */
async function addHour(tx: Tx, { account_id, id }: Key, ended: Date, at: Date): Promise<boolean> {
  const own = tx.selectFrom('webhook').where('account_id', '=', account_id).where('id', '=', id).where('disabled_at', 'is', null)
  const locked = await own.select(['tags', 'usage_until']).forUpdate().executeTakeFirst()
  if (!locked) return false
  // It begins with the hour that runs.
  const begins = locked.usage_until?.getTime() ?? Math.floor(at.getTime() / hourMs) * hourMs
  const start = new Date(Math.max(begins, ended.getTime() - longestBehind))
  const end = new Date(start.getTime() + hourMs)
  const isOver = end <= ended
  if (isOver) {
    const { maker } = await own.select(makerOf).executeTakeFirstOrThrow()
    const receives = receivedBy(locked.tags, maker, at)
    if (!('ended' in receives) && seesUsage(receives)) await addPieces(tx, { account_id, id }, receives.tags, { start, end }, at)
  }
  await tx
    .updateTable('webhook')
    .set({ usage_until: isOver ? end : start })
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .execute()
  return isOver && end < ended
}

async function addPieces(tx: Tx, { account_id, id: webhook_id }: Key, tags: readonly string[], hour: Period, at: Date): Promise<void> {
  const viewer = { account_id, tags }
  const { rows: pieces } = await sql<{ first: string; last: string }>`
    with numbered as materialized (select id, (row_number() over (order by id) - 1) / ${sql.lit(mostSims)} as piece from sim
      where account_id = ${account_id} and ${simSeen(viewer, sql`id`)}),
    used as materialized (select distinct sim_id from (${usageRows(viewer, hour)}) u where ${totalBytes('u')} > 0)
    select min(id) as first, max(id) as last from numbered left join used on used.sim_id = numbered.id
    group by piece having count(used.sim_id) > 0 order by piece`.execute(tx)
  if (pieces.length === 0) return
  const full = await isFull(tx, account_id, webhook_id)
  const deliveries = pieces.map(({ first, last }) => ({
    account_id,
    id: newId('delivery', at.getTime()),
    webhook_id,
    event_id: pieceId({ hour: hour.start, first, last }),
    type: usageHour,
    state: full ? ('failed' as const) : ('waiting' as const),
    created_at: at,
    due_at: full ? null : at,
    done_at: full ? at : null,
  }))
  for (let from = 0; from < deliveries.length; from += rowsAtOnce)
    await tx
      .insertInto('webhook_delivery')
      .values(deliveries.slice(from, from + rowsAtOnce))
      .onConflict((conflict) => conflict.columns(['account_id', 'webhook_id', 'event_id']).doNothing())
      .execute()
}

type Piece = { hour: Date; first: string; last: string }

/** In place of an event's id: so each piece is sent once, and a sender of an earlier release finds no event that it may read, and leaves it to others. */
const pieceId = ({ hour, first, last }: Piece) => `${usageHour} ${hour.toISOString()} ${first} ${last}`
function pieceOf(id: string): Piece {
  const [, hour, first, last] = id.split(' ') as [string, string, string, string]
  return { hour: new Date(hour), first, last }
}

/** The JSON of a piece: what each of its SIMs used in the hour, as far as that is known when it is sent. */
export async function usageBody(db: Db, reader: Pick<Reader, 'account_id' | 'tags'>, event_id: string): Promise<string> {
  const { hour, first, last } = pieceOf(event_id)
  const period = { start: hour, end: new Date(hour.getTime() + hourMs) }
  const { account_id } = reader
  const { rows: sims } = await sql<{ asset_id: string; iccid: string; bytes_up: number; bytes_down: number }>`
    select s.asset_id, s.iccid, u.bytes_up, u.bytes_down from sim s cross join lateral (
      select sum(r.bytes_up) as bytes_up, sum(r.bytes_down) as bytes_down from (${usageRows(reader, period, { only: sql<boolean>`sim_id = s.id` })}) r) u
    where s.account_id = ${account_id} and s.id >= ${first} and s.id <= ${last} and ${simSeen(reader, sql`s.id`)} and ${totalBytes('u')} > 0
    order by s.id`.execute(db)
  const data = { account_id, hour: period.start.toISOString(), sims }
  return JSON.stringify({ type: usageHour, timestamp: period.end.toISOString(), data })
}
