import { sql, type RawBuilder } from 'kysely'
import { micros } from '@masthead/contract/billing/money'
import { openHours } from '@masthead/contract/billing/rating'
import { activeFee, type SimFees } from '@masthead/contract/billing/tariff'
import { dayOf } from '@masthead/contract/kernel/time'
import type { App, Tx } from '../../kernel/app.ts'
import { monthWords } from '@masthead/contract/kernel/day-words'
import { eachOf } from '../../kernel/jobs/each-of.ts'
import { type Posting, post } from '../ledger/index.ts'
import { addCosts } from './settle.ts'

const atOnce = 1000
const lockName = sql`hashtext('masthead.sim_fees')`

export type FeeKind = 'sim_active' | 'sim_inactive' | 'sim_standby' | 'sim_activation' | 'sim_reactivation'
const words: Record<FeeKind, string> = {
  sim_active: 'Active SIM',
  sim_inactive: 'Inactive SIM',
  sim_standby: 'SIM on standby',
  sim_activation: 'Activation',
  sim_reactivation: 'Reactivation',
}

/** Charges what SIMs cost in this month until now, and what those cost that were inactive all of the last one. */
export async function chargeAllFees({ db, clock }: App): Promise<void> {
  const accounts = await db.selectFrom('account_tariff').select('account_id').distinct().execute()
  // Piece by piece, so that nothing waits for the balance until all SIMs of a large account are charged.
  const piece = (account_id: string) =>
    db.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(${lockName})`.execute(tx)
      return chargeFees(tx, account_id, clock.now())
    })
  await eachOf(accounts, async ({ account_id }) => {
    while (await piece(account_id));
  })
}

/** The same of one account; nothing is charged twice. True: there is more to charge, for another piece. */
export async function chargeFees(tx: Tx, account_id: string, at: Date): Promise<boolean> {
  const [last, month] = [monthStart(at, -1), monthStart(at, 0)]
  const begun = Date.parse(`${month}T00:00:00Z`)
  const ended = new Date(begun - 1)
  const [of, ofLast] = [
    { account_id, at, month, until: at },
    { account_id, at, month: last, until: ended },
  ]
  const before = await termsOf(tx, ofLast)
  const pieces: boolean[] = []
  // What happened after a month was last charged is charged until the month closes.
  if (before && at.getTime() < begun + openHours * 3_600_000) {
    const { fees, since } = before
    const late = sql`(s.state = 'active' and ${happened(sql`s.state_changed_at`, ofLast, since)} or ${wasActive(ofLast, since)})`
    pieces.push(await chargeChanges(tx, ofLast, before))
    pieces.push(await charge(tx, ofLast, 'sim_active', late, (n) => activeFee(fees, n)))
  }
  const now = await termsOf(tx, of)
  if (now) {
    const lives = sql`(s.state = 'active' and coalesce(s.activated_at, s.created_at) <= ${at} or ${wasActive(of, now.since)})`
    pieces.push(await chargeChanges(tx, of, now))
    pieces.push(await charge(tx, of, 'sim_active', lives, (n) => activeFee(now.fees, n)))
  }
  // The fee is of a whole month: of one that began before the account paid by a price list nothing is asked.
  if (before && before.since <= last) {
    const { inactive_monthly_micros, standby_monthly_micros } = before.fees
    const wholly = sql`coalesce(s.state_changed_at, s.created_at) < ${startOf(last)}
      and not exists (select from sim_fee a where a.account_id = s.account_id and a.month = ${last}::date and a.kind = 'sim_active' and a.sim_id = s.id)`
    pieces.push(await charge(tx, ofLast, 'sim_inactive', sql`s.state = 'inactive' and ${wholly}`, () => inactive_monthly_micros))
    pieces.push(await charge(tx, ofLast, 'sim_standby', sql`s.state = 'standby' and ${wholly}`, () => standby_monthly_micros))
  }
  return pieces.some(Boolean)
}

const startOf = (day: string) => sql`(${day}::date::timestamp at time zone 'UTC')`
/** In the month, and not before the account paid by a price list. */
const happened = (when: RawBuilder<unknown>, { month, until }: Of, since: string) =>
  sql`(${when} >= greatest(${startOf(month)}, ${startOf(since)}) and ${when} <= ${until})`

/** That a SIM was active in the month, also where that was between two looks. */
const wasActive = (of: Of, since: string) =>
  sql`(${happened(sql`s.activated_at`, of, since)} or ${happened(sql`s.active_until`, of, since)})`

/** What SIMs cost that were activated in the month, or again. */
async function chargeChanges(tx: Tx, of: Of, { fees, since }: Terms): Promise<boolean> {
  const activated = happened(sql`s.activated_at`, of, since)
  const again = sql`s.state = 'active' and ${happened(sql`s.state_changed_at`, of, since)} and s.state_changed_by <> 'system'
    and s.activated_at < ${startOf(of.month)}`
  const pieces = [
    await charge(tx, of, 'sim_activation', activated, () => fees.activation_micros),
    await charge(tx, of, 'sim_reactivation', again, () => fees.reactivation_micros),
  ]
  return pieces.some(Boolean)
}

const monthStart = (at: Date, shift: number) => dayOf(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + shift))

type Terms = { fees: SimFees; since: string }

/**
 * By the version that is valid at the end of what has passed of the month, and since when the account pays by price lists without a day between; null: it pays by none, or
 * was closed before the month began.
 */
async function termsOf(tx: Tx, { account_id, month, until }: Of): Promise<Terms | null> {
  const day = dayOf(until)
  const { rows } =
    await sql<Terms>`with given as (select tariff_id, from_day from account_tariff where account_id = ${account_id} and from_day <= ${day}::date)
    select v.fees, (select min(g.from_day) from given g
      where g.from_day > coalesce((select max(n.from_day) from given n where n.tariff_id is null), '-infinity'))::text as since
    from (select tariff_id from given order by from_day desc limit 1) last
      join tariff_version v on v.tariff_id = last.tariff_id and v.effective_from <= ${day}::date
    where not exists (select from account c where c.id = ${account_id} and c.closed_at < ${startOf(month)})
    order by v.effective_from desc limit 1`.execute(tx)
  return rows[0] ?? null
}

/** `until`: its last moment that has passed. */
type Of = { account_id: string; at: Date; month: string; until: Date }

/** The next so many SIMs that are due. True: there may be more. */
async function charge(
  tx: Tx,
  { account_id, at, month, until }: Of,
  kind: FeeKind,
  due: RawBuilder<unknown>,
  priceOf: (n: number) => number
): Promise<boolean> {
  const { rows } = await sql<{ sim_id: string; asset_id: string; n: number }>`select s.id as sim_id, s.asset_id,
        (row_number() over (order by s.id) + (select count(*) from sim_fee f where f.account_id = ${account_id} and f.month = ${month}::date and f.kind = ${kind}))::int as n
      from sim s where s.account_id = ${account_id} and ${due}
        and not exists (select from sim_fee f where f.account_id = s.account_id and f.month = ${month}::date and f.kind = ${kind} and f.sim_id = s.id)
      order by s.id limit ${atOnce}`.execute(tx)
  if (rows.length === 0) return false
  const fees = rows.map((row) => ({ ...row, price: priceOf(row.n) }))
  await tx
    .insertInto('sim_fee')
    .values(fees.map(({ sim_id, price }) => ({ account_id, month, kind, sim_id, micros: price, charged_at: at })))
    .execute()
  const paid = fees.filter(({ price }) => price > 0)
  // The balance first, as settling does: sums are not locked while a balance is waited for.
  await post(
    tx,
    at,
    paid.map(({ sim_id, asset_id, price }): Posting => ({
      account_id,
      key: `fee:${kind}:${sim_id}:${month}`,
      type: 'charge',
      sub_type: kind === 'sim_activation' || kind === 'sim_reactivation' ? 'activation' : 'sim_monthly',
      amount_micros: micros(0 - price),
      against: 'revenue',
      description: `${words[kind]}, ${monthWords(new Date(month))}`,
      actor: 'system',
      source: 'usage',
      effective_at: until,
      quantity: 1,
      unit: 'SIM',
      unit_price_micros: price,
      asset_id,
      sim_id,
    }))
  )
  await addCosts(
    tx,
    paid.map(({ sim_id, price }) => ({ account_id, month, sim_id, kind, country: '', micros: price, bytes: 0 }))
  )
  return rows.length === atOnce
}
