import { simBlocked, simUnblocked } from '@masthead/contract/assets/events'
import type { SimBlock } from '@masthead/contract/assets/sim'
import { dayOf } from '@masthead/contract/kernel/time'
import { sql } from 'kysely'
import { addBlocks, clearBlocks, recordSims, type SimOf } from '../../assets/service/index.ts'
import type { App, Tx } from '../../kernel/app.ts'

const code = 'cost_cap'
const simsAtOnce = 500

/** What the data of a SIM `s` has cost on a day until now. What is reported once its month is closed is of another day. */
const spentOn = (day: string) => sql`(select coalesce(sum(c.charged_micros), 0)::bigint from charge c
    where c.account_id = s.account_id and c.sim_id = s.id and c.day = ${day}::date and not c.is_late)`
const isBlocked = sql`s.blocks <> '[]' and s.blocks @> '[{"code":"cost_cap"}]'`

/** Blocks and unblocks SIMs of an account, or of all, as what their data has cost today and the limits of their accounts say. May be repeated, and come late. */
export async function followCostCaps({ db, clock }: App, account_id: string | null = null): Promise<void> {
  const at = clock.now()
  for (let cleared = simsAtOnce; cleared === simsAtOnce;)
    cleared = await db.transaction().execute((tx) => unblockBelowCaps(tx, account_id, at))
  const today = sql`select distinct c.account_id, c.sim_id from balance_rule r join charge c on c.account_id = r.account_id and c.day = ${dayOf(at)}::date
    where r.sim_day_micros is not null ${account_id === null ? sql`` : sql`and r.account_id = ${account_id}`}`
  const { rows } = await sql<SimOf>`${today}`.execute(db)
  for (let start = 0; start < rows.length; start += simsAtOnce)
    await db.transaction().execute((tx) => blockAtCostCaps(tx, rows.slice(start, start + simsAtOnce), at))
}

/** Blocks those of some SIMs whose data has cost what a day of theirs may. */
export async function blockAtCostCaps(tx: Tx, sims: readonly SimOf[], at: Date): Promise<void> {
  if (sims.length === 0) return
  const { rows } = await sql<SimOf>`select account_id, sim_id from (
      select s.account_id, s.id as sim_id, r.sim_day_micros, ${spentOn(dayOf(at))} as spent_micros
      from (select distinct account_id, sim_id from unnest(${sims.map((sim) => sim.account_id)}::text[], ${sims.map((sim) => sim.sim_id)}::text[]) as k(account_id, sim_id)) k
        join balance_rule r on r.account_id = k.account_id and r.sim_day_micros is not null
        join sim s on s.account_id = k.account_id and s.id = k.sim_id and s.state <> 'terminated' and not s.blocks @> '[{"code":"cost_cap"}]') spent
    where spent_micros >= sim_day_micros order by 1, 2`.execute(tx)
  const block = blockOf(at)
  const blocked = await addBlocks(
    tx,
    rows.map((sim) => ({ ...sim, block }))
  )
  await recordSims(
    tx,
    at,
    simBlocked,
    blocked.map((sim) => ({ ...sim, code, words: block.words }))
  )
}

/** Without amounts: whoever sees the SIM reads it, also those who may see no costs, and so does the gateway that is refused. */
const blockOf = (at: Date): SimBlock => ({
  code,
  since: at.toISOString(),
  by: 'system',
  words: 'Its data has cost as much today as the account allows for a SIM and day',
  clears: 'At 00:00 UTC, or when the cost limit is raised',
})

/** The next SIMs whose day is over, or whose account allows more. Answers with how many. */
async function unblockBelowCaps(tx: Tx, account_id: string | null, at: Date): Promise<number> {
  const { rows } = await sql<SimOf>`select s.account_id, s.id as sim_id from sim s left join balance_rule r on r.account_id = s.account_id
    where ${isBlocked} ${account_id === null ? sql`` : sql`and s.account_id = ${account_id}`}
      and (r.sim_day_micros is null or ${spentOn(dayOf(at))} < r.sim_day_micros)
    order by 1, 2 limit ${simsAtOnce}`.execute(tx)
  if (rows.length === 0) return 0
  const cleared = await clearBlocks(tx, rows, code)
  await recordSims(
    tx,
    at,
    simUnblocked,
    cleared.map((sim) => ({ ...sim, code }))
  )
  return rows.length
}
