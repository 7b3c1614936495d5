import { sql, type RawBuilder } from 'kysely'
import { micros } from '@masthead/contract/billing/money'
import { activeFee, type SimFees } from '@masthead/contract/billing/tariff'
import { dayOf } from '@masthead/contract/kernel/time'
import type { App, Tx } from '../../kernel/app.ts'
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
  for (const { account_id } of accounts) {
    await db.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(${lockName})`.execute(tx)
      await chargeFees(tx, account_id, clock.now())
    })
  }
}

/** The same of one account; nothing is charged twice. */
export async function chargeFees(tx: Tx, account_id: string, at: Date): Promise<void> {
  const month = monthStart(at, 0)
  const fees = await feesOf(tx, account_id, at)
  if (fees) {
    const since = sql`${month}::date::timestamp at time zone 'UTC'`
    const lives = sql`coalesce(s.activated_at, s.created_at) <= ${at}`
    await charge(
      tx,
      { account_id, at, month },
      'sim_activation',
      sql`s.activated_at >= ${since} and ${lives}`,
      () => fees.activation_micros
    )
    await charge(
      tx,
      { account_id, at, month },
      'sim_reactivation',
      sql`s.state = 'active' and s.state_changed_at >= ${since} and s.state_changed_at <= ${at} and s.state_changed_by <> 'system' and s.activated_at < ${since}`,
      () => fees.reactivation_micros
    )
    await charge(tx, { account_id, at, month }, 'sim_active', sql`s.state = 'active' and ${lives}`, (n) => activeFee(fees, n))
  }
  const last = monthStart(at, -1)
  const before = await feesOf(tx, account_id, new Date(Date.parse(`${month}T00:00:00Z`) - 1))
  if (!before) return
  const wholly = sql`coalesce(s.state_changed_at, s.created_at) < ${last}::date::timestamp at time zone 'UTC'
    and not exists (select from sim_fee a where a.account_id = s.account_id and a.month = ${last}::date and a.kind = 'sim_active' and a.sim_id = s.id)`
  const of = { account_id, at, month: last }
  await charge(tx, of, 'sim_inactive', sql`s.state = 'inactive' and ${wholly}`, () => before.inactive_monthly_micros)
  await charge(tx, of, 'sim_standby', sql`s.state = 'standby' and ${wholly}`, () => before.standby_monthly_micros)
}

const monthStart = (at: Date, shift: number) => dayOf(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + shift))

/** By the version that is valid then; null: it pays by no tariff. */
async function feesOf(tx: Tx, account_id: string, at: Date): Promise<SimFees | null> {
  const day = dayOf(at)
  const { rows } = await sql<{
    fees: SimFees
  }>`select v.fees from (select tariff_id from account_tariff where account_id = ${account_id} and from_day <= ${day}::date
      order by from_day desc limit 1) given join tariff_version v on v.tariff_id = given.tariff_id and v.effective_from <= ${day}::date
    order by v.effective_from desc limit 1`.execute(tx)
  return rows[0]?.fees ?? null
}

type Of = { account_id: string; at: Date; month: string }

async function charge(tx: Tx, { account_id, at, month }: Of, kind: FeeKind, due: RawBuilder<unknown>, priceOf: (n: number) => number) {
  for (let more = true; more;) {
    const { rows } = await sql<{ sim_id: string; asset_id: string; n: number }>`select s.id as sim_id, s.asset_id,
        (row_number() over (order by s.id) + (select count(*) from sim_fee f where f.account_id = ${account_id} and f.month = ${month}::date and f.kind = ${kind}))::int as n
      from sim s where s.account_id = ${account_id} and ${due}
        and not exists (select from sim_fee f where f.account_id = s.account_id and f.month = ${month}::date and f.kind = ${kind} and f.sim_id = s.id)
      order by s.id limit ${atOnce}`.execute(tx)
    more = rows.length === atOnce
    if (rows.length === 0) return
    const fees = rows.map((row) => ({ ...row, price: priceOf(row.n) }))
    await tx
      .insertInto('sim_fee')
      .values(fees.map(({ sim_id, price }) => ({ account_id, month, kind, sim_id, micros: price, charged_at: at })))
      .execute()
    const paid = fees.filter(({ price }) => price > 0)
    await addCosts(
      tx,
      paid.map(({ sim_id, price }) => ({ account_id, month, sim_id, kind, country: '', micros: price, bytes: 0 }))
    )
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
        description: `${words[kind]}, ${monthWords(month)}`,
        actor: 'system',
        source: 'usage',
        quantity: 1,
        unit: 'SIM',
        unit_price_micros: price,
        asset_id,
        sim_id,
      }))
    )
  }
}

const monthWords = (month: string) => new Date(month).toLocaleDateString('en', { month: 'long', year: 'numeric', timeZone: 'UTC' })
