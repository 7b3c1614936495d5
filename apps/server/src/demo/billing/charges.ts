import { sql } from 'kysely'
import { micros } from '@masthead/contract/billing/money'
import { taxOn, taxWords } from '@masthead/contract/billing/invoices/tax'
import { newId } from '@masthead/contract/kernel/id'
import { dayOf } from '@masthead/contract/kernel/time'
import { findBillingAccount, post } from '../../billing/ledger/index.ts'
import { rateUsage } from '../../billing/rating/index.ts'
import { chargeFees, settleOpen } from '../../billing/settling/index.ts'
import type { Tx } from '../../kernel/app.ts'
import { demoMethod } from './card.ts'

const day = 86_400_000
const card_name = 'Visa ending in 4242'

type Used = { sim_id: string; mccmnc: string; from: Date; until: Date; bytes: number }

/**
 * The usage of the demo's history, as the meter would have charged it. What is of earlier months goes to the ledger twice a month, what is of this one week by week, never
 * over the end of a month: what pools gave of this month is free.
 */
export async function writeDemoCharges(tx: Tx, account_id: string, now: Date): Promise<void> {
  const first = Date.parse(`${dayOf(now.getTime() - 91 * day)}T00:00:00Z`)
  const used = await usageOf(tx, account_id, new Date(first))
  for (let start = first; start <= now.getTime();) {
    const end = endOfStep(start, now)
    const at = new Date(Math.min(end - 1, now.getTime()))
    await rateUsage(
      tx,
      used.filter(({ from }) => from >= start && from < end),
      at
    )
    await buyCredits(tx, account_id, new Date(start), isSameMonth(new Date(start), now))
    if (new Date(end).getUTCDate() === 1 || end > now.getTime()) while (await chargeFees(tx, account_id, at));
    while ((await settleOpen(tx, at, true)).length > 0);
    start = end
  }
}

const isSameMonth = (a: Date, b: Date) => a.getUTCFullYear() === b.getUTCFullYear() && a.getUTCMonth() === b.getUTCMonth()

function endOfStep(start: number, now: Date): number {
  const from = new Date(start)
  const [year, month] = [from.getUTCFullYear(), from.getUTCMonth()]
  const steps = isSameMonth(from, now) ? [8, 15, 22, 29] : [16]
  const next = steps.find((date) => date > from.getUTCDate())
  return next ? Date.UTC(year, month, next) : Date.UTC(year, month + 1)
}

/** Of each SIM a session a day and network: all of it in one pass, in the order of time. */
async function usageOf(tx: Tx, account_id: string, since: Date) {
  // Written a moment ago in this very transaction: there are no statistics of what is in them yet.
  await sql`analyze usage_hour, data_pool_sim, data_pool`.execute(tx)
  const { rows } = await sql<Used>`with pooled as (
      select m.sim_id, p.zone, p.term_starts_at from data_pool_sim m join data_pool p on p.account_id = m.account_id and p.id = m.pool_id
      where m.account_id = ${account_id}
    ), days as (
      select u.sim_id, u.mccmnc, (u.hour at time zone 'UTC')::date as day, min(u.hour) as began, max(u.hour) + interval '59 minutes' as until,
        sum(u.bytes_up + u.bytes_down) as bytes
      from usage_hour u where u.account_id = ${account_id} and u.hour >= ${since}
        and not exists (select from pooled k where k.sim_id = u.sim_id and k.term_starts_at <= u.hour
          and (k.zone is null or k.zone = zone_of(u.mccmnc, (u.hour at time zone 'UTC')::date)))
      group by 1, 2, 3
    )
    select sim_id, mccmnc, began as from, until, bytes::bigint as bytes from days where bytes > 0 order by began, sim_id, mccmnc`.execute(
    tx
  )
  return rows.map(({ sim_id, mccmnc, from: began, until, bytes }) => ({
    account_id,
    sim_id,
    session_id: `demo ${sim_id} ${dayOf(began)} ${mccmnc}`,
    from: began.getTime(),
    at: until.getTime(),
    bytes,
    mccmnc,
    taken: [],
  }))
}

/** Buys at the start of a step the credits that its usage needs, which is charged and not in the ledger yet, and the fees that follow: below zero no SIM has service. */
async function buyCredits(tx: Tx, account_id: string, at: Date, isThisMonth: boolean): Promise<void> {
  const billing = await findBillingAccount(tx, account_id)
  if (!billing) return
  const { used_micros } = await tx
    .selectFrom('charge')
    .select(sql<number>`coalesce(sum(charged_micros - settled_micros), 0)::bigint`.as('used_micros'))
    .where('account_id', '=', account_id)
    .executeTakeFirstOrThrow()
  const step = isThisMonth ? 1_000_000_000 : 2_000_000_000
  const lacking = 1_100_000_000 - (billing.balance_micros - used_micros)
  if (lacking <= 0) return
  const topUp = step * Math.ceil(lacking / step)
  const id = newId({ prefix: 'pay' }, at.getTime())
  const begun_by = 'owner@demo.test'
  const tax_micros = taxOn(topUp, billing.tax)
  const what = {
    type: 'credit',
    sub_type: 'topup',
    against: 'cash',
    description: `Credits, ${card_name}`,
    actor: begun_by,
    source: 'card',
    payment_id: id,
  } as const
  const [posted] = await post(tx, at, [{ account_id, key: `demo:topup:${dayOf(at)}`, amount_micros: micros(topUp), tax_micros, ...what }])
  const paid = { amount_micros: topUp, tax_micros, tax_words: billing.tax && taxWords(billing.tax), currency: billing.currency }
  const how = { state: 'succeeded' as const, source: 'card' as const, method_id: demoMethod, card_name, transaction_id: posted!.id }
  await tx
    .insertInto('top_up')
    .values({ account_id, id, ...paid, ...how, begun_by, begun_at: at, ended_at: at })
    .execute()
}
