import type { payBack as payBackOp, setAtZero as atZeroOp, setTax as taxOp } from '@masthead/contract/backoffice/money-operations'
import { atZeroChanged, payBackAsked, taxChanged } from '@masthead/contract/billing/events'
import type { Balance } from '@masthead/contract/billing/ledger'
import { formatMoney, micros } from '@masthead/contract/billing/money'
import { taxWords } from '@masthead/contract/billing/invoices/tax'
import type { Parsed } from '@masthead/contract/kernel/operation'
import { getBalance, putAtZero, putTax } from '../../billing/ledger/index.ts'
import { askToPayBack } from '../../billing/payments/index.ts'
import type { Actor, Tx } from '../../kernel/app.ts'
import { recordStaff } from '../staff/staff-log.ts'
import { getBilled } from './change-money.ts'

/** Throws not_found, billing_off, staff_own_account, staff_may_more. */
export async function setAtZero(
  tx: Tx,
  actor: Actor,
  email: string,
  { at_zero, reason }: Parsed<typeof atZeroOp>['body']
): Promise<Balance> {
  const { account } = await getBilled(tx, actor, email)
  if (await putAtZero(tx, account.id, at_zero))
    await recordStaff(tx, actor, atZeroChanged, { at_zero, reason }, { account, reason, after: { at_zero } })
  return (await getBalance(tx, account.id, actor.at))!
}

/** Throws not_found, billing_off, staff_own_account, staff_may_more. */
export async function setTax(tx: Tx, actor: Actor, email: string, { tax, reason }: Parsed<typeof taxOp>['body']): Promise<Balance> {
  const { account } = await getBilled(tx, actor, email)
  await putTax(tx, account.id, tax)
  const words = tax && taxWords(tax)
  await recordStaff(tx, actor, taxChanged, { tax: words, reason }, { account, reason, after: { tax: words } })
  return (await getBalance(tx, account.id, actor.at))!
}

/** Throws not_found, billing_off, not_correctable, staff_own_account, staff_may_more. */
export async function payBack(
  tx: Tx,
  actor: Actor,
  email: string,
  transaction_id: string,
  { amount_micros, reason }: Parsed<typeof payBackOp>['body']
): Promise<{ amount_micros: number }> {
  const { account, currency, by } = await getBilled(tx, actor, email)
  const asked = { account_id: by.account_id, by: by.actor, at: by.at, transaction_id, amount_micros: micros(amount_micros), reason }
  const { id: top_up_id, card_name } = await askToPayBack(tx, asked)
  const detail = { top_up_id, payment_method: card_name, amount: formatMoney(micros(amount_micros), currency), reason }
  await recordStaff(tx, actor, payBackAsked, detail, { account, reason, after: detail })
  return { amount_micros }
}
