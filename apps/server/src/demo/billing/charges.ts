import { appendFileSync } from 'node:fs'
import { sql } from 'kysely'
import { micros } from '@masthead/contract/billing/money'
import { taxOn, taxWords } from '@masthead/contract/billing/invoices/tax'
import { newId } from '@masthead/contract/kernel/id'
import { dayOf } from '@masthead/contract/kernel/time'
import { findBillingAccount, post } from '../../billing/ledger/index.ts'
import { rateUsage } from '../../billing/rating/index.ts'
import { chargeFees, settleOpen } from '../../billing/settling/index.ts'
import type { Tx } from '../../kernel/app.ts'

const day = 86_400_000
/** The customer buys more credits when so little is left. */
const [least, topUp] = [400_000_000, 1_000_000_000]
const card_name = 'Visa ending in 4242'

type Used = { sim_id: string; mccmnc: string; from: Date; until: Date; bytes: number }

/** The usage of the demo's history, as the meter would have charged it, a week at a time and never over the end of a month: what pools gave of this month is free. */
export async function writeDemoCharges(tx: Tx, account_id: string, now: Date): Promise<void> {
  let start = Date.parse(`${dayOf(now.getTime() - 91 * day)}T00:00:00Z`)
  while (start <= now.getTime()) {
    const first = new Date(start)
    const monthEnd = Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1)
    const end = Math.min(start + 7 * day, monthEnd)
    const at = new Date(Math.min(end - 1, now.getTime()))
    const t = [Date.now()]
    await buyCredits(tx, account_id, first)
    t.push(Date.now())
    const uu = await usageOf(tx, account_id, first, new Date(end))
    t.push(Date.now())
    await rateUsage(tx, uu, at)
    t.push(Date.now())
    if (end === monthEnd || end > now.getTime()) await chargeFees(tx, account_id, at)
    t.push(Date.now())
    while ((await settleOpen(tx, at, true)) > 0);
    t.push(Date.now())
    appendFileSync(
      '/tmp/pf/out',
      uu.length +
        ' ' +
        t
          .slice(1)
          .map((x, i) => x - t[i]!)
          .join(' ') +
        '\n'
    )
    start = end
  }
}

/** Of each SIM a session a day and network. */
async function usageOf(tx: Tx, account_id: string, from: Date, to: Date) {
  const { rows } = await sql<Used>`select u.sim_id, u.mccmnc, min(u.hour) as from, max(u.hour) + interval '59 minutes' as until,
      sum(u.bytes_up + u.bytes_down)::bigint as bytes
    from usage_hour u where u.account_id = ${account_id} and u.hour >= ${from} and u.hour < ${to}
      and not exists (select from data_pool_sim m join data_pool p on p.account_id = m.account_id and p.id = m.pool_id
        where m.account_id = u.account_id and m.sim_id = u.sim_id and p.term_starts_at <= u.hour
          and (p.zone is null or p.zone = zone_of(u.mccmnc, (u.hour at time zone 'UTC')::date)))
    group by u.sim_id, u.mccmnc, (u.hour at time zone 'UTC')::date having sum(u.bytes_up + u.bytes_down) > 0 order by 3, 1, 2`.execute(tx)
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

async function buyCredits(tx: Tx, account_id: string, at: Date): Promise<void> {
  const billing = await findBillingAccount(tx, account_id)
  if (!billing || billing.balance_micros >= least) return
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
  const how = { state: 'succeeded' as const, source: 'card' as const, method_id: 'pm_demo', card_name, transaction_id: posted!.id }
  await tx
    .insertInto('top_up')
    .values({ account_id, id, ...paid, ...how, begun_by, begun_at: at, ended_at: at })
    .execute()
}
