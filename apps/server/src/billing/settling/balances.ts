import { sql } from 'kysely'
import { balanceRestored, balanceUsedUp } from '@masthead/contract/billing/events'
import { dayOf } from '@masthead/contract/kernel/time'
import { addBlocks, balanceBlock, clearBlocks, type SimOf, switchesOf } from '../../assets/service/index.ts'
import { heldOf, isCharged } from '../ledger/index.ts'
import { judgeWhereTheyAre } from '../../datapools/index.ts'
import { type App, systemActor, type Tx } from '../../kernel/app.ts'
import { addJob } from '../../kernel/jobs/jobs.ts'
import { record } from '../../kernel/record.ts'
import { beginCreditEnforcements, endEnforcements } from '../../usage/index.ts'

const simsAtOnce = 1000
/** The rows of SIMs follow what was decided within this, in milliseconds: every minute all are checked. */
const followedWithin = 120_000

/**
 * Decides for each account whether credits are left: what is in the ledger less what is charged and not there yet, and what is left of credits whose time is over. The row is the decision, which the next
 * Access-Request reads; the rows of the SIMs follow by a job. Where data costs nothing somewhere, no SIM is blocked: each is refused where it is charged.
 */
export async function decideBalances(tx: Tx, at: Date): Promise<void> {
  const isOver = sql`(a.at_zero = 'stop' and b.balance_micros - ${heldOf(at)} <= 0 and ${isCharged(at)})`
  // Whoever has used no data that is charged has no row yet: also one who has not bought credits, or lost what expired.
  await sql`insert into charge_account (account_id) select b.account_id from billing_account b
      join account c on c.id = b.account_id and c.erased_at is null
    where b.balance_micros <= 0 and exists (select from account_tariff t where t.account_id = b.account_id)
      and not exists (select from charge_account a where a.account_id = b.account_id) order by 1 on conflict do nothing`.execute(tx)
  const isFree = sql`(${isOver} and has_free_data(a.account_id, ${dayOf(at)}::date))`
  const { rows } = await sql<{
    account_id: string
    was_over: boolean
    is_over: boolean
    has_free_data: boolean
  }>`select a.account_id, a.used_up_at is not null as was_over, ${isOver} as is_over, ${isFree} as has_free_data
    from charge_account a join billing_account b on b.account_id = a.account_id
    where (a.used_up_at is not null) <> ${isOver} or a.has_free_data <> ${isFree}
    order by 1 for update of a`.execute(tx)
  for (const { account_id, was_over, is_over, has_free_data } of rows) {
    await tx
      .updateTable('charge_account')
      .set({ has_free_data, ...(is_over !== was_over && { used_up_at: is_over ? at : null }) })
      .where('account_id', '=', account_id)
      .execute()
    if (is_over !== was_over) await record(tx, systemActor(account_id, at), is_over ? balanceUsedUp : balanceRestored, {})
    await addJob(tx, 'follow_balance', { account_id })
  }
}

const decided = sql.raw(switchesOf('s').balance)

/** Brings the rows of an account's SIMs, and of their sessions, in step with what is decided of its balance. May be repeated, and come late. */
export async function followBalance(app: App, { account_id }: { account_id: string }): Promise<void> {
  await followSims(app, account_id)
  await judgeWhereTheyAre(app.db, account_id)
}

async function followSims({ db, clock }: App, account_id: string) {
  for (const step of [block, unblock])
    for (let after: string | undefined = ''; after !== undefined;) {
      const from: string = after
      const sims = await db.transaction().execute((tx) => step(tx, account_id, from, clock.now()))
      after = sims.length === simsAtOnce ? sims.at(-1)!.sim_id : undefined
    }
}

/** Pools that are used up while there are no credits leave their SIMs to be charged: they are checked again and again. */
export async function followBalances(app: App): Promise<void> {
  const accounts = await app.db.selectFrom('charge_account').select('account_id').where('used_up_at', 'is not', null).execute()
  for (const { account_id } of accounts) await followSims(app, account_id)
}

async function block(tx: Tx, account_id: string, after: string, at: Date): Promise<SimOf[]> {
  const { rows } = await sql<SimOf & { asset_id: string; decided_at: Date }>`select s.account_id, s.id as sim_id, s.asset_id,
      greatest((select a.used_up_at from charge_account a where a.account_id = s.account_id), (select max(t.used_up_at) from data_pool_sim m
        join data_pool p on p.account_id = m.account_id and p.id = m.pool_id and p.ended_at is null
        join data_pool_term t on t.account_id = p.account_id and t.pool_id = p.id and t.starts_at = p.term_starts_at
        where m.account_id = s.account_id and m.sim_id = s.id)) as decided_at
    from sim s where s.account_id = ${account_id} and s.id > ${after} and s.state <> 'terminated' and not s.blocks @> '[{"code":"balance"}]' and ${decided} is not null
    order by 1, 2 limit ${simsAtOnce}`.execute(tx)
  const added = await addBlocks(
    tx,
    rows.map(({ account_id, sim_id }) => ({ account_id, sim_id, block: balanceBlock(at) }))
  )
  const blocked = new Set(added.map(({ sim_id }) => sim_id))
  await beginCreditEnforcements(
    tx,
    rows
      .filter(({ sim_id }) => blocked.has(sim_id))
      // A SIM that left its pool long after the decision has been charged since then alone.
      .map(({ decided_at, ...sim }) => ({ ...sim, at: at.getTime() - decided_at.getTime() < followedWithin ? decided_at : at }))
  )
  return rows
}

async function unblock(tx: Tx, account_id: string, after: string, at: Date): Promise<SimOf[]> {
  const { rows } = await sql<SimOf>`select s.account_id, s.id as sim_id from sim s
    where s.account_id = ${account_id} and s.id > ${after} and s.blocks @> '[{"code":"balance"}]' and ${decided} is null
    order by 1, 2 limit ${simsAtOnce}`.execute(tx)
  await endEnforcements(tx, await clearBlocks(tx, rows, 'balance'), 'credits', at)
  return rows
}
