import { sql } from 'kysely'
import { dayOf } from '@masthead/contract/kernel/time'
import { countryOf } from '@masthead/contract/networks/countries'
import type { SimOf } from '../../assets/service/index.ts'
import type { App, Tx } from '../../kernel/app.ts'
import { repeat } from '../../kernel/jobs/repeat.ts'
import { blockAtCostCaps, notifyExpensive, notifyOfNewLimits } from '../cost-limits/index.ts'
import { expireGrants, post } from '../ledger/index.ts'
import { watchBalances } from '../refill/index.ts'
import { decideBalances } from './balances.ts'
import { chargeColumns, type ChargeRow, postingsOf, unsettledDays } from './charge-postings.ts'

/** So many take the database some hundredths of a second: whoever charges the same SIMs, or moves the same balance, waits no longer. */
const atOnce = 500
const lockName = sql`hashtext('masthead.settle_charges')`
/** What is charged for a day of a SIM goes to the ledger in steps of at least this, and once the day is over all of it: few lines, that say something. */
const leastStep = 250_000

/**
 * Has charges summed and settled, balances judged, and credits whose time is over taken away, about every second, until stopped: so that a day on which credits end is paid
 * by them until then, and by others from then on.
 */
export const startSettling = (app: App): { stop: () => Promise<void> } =>
  repeat(app, 'settling charges', async () => {
    const more = await settleCharges(app)
    await expireGrants(app, settleBeforeEnd)
    return more
  })

/**
 * One step, in a transaction for each of its parts: nothing waits for a balance while other accounts are judged. True when there is more to do at once. One worker at a
 * time: whoever has the lock.
 */
export async function settleCharges({ db, clock }: App, { all = false } = {}): Promise<boolean> {
  const at = clock.now()
  const alone = <Done>(part: (tx: Tx) => Promise<Done>) =>
    db.transaction().execute(async (tx) => {
      const { rows: locks } = await sql<{ locked: boolean }>`select pg_try_advisory_xact_lock(${lockName}) as locked`.execute(tx)
      return locks[0]!.locked ? part(tx) : null
    })
  const settled = await alone((tx) => settleOpen(tx, at, all))
  if (settled === null) return false
  await alone((tx) => notifyOfNewLimits(tx, at))
  await alone((tx) => blockAtCostCaps(tx, settled, at))
  await alone((tx) => decideBalances(tx, at))
  await alone((tx) => watchBalances(tx, at))
  return settled.length === atOnce
}

/** Sums and settles the next charges in which something has moved. What the meter has locked comes with the next step. Answers with the SIM of each. */
export async function settleOpen(tx: Tx, at: Date, all = false, which = sql`c.is_open`): Promise<SimOf[]> {
  // The balances first: whoever waits for a balance has no charge locked that the meter would wait for.
  const { rows: accounts } = await sql<{ account_id: string }>`select b.account_id from billing_account b
    where b.account_id = any (array(select distinct n.account_id from (select c.account_id from charge c where ${which}
      order by c.account_id, c.sim_id limit ${atOnce}) n)) order by 1 for no key update`.execute(tx)
  if (accounts.length === 0) return []
  const { rows } =
    await sql<ChargeRow>`select ${chargeColumns} from charge c left join sim s on s.account_id = c.account_id and s.id = c.sim_id
      where ${which} and c.account_id = any(${accounts.map(({ account_id }) => account_id)}::text[])
      order by c.account_id, c.sim_id limit ${atOnce} for update of c skip locked`.execute(tx)
  if (rows.length > 0) await settle(tx, rows, at, all)
  return rows
}

/**
 * Settles the next of what some accounts used before credits of theirs ended, so that these pay for it. With the lock of settling; before the balances are locked.
 * What the meter has locked at this moment is not waited for. True: there is more, for another transaction.
 */
export async function settleBeforeEnd(tx: Tx, accounts: readonly string[], at: Date): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(${lockName})`.execute(tx)
  const open = sql`c.charged_micros <> c.settled_micros and c.account_id = any(${[...accounts]}::text[])
    and exists (select from ledger_grant g where g.account_id = c.account_id and g.remaining_micros > 0 and g.expires_at <= ${at}
      and c.used_from < g.expires_at)`
  return (await settleOpen(tx, at, true, open)).length === atOnce
}

const isDue = ({ charged_micros, settled_micros, day }: ChargeRow, today: string) =>
  charged_micros !== settled_micros && (day < today || Math.abs(charged_micros - settled_micros) >= leastStep)

async function settle(tx: Tx, rows: readonly ChargeRow[], at: Date, all: boolean) {
  const today = dayOf(at)
  await notifyExpensive(
    tx,
    rows.filter((row) => row.summed_bytes === 0 && row.bytes > 0 && row.price_micros > 0 && !row.is_late),
    at
  )
  const due = rows.filter((row) => isDue(row, today) || (all && row.charged_micros !== row.settled_micros))
  await sumUp(tx, rows)
  await sql`update charge c set summed_bytes = c.bytes, summed_micros = c.charged_micros, is_open = false,
      settled_bytes = case when k.is_due then c.billed_bytes else c.settled_bytes end,
      settled_micros = case when k.is_due then c.charged_micros else c.settled_micros end,
      settlements = c.settlements + case when k.is_due then 1 else 0 end
    from jsonb_to_recordset(${JSON.stringify(rows.map((row) => ({ ...keyOf(row), is_due: due.includes(row) })))}::jsonb)
      as k (account_id text, sim_id text, day date, tariff_id text, number integer, from_day date, zone_id text, source text, mccmnc text, is_late boolean, is_due boolean)
    where c.account_id = k.account_id and c.sim_id = k.sim_id and c.day = k.day and c.tariff_id = k.tariff_id and c.number = k.number
      and c.from_day = k.from_day and c.zone_id = k.zone_id and c.source = k.source and c.mccmnc = k.mccmnc and c.is_late = k.is_late`.execute(
    tx
  )
  await moveUnsettled(tx, rows, due)
  await post(tx, at, postingsOf(due))
}

const keyOf = ({ account_id, sim_id, day, tariff_id, number, from_day, zone_id, source, mccmnc, is_late }: ChargeRow) => ({
  account_id,
  sim_id,
  day,
  tariff_id,
  number,
  from_day,
  zone_id,
  source,
  mccmnc,
  is_late,
})

const monthOf = (day: string) => `${day.slice(0, 7)}-01`

/** What was charged since it was last summed, by month: of the account by country, and of the SIM. */
async function sumUp(tx: Tx, rows: readonly ChargeRow[]) {
  const moved = rows
    .map((row) => ({
      account_id: row.account_id,
      month: monthOf(row.day),
      sim_id: row.sim_id,
      kind: row.source as string,
      country: countryOf(row.mccmnc) ?? '',
      micros: row.charged_micros - row.summed_micros,
      bytes: row.bytes - row.summed_bytes,
    }))
    .filter(({ micros, bytes }) => micros !== 0 || bytes !== 0)
  await addCosts(tx, moved)
}

export type Cost = { account_id: string; month: string; sim_id: string; kind: string; country: string; micros: number; bytes: number }

/** Adds to the sums of months, in one order everywhere. */
export async function addCosts(tx: Tx, costs: readonly Cost[]): Promise<void> {
  if (costs.length === 0) return
  const given = sql`jsonb_to_recordset(${JSON.stringify(costs)}::jsonb)
    as k (account_id text, month date, sim_id text, kind text, country text, micros bigint, bytes bigint)`
  await sql`insert into cost_month as c (account_id, month, kind, country, micros, bytes)
    select account_id, month, kind, country, sum(micros)::bigint, sum(bytes)::bigint from ${given} group by 1, 2, 3, 4 order by 1, 2, 3, 4
    on conflict (account_id, month, kind, country) do update set micros = c.micros + excluded.micros, bytes = c.bytes + excluded.bytes`.execute(
    tx
  )
  await sql`insert into cost_sim as c (account_id, month, sim_id, kind, micros, bytes)
    select account_id, month, sim_id, kind, sum(micros)::bigint, sum(bytes)::bigint from ${given} group by 1, 2, 3, 4 order by 1, 2, 3, 4
    on conflict (account_id, month, sim_id, kind) do update set micros = c.micros + excluded.micros, bytes = c.bytes + excluded.bytes`.execute(
    tx
  )
}

/** What is charged and not in the ledger, by account. */
async function moveUnsettled(tx: Tx, rows: readonly ChargeRow[], due: readonly ChargeRow[]) {
  const moved = new Map<string, number>()
  const add = (account_id: string, amount: number) => moved.set(account_id, (moved.get(account_id) ?? 0) + amount)
  for (const row of rows) add(row.account_id, row.charged_micros - row.summed_micros)
  for (const row of due) add(row.account_id, row.settled_micros - row.charged_micros)
  const given = [...moved].map(([account_id, amount]) => ({ account_id, amount }))
  await sql`insert into charge_account as a (account_id, unsettled_micros)
    select account_id, amount from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as k (account_id text, amount bigint) order by 1
    on conflict (account_id) do update set unsettled_micros = a.unsettled_micros + excluded.unsettled_micros`.execute(tx)
}

const restsAtOnce = 5000

/** Days that are over are settled whole: they are opened in pieces, and what the meter has locked with the next run. */
export async function settleEndedDays({ db, clock }: App, most = restsAtOnce): Promise<void> {
  const today = dayOf(clock.now())
  const piece = sql`update charge set is_open = true where ctid = any (array(select ctid from charge where day < ${today}::date
    and day > ${today}::date - ${unsettledDays}::int and not is_open and charged_micros <> settled_micros limit ${most} for update skip locked))`
  for (;;) {
    const { numAffectedRows = 0n } = await db.transaction().execute((tx) => piece.execute(tx))
    if (numAffectedRows < BigInt(most)) return
  }
}
