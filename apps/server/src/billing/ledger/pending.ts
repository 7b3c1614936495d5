import { sql } from 'kysely'
import type { AtZero } from '@masthead/contract/billing/ledger'
import { micros, type Micros } from '@masthead/contract/billing/money'
import { dayOf } from '@masthead/contract/kernel/time'
import type { Db, Tx } from '../../kernel/app.ts'

/** What is left of credits of billing_account `b` whose time is over. Of most accounts that is nothing, so which have some is asked once. */
const ended = (
  at: Date
) => sql`case when b.account_id = any(array(select e.account_id from ledger_grant e where e.remaining_micros > 0 and e.expires_at <= ${at}))
  then (select sum(g.remaining_micros) from ledger_grant g where g.account_id = b.account_id and g.remaining_micros > 0 and g.expires_at <= ${at}) else 0 end`

/** Of billing_account `b`, what is reserved: it was asked to be paid back, and the card provider has not done so yet. */
const reservedOf = sql<number>`(select coalesce(sum(p.amount_micros), 0)::bigint from pay_back p where p.account_id = b.account_id and p.state = 'asked')`

/**
 * Of the balance of billing_account `b`, with charge_account `a`, what cannot be spent: what is reserved, what is charged and not in the ledger yet, and what is left of
 * credits whose time is over. These pay for what is charged, as nearly all of that was used before they ended.
 */
export const heldOf = (at: Date) => sql<number>`(coalesce(a.unsettled_micros, 0) + ${reservedOf}
  + greatest(0, ${ended(at)} - greatest(0, coalesce(a.unsettled_micros, 0))))::bigint`

/** Does billing_account `b` pay by a price list? Without one the next byte costs nothing. */
export const isCharged = (at: Date) => sql<boolean>`((select t.tariff_id from account_tariff t
  where t.account_id = b.account_id and t.from_day <= ${dayOf(at)}::date order by t.from_day desc limit 1) is not null)`

type Pending = { unsettled_micros: number; held_micros: number; reserved_micros: number; at_zero: AtZero; is_charged: boolean }

/** What is charged and not in the ledger yet, what of the balance cannot be spent, what of that is reserved, what happens at zero, and whether anything is charged. */
export async function findPending(db: Db, account_id: string, at: Date): Promise<Pending> {
  const { rows } =
    await sql<Pending>`select coalesce(a.unsettled_micros, 0) as unsettled_micros, ${heldOf(at)} as held_micros, ${reservedOf} as reserved_micros, coalesce(a.at_zero, 'stop') as at_zero,
      ${isCharged(at)} as is_charged
    from billing_account b left join charge_account a using (account_id) where b.account_id = ${account_id}`.execute(db)
  return rows[0] ?? { unsettled_micros: 0, held_micros: 0, reserved_micros: 0, at_zero: 'stop', is_charged: false }
}

/** Says what happens at zero. The next step of settling decides what follows. False: it is so already. */
export async function putAtZero(tx: Tx, account_id: string, at_zero: AtZero): Promise<boolean> {
  const before = await tx.selectFrom('charge_account').select('at_zero').where('account_id', '=', account_id).executeTakeFirst()
  await sql`insert into charge_account (account_id, at_zero) values (${account_id}, ${at_zero})
    on conflict (account_id) do update set at_zero = excluded.at_zero`.execute(tx)
  return (before?.at_zero ?? 'stop') !== at_zero
}

const dayMs = 86_400_000
/** After so many days of a month what its data costs a day says more than the month before. */
const enoughDays = 3

/** What data costs in a day, of late, and what fees leave on the first of a month. */
export async function findLateCosts(db: Db, account_id: string, at: Date): Promise<{ daily_micros: Micros; monthly_micros: Micros }> {
  const [month, before] = [0, -1].map((shift) => Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + shift)) as [number, number]
  const [now, last] = [dayOf(month), dayOf(before)]
  const { rows } = await sql<{
    is_now: boolean
    data: number
    fees: number
  }>`select month = ${now}::date as is_now,
      coalesce(sum(micros) filter (where kind in ('payg', 'pool_overage')), 0) as data,
      coalesce(sum(micros) filter (where kind in ('sim_active', 'sim_inactive', 'sim_standby')), 0) as fees
    from cost_month where account_id = ${account_id} and month in (${now}::date, ${last}::date) group by 1`.execute(db)
  const of = (is_now: boolean) => rows.find((row) => row.is_now === is_now) ?? { data: 0, fees: 0 }
  const passed = (at.getTime() - month) / dayMs
  const daily = passed >= enoughDays ? of(true).data / passed : of(false).data / ((month - before) / dayMs)
  return { daily_micros: micros(Math.round(daily)), monthly_micros: micros(Math.max(of(true).fees, of(false).fees)) }
}
