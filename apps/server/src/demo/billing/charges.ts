import { sql } from 'kysely'
import { micros } from '@masthead/contract/billing/money'
import { dayOf } from '@masthead/contract/kernel/time'
import { findBillingAccount, post } from '../../billing/ledger/index.ts'
import { rateUsage } from '../../billing/rating/index.ts'
import { chargeFees, settleOpen } from '../../billing/settling/index.ts'
import type { Tx } from '../../kernel/app.ts'

const day = 86_400_000
/** The customer buys more credits when so little is left. */
const [least, topUp] = [400_000_000, 1_000_000_000]

type Used = { sim_id: string; mccmnc: string; from: Date; until: Date; bytes: number }

/** The usage of the demo's history, as the meter would have charged it, a week at a time and never over the end of a month: what pools gave of this month is free. */
export async function writeDemoCharges(tx: Tx, account_id: string, now: Date): Promise<void> {
  let start = Date.parse(`${dayOf(now.getTime() - 91 * day)}T00:00:00Z`)
  while (start <= now.getTime()) {
    const first = new Date(start)
    const monthEnd = Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1)
    const end = Math.min(start + 7 * day, monthEnd)
    const at = new Date(Math.min(end - 1, now.getTime()))
    await buyCredits(tx, account_id, first)
    await rateUsage(tx, await usageOf(tx, account_id, first, new Date(end)), at)
    if (end === monthEnd || end > now.getTime()) await chargeFees(tx, account_id, at)
    while ((await settleOpen(tx, at, true)) > 0);
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
  const what = {
    type: 'credit',
    sub_type: 'topup',
    against: 'cash',
    description: 'Credits',
    actor: 'owner@demo.test',
    source: 'card',
  } as const
  await post(tx, at, [{ account_id, key: `demo:topup:${dayOf(at)}`, amount_micros: micros(topUp), ...what }])
}
