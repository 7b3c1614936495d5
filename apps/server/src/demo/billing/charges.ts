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

/** The usage of the demo's history, day by day, as the meter would have charged it: what pools gave of this month is free. */
export async function writeDemoCharges(tx: Tx, account_id: string, now: Date): Promise<void> {
  const first = Date.parse(`${dayOf(now.getTime() - 91 * day)}T00:00:00Z`)
  for (let start = first; start <= now.getTime(); start += day) {
    const at = new Date(Math.min(start + day - 1, now.getTime()))
    await buyCredits(tx, account_id, new Date(start))
    const { rows } = await sql<Used>`select u.sim_id, u.mccmnc, min(u.hour) as from, max(u.hour) + interval '59 minutes' as until,
        sum(u.bytes_up + u.bytes_down)::bigint as bytes
      from usage_hour u where u.account_id = ${account_id} and u.hour >= ${new Date(start)} and u.hour < ${new Date(start + day)}
        and not exists (select from data_pool_sim m join data_pool p on p.account_id = m.account_id and p.id = m.pool_id
          where m.account_id = u.account_id and m.sim_id = u.sim_id and p.term_starts_at <= u.hour
            and (p.zone is null or p.zone = zone_of(u.mccmnc, (u.hour at time zone 'UTC')::date)))
      group by 1, 2 having sum(u.bytes_up + u.bytes_down) > 0 order by 1, 2`.execute(tx)
    await rateUsage(
      tx,
      rows.map(({ sim_id, mccmnc, from, until, bytes }) => ({
        account_id,
        sim_id,
        session_id: `demo ${sim_id} ${start} ${mccmnc}`,
        from: from.getTime(),
        at: until.getTime(),
        bytes,
        mccmnc,
        taken: [],
      })),
      at
    )
    if (new Date(start + day).getUTCDate() === 1 || start + day > now.getTime()) await chargeFees(tx, account_id, at)
    await settleOpen(tx, new Date(Math.min(start + day + 120_000, now.getTime())), true)
  }
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
