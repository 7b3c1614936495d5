import { sql } from 'kysely'
import { simUnblocked } from '@masthead/contract/assets/events'
import { systemActor, type App, type Tx } from '../kernel/app.ts'
import { record } from '../kernel/record.ts'
import { monthOf } from './month.ts'

type SimOf = { account_id: string; id: string }

/** Lifts the data limit's block where the month it was of is over, or the limit is no longer reached. */
export async function clearDataLimits(app: App): Promise<void> {
  const at = app.clock.now()
  for (const sim of await overBlocked(app.db, at, null)) {
    await app.db.transaction().execute(async (tx) => {
      const locked = await tx
        .selectFrom('sim')
        .select(['blocks', 'iccid', 'asset_id'])
        .where('account_id', '=', sim.account_id)
        .where('id', '=', sim.id)
        .forUpdate()
        .executeTakeFirst()
      if (!locked || (await overBlocked(tx, at, sim)).length === 0) return
      await unblock(tx, sim, locked, at)
    })
  }
}

/** SIMs with a data limit's block that have not used up this month's limit; `only` looks at one. */
async function overBlocked(db: App['db'], at: Date, only: SimOf | null): Promise<SimOf[]> {
  const which = only ? sql`s.account_id = ${only.account_id} and s.id = ${only.id}` : sql`true`
  const { rows } = await sql<SimOf>`select s.account_id, s.id from sim s
    left join sim_counter c on c.account_id = s.account_id and c.sim_id = s.id and c.period_start >= ${monthOf(at.getTime())}::date
    where ${which} and s.blocks <> '[]' and s.blocks @> '[{"code":"data_limit"}]'
      and (s.limit_bytes is null or coalesce(c.bytes_up + c.bytes_down, 0) < s.limit_bytes)`.execute(db)
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
  const detail = { asset_id, asset_name: name, sim_id: id, iccid, code: 'data_limit' as const }
  await record(tx, systemActor(account_id, at), simUnblocked, detail)
}
