import { billingOff, noCard, topUpOpen } from '@masthead/contract/billing/ledger-problems'
import { formatMoney, micros, type Currency } from '@masthead/contract/billing/money'
import { balanceWarningsChanged, refillChanged, refillRetried } from '@masthead/contract/billing/refill/events'
import type { setBalanceWarnings as warningsOp, setRefill as refillOp } from '@masthead/contract/billing/refill/operations'
import type { BalanceRules } from '@masthead/contract/billing/refill/refill'
import type { Parsed } from '@masthead/contract/kernel/operation'
import { Problem } from '@masthead/contract/kernel/problem'
import type { Actor, Tx } from '../../kernel/app.ts'
import { addJob } from '../../kernel/jobs/jobs.ts'
import { record } from '../../kernel/record.ts'
import { findCard } from '../cards/index.ts'
import { lockBalance } from '../ledger/index.ts'
import { openStates } from '../payments/index.ts'
import { findBalanceRules } from './balance-rules.ts'

/** Locked in the order of all that moves money: the balance, then its rule. */
export async function lockRule(tx: Tx, { account_id }: Actor) {
  const account = await lockBalance(tx, account_id)
  if (!account) throw new Problem(billingOff)
  await tx
    .insertInto('balance_rule')
    .values({ account_id })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const rule = await tx.selectFrom('balance_rule').selectAll().where('account_id', '=', account_id).forUpdate().executeTakeFirstOrThrow()
  return { rule, currency: account.currency as Currency }
}

export const rulesOf = async (tx: Tx, actor: Actor): Promise<BalanceRules> => (await findBalanceRules(tx, actor))!

/** What it is below then is notified anew. Throws billing_off. */
export async function setBalanceWarnings(tx: Tx, actor: Actor, body: Parsed<typeof warningsOp>['body']): Promise<BalanceRules> {
  const { rule, currency } = await lockRule(tx, actor)
  const { warn_micros, urgent_micros } = body
  if (warn_micros !== rule.warn_micros || urgent_micros !== rule.urgent_micros) {
    await tx
      .updateTable('balance_rule')
      .set({ warn_micros, urgent_micros, ...(warn_micros === null && urgent_micros === null && { told: null }) })
      .where('account_id', '=', actor.account_id)
      .execute()
    const words = (amount: number | null) => (amount === null ? null : formatMoney(micros(amount), currency))
    await record(tx, actor, balanceWarningsChanged, { warn: words(warn_micros), urgent: words(urgent_micros) })
  }
  return rulesOf(tx, actor)
}

/** Switched on, or changed while it is on, it starts anew: earlier failures do not count. Throws billing_off, no_card. */
export async function setRefill(tx: Tx, actor: Actor, body: Parsed<typeof refillOp>['body']): Promise<BalanceRules> {
  const { rule, currency } = await lockRule(tx, actor)
  const { is_on, mode, below_micros, amount_micros, month_limit_micros } = body
  if (is_on && !(await findCard(tx, actor.account_id, null))) throw new Problem(noCard)
  const wanted = {
    refill_on: is_on,
    refill_mode: mode,
    refill_below_micros: below_micros,
    refill_amount_micros: amount_micros,
    refill_month_limit_micros: month_limit_micros,
  }
  if (Object.entries(wanted).some(([name, value]) => rule[name as keyof typeof wanted] !== value)) {
    await tx
      .updateTable('balance_rule')
      .set({ ...wanted, refill_armed_at: actor.at, refill_asked_at: null, refill_limit_month: null, refill_stopped_words: null })
      .where('account_id', '=', actor.account_id)
      .execute()
    const words = (amount: number) => formatMoney(micros(amount), currency)
    const said = { below: words(below_micros), amount: words(amount_micros), month_limit: words(month_limit_micros) }
    await record(tx, actor, refillChanged, { is_on, mode, ...said })
  }
  return rulesOf(tx, actor)
}

/**
 * Does not wait until it is tried again: earlier failures count no more, and what switched it off is over. What is bought follows its rules as ever.
 * Where nothing failed nothing is done. Throws billing_off, no_card, top_up_open.
 */
export async function retryRefill(tx: Tx, actor: Actor): Promise<BalanceRules> {
  const { account_id, at } = actor
  const { rule } = await lockRule(tx, actor)
  const card = await findCard(tx, account_id, null)
  if (!card) throw new Problem(noCard)
  const payments = tx.selectFrom('top_up').select('state').where('account_id', '=', account_id)
  const open = await payments.where('state', 'in', [...openStates]).executeTakeFirst()
  if (open) throw new Problem(topUpOpen)
  const rules = await rulesOf(tx, actor)
  if (!rules.refill || (rules.refill.failures === 0 && rules.refill.stopped_words === null)) return rules
  const armed = { refill_on: true, refill_armed_at: at, refill_asked_at: at, refill_stopped_words: null }
  await tx.updateTable('balance_rule').set(armed).where('account_id', '=', rule.account_id).execute()
  await record(tx, actor, refillRetried, { payment_method: card.name })
  await addJob(tx, 'billing.refill_balance', { account_id })
  return rulesOf(tx, actor)
}
