import type {
  giveCredit as giveOp,
  refundCharge as refundOp,
  switchBillingOn as onOp,
} from '@masthead/contract/backoffice/money-operations'
import { billingSwitchedOn, chargeRefunded, creditGiven, creditVoided } from '@masthead/contract/billing/events'
import { billingOff, billingOnAlready } from '@masthead/contract/billing/ledger-problems'
import type { Balance, LedgerTransaction } from '@masthead/contract/billing/ledger'
import { formatMoney, micros } from '@masthead/contract/billing/money'
import { newId } from '@masthead/contract/kernel/id'
import type { Parsed } from '@masthead/contract/kernel/operation'
import { Problem } from '@masthead/contract/kernel/problem'
import { findBillingAccount, getBalance, giveCredits, refundCharged, switchOn, voidCredits } from '../../billing/ledger/index.ts'
import type { Actor, Tx } from '../../kernel/app.ts'
import { getAccountOf } from '../accounts/accounts.ts'
import { recordStaff } from '../staff/staff-log.ts'
import { needStaffRights } from '../staff/staff.ts'

/** The account of an e-mail, where the actor may act on it. Throws not_found, staff_own_account, staff_may_more. */
async function getForeign(tx: Tx, actor: Actor, email: string) {
  const account = await getAccountOf(tx, email)
  await needStaffRights(tx, actor, account, 'Another member of staff has to do this on your own account')
  return account
}

/** The same with billing. Throws billing_off as well. */
export async function getBilled(tx: Tx, actor: Actor, email: string) {
  const account = await getForeign(tx, actor, email)
  const billing = await findBillingAccount(tx, account.id)
  if (!billing) throw new Problem(billingOff)
  return { account, currency: billing.currency, by: { account_id: account.id, actor: actor.email, at: actor.at } }
}

/** Throws not_found, billing_on_already, staff_own_account, staff_may_more. */
export async function switchBillingOn(
  tx: Tx,
  actor: Actor,
  email: string,
  { currency, reason }: Parsed<typeof onOp>['body']
): Promise<Balance> {
  const account = await getForeign(tx, actor, email)
  if (!(await switchOn(tx, { account_id: account.id, currency, by: actor.email, at: actor.at }))) throw new Problem(billingOnAlready)
  await recordStaff(
    tx,
    actor,
    billingSwitchedOn,
    { currency, reason },
    { account, reason, before: { billing: false }, after: { billing: true, currency } }
  )
  return (await getBalance(tx, account.id, actor.at))!
}

/** Throws not_found, billing_off, staff_own_account, staff_may_more. */
export async function giveCredit(tx: Tx, actor: Actor, email: string, body: Parsed<typeof giveOp>['body']): Promise<LedgerTransaction> {
  const { account, currency, by } = await getBilled(tx, actor, email)
  const { reason, expires_at } = body
  const amount_micros = micros(body.amount_micros)
  const given = await giveCredits(tx, {
    ...by,
    reason,
    amount_micros,
    key: newId({ prefix: 'grant' }, actor.at.getTime()),
    expires_at: expires_at ? new Date(expires_at) : null,
  })
  const detail = { transaction_id: given.id, amount: formatMoney(amount_micros, currency), reason, expires_at }
  await recordStaff(tx, actor, creditGiven, detail, { account, reason, after: detail })
  return given
}

/** Throws not_found, billing_off, not_correctable, staff_own_account, staff_may_more. */
export async function voidCredit(tx: Tx, actor: Actor, email: string, id: string, reason: string): Promise<LedgerTransaction> {
  const { account, currency, by } = await getBilled(tx, actor, email)
  const voided = await voidCredits(tx, id, { ...by, reason })
  const detail = { transaction_id: voided.id, amount: formatMoney(micros(0 - voided.amount_micros), currency), reason, corrects: id }
  await recordStaff(tx, actor, creditVoided, detail, { account, reason, after: detail })
  return voided
}

/** Throws not_found, billing_off, not_correctable, staff_own_account, staff_may_more. */
export async function refundCharge(
  tx: Tx,
  actor: Actor,
  email: string,
  id: string,
  { amount_micros, reason }: Parsed<typeof refundOp>['body']
): Promise<LedgerTransaction> {
  const { account, currency, by } = await getBilled(tx, actor, email)
  const key = newId({ prefix: 'refund' }, actor.at.getTime())
  const { refund, charged } = await refundCharged(tx, id, { ...by, reason, currency, key, amount_micros: micros(amount_micros) })
  const amount = formatMoney(refund.amount_micros, currency)
  const detail = { transaction_id: refund.id, amount, reason, corrects: id, description: charged.description }
  await recordStaff(tx, actor, chargeRefunded, detail, { account, reason, after: detail })
  return refund
}
