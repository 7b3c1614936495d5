import { sql } from 'kysely'
import { formatMoney, micros, type Currency } from '@masthead/contract/billing/money'
import { balanceEnough, balanceLow, refillStopped } from '@masthead/contract/billing/refill/events'
import { mostFailures, triedAgainAfter, type BalanceLevel } from '@masthead/contract/billing/refill/refill'
import { systemActor, type Tx } from '../../kernel/app.ts'
import { addJob } from '../../kernel/jobs/jobs.ts'
import { record } from '../../kernel/record.ts'
import { isUnknown } from '../payments/index.ts'
import { available, failed } from './payments-of-refill.ts'

const askedAgainAfter = 60_000 // ms

/** Notifies of what has become low, or is enough again; asks for what is to be filled, and ends what failed too often. */
export async function watchBalances(tx: Tx, at: Date): Promise<void> {
  await notifyLevels(tx, at)
  await stopFailing(tx, at)
  await stopDisputed(tx, at)
  await askForRefills(tx, at)
}

type Level = {
  account_id: string
  currency: Currency
  left_micros: number
  threshold_micros: number | null
  told: BalanceLevel | null
  level: BalanceLevel | null
}
const levelAt = (at: Date) =>
  sql`case when ${available(at)} < r.urgent_micros then 'urgent' when ${available(at)} < r.warn_micros then 'warn' end`

async function notifyLevels(tx: Tx, at: Date) {
  const level = levelAt(at)
  const { rows } = await sql<Level>`select r.account_id, b.currency, ${available(at)} as left_micros, r.told, ${level} as level,
      case when ${available(at)} < r.urgent_micros then r.urgent_micros else r.warn_micros end as threshold_micros
    from balance_rule r join billing_account b using (account_id) left join charge_account a using (account_id)
    where r.told is distinct from ${level} order by 1 for update of r`.execute(tx)
  for (const { account_id, currency, left_micros, threshold_micros, told, level: now } of rows) {
    await tx.updateTable('balance_rule').set({ told: now }).where('account_id', '=', account_id).execute()
    const actor = systemActor(account_id, at)
    const balance = formatMoney(micros(left_micros), currency)
    if (now === null) await record(tx, actor, balanceEnough, { balance })
    // What was urgent and is a little better was notified.
    else if (told !== 'urgent')
      await record(tx, actor, balanceLow, { level: now, threshold: formatMoney(micros(threshold_micros!), currency), balance })
  }
}

/** Three payments in a row failed: it goes on once somebody switches it on. */
async function stopFailing(tx: Tx, at: Date) {
  const { rows } = await sql<{ account_id: string; words: string | null }>`select r.account_id, f.words
    from balance_rule r cross join lateral ${failed} f
    where r.refill_on and f.failures >= ${mostFailures} order by 1 for update of r`.execute(tx)
  for (const { account_id, words } of rows)
    await stopRefill(tx, account_id, at, `${mostFailures} payments in a row failed. ${words ?? ''}`.trim())
}

/** Whoever disputes a payment does not want the next one. */
const isDisputed = sql`exists (select from top_up d where d.account_id = r.account_id and d.disputed_at >= r.refill_armed_at)`

async function stopDisputed(tx: Tx, at: Date) {
  const { rows } = await sql<{ account_id: string }>`select r.account_id from balance_rule r
    where r.refill_on and ${isDisputed} order by 1 for update of r`.execute(tx)
  for (const { account_id } of rows)
    await stopRefill(tx, account_id, at, 'A payment by this card was disputed. Settle that with your bank before you switch it on')
}

/** It is switched off, with the reason. */
export async function stopRefill(tx: Tx, account_id: string, at: Date, words: string): Promise<void> {
  await tx.updateTable('balance_rule').set({ refill_on: false, refill_stopped_words: words }).where('account_id', '=', account_id).execute()
  await record(tx, systemActor(account_id, at), refillStopped, { words })
}

/**
 * Too little can be spent, and nothing keeps the account from being filled: no payment is under way, none failed within a day, nobody suspended or closed it, and its
 * books agreed when they were last compared; what was used and never charged is no reason.
 */
export const isDue = (at: Date) => sql`r.refill_on and ${available(at)} < r.refill_below_micros
  and not exists (select from top_up o where o.account_id = r.account_id
    and (o.state in ('preparing', 'requires_action', 'processing') or ${isUnknown}))
  and not ${isDisputed}
  and coalesce((select f.failed_at from ${failed} f), '-infinity') <= ${new Date(at.getTime() - triedAgainAfter)}
  and exists (select from account c where c.id = r.account_id and c.suspended_at is null and c.erase_at is null)
  and not exists (select from (select p.differences from ledger_proof p order by p.id desc limit 1) last
    where jsonb_path_exists(last.differences, '$[*] ? (@.account_id == $account && @.what != "uncharged")', jsonb_build_object('account', r.account_id)))`

async function askForRefills(tx: Tx, at: Date) {
  const { rows } = await sql<{ account_id: string }>`update balance_rule set refill_asked_at = ${at}
    where account_id in (select r.account_id
      from balance_rule r join billing_account b using (account_id) left join charge_account a using (account_id)
      -- A clock may have been ahead.
      where (abs(extract(epoch from ${at}::timestamptz - r.refill_asked_at)) * 1000 < ${askedAgainAfter}) is not true and ${isDue(at)} order by 1 for update of r)
    returning account_id`.execute(tx)
  for (const { account_id } of rows) await addJob(tx, 'billing.refill_balance', { account_id })
}
