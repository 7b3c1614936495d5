import { sql } from 'kysely'
import { simBlocked, simUnblocked } from '@masthead/contract/assets/events'
import type { SimBlock } from '@masthead/contract/assets/sim'
import { formatBytes } from '@masthead/contract/usage/bytes'
import { type App, type Db, type Tx, systemActor } from '../kernel/app.ts'
import { record } from '../kernel/record.ts'
import { beginEnforcement, bothWays, endEnforcement, measureEnforcements } from '../usage/index.ts'
import { monthOf, nextMonth } from './reading.ts'

/** Blocks a SIM whose month has reached its limit. Does nothing when that is no longer so, or when it is blocked for it already. */
export async function blockAtLimit(tx: Tx, account_id: string, sim_id: string, at: Date): Promise<void> {
  const sim = await tx
    .selectFrom('sim')
    .select(['iccid', 'asset_id', 'limit_bytes', 'blocks'])
    .where('account_id', '=', account_id)
    .where('id', '=', sim_id)
    .forNoKeyUpdate() // others keep the SIM where it is meanwhile
    .executeTakeFirst()
  if (!sim || sim.limit_bytes === null || sim.blocks.some((block) => block.code === 'data_limit')) return
  const counter = await tx
    .selectFrom('sim_counter')
    .select(['period_start', 'bytes_up', 'bytes_down'])
    .where('account_id', '=', account_id)
    .where('sim_id', '=', sim_id)
    .executeTakeFirstOrThrow()
  const used = counter.bytes_up + counter.bytes_down
  if (used < sim.limit_bytes || counter.period_start < monthOf(at.getTime())) return
  const block: SimBlock = {
    code: 'data_limit',
    since: at.toISOString(),
    by: 'system',
    words: `Used ${formatBytes(used)} of ${formatBytes(sim.limit_bytes)} this month`,
    clears: `On ${dayInWords(nextMonth(counter.period_start))}, 00:00 UTC, or when the limit is raised`,
  }
  await tx
    .updateTable('sim')
    .set({ blocks: JSON.stringify([...sim.blocks, block]) })
    .where('account_id', '=', account_id)
    .where('id', '=', sim_id)
    .execute()
  const { asset_id, limit_bytes } = sim
  await beginEnforcement(tx, { account_id, sim_id, asset_id, period_start: counter.period_start, limit_bytes, used_bytes: used, at })
  const { name } = await tx
    .selectFrom('asset')
    .select('name')
    .where('account_id', '=', account_id)
    .where('id', '=', sim.asset_id)
    .executeTakeFirstOrThrow()
  await record(tx, systemActor(account_id, at), simBlocked, {
    sim_id,
    iccid: sim.iccid,
    asset_id: sim.asset_id,
    asset_name: name,
    code: 'data_limit',
    words: block.words,
  })
}

const dayInWords = (day: Date) => day.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' })

type SimOf = { account_id: string; id: string }

/** Measures how limits hold, and lifts their blocks where the month they were of is over, or the limit is no longer reached. */
export async function clearDataLimits(app: App): Promise<void> {
  const at = app.clock.now()
  await app.db.transaction().execute((tx) => measureEnforcements(tx))
  for (const sim of await overBlocked(app.db, at, null)) {
    await app.db.transaction().execute((tx) => unblockBelowLimit(tx, sim, at))
  }
}

/** Lifts a data limit's block when the month it was of is over, or the limit is no longer reached. */
export async function unblockBelowLimit(tx: Tx, sim: SimOf, at: Date): Promise<void> {
  const locked = await tx
    .selectFrom('sim')
    .select(['blocks', 'iccid', 'asset_id'])
    .where('account_id', '=', sim.account_id)
    .where('id', '=', sim.id)
    .forNoKeyUpdate() // others keep the SIM where it is meanwhile
    .executeTakeFirst()
  if (!locked || (await overBlocked(tx, at, sim)).length === 0) return
  await unblock(tx, sim, locked, at)
}

/** SIMs with a data limit's block that have not used up this month's limit; `only` looks at one. */
async function overBlocked(db: Db, at: Date, only: SimOf | null): Promise<SimOf[]> {
  const which = only ? sql`s.account_id = ${only.account_id} and s.id = ${only.id}` : sql`true`
  const { rows } = await sql<SimOf>`select s.account_id, s.id from sim s
    left join sim_counter c on c.account_id = s.account_id and c.sim_id = s.id and c.period_start >= ${monthOf(at.getTime())}::date
    where ${which} and s.blocks <> '[]' and s.blocks @> '[{"code":"data_limit"}]'
      and (s.limit_bytes is null or coalesce(${bothWays('c')}, 0) < s.limit_bytes)`.execute(db)
  return rows
}

type Locked = { blocks: { code: string }[]; iccid: string; asset_id: string }

async function unblock(tx: Tx, { account_id, id }: SimOf, { blocks, iccid, asset_id }: Locked, at: Date): Promise<void> {
  await tx
    .updateTable('sim')
    .set({ blocks: JSON.stringify(blocks.filter((block) => block.code !== 'data_limit')) })
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .execute()
  const { name } = await tx
    .selectFrom('asset')
    .select('name')
    .where('account_id', '=', account_id)
    .where('id', '=', asset_id)
    .executeTakeFirstOrThrow()
  await endEnforcement(tx, { account_id, sim_id: id }, at)
  const detail = { asset_id, asset_name: name, sim_id: id, iccid, code: 'data_limit' as const }
  await record(tx, systemActor(account_id, at), simUnblocked, detail)
}
