import { sql } from 'kysely'
import { disputeWon, paymentDisputed, paymentRefunded, refundReturned } from '@masthead/contract/billing/events'
import { beforeTax } from '@masthead/contract/billing/invoices/tax'
import { formatMoney, micros, type Currency } from '@masthead/contract/billing/money'
import { systemActor, type Tx } from '../../kernel/app.ts'
import { addJob } from '../../kernel/jobs/jobs.ts'
import { record } from '../../kernel/record.ts'
import { bringBonuses } from '../coupons/index.ts'
import { post } from '../ledger/index.ts'
import type { Returned } from './returned.ts'
import type { TopUpRow } from './top-up-queries.ts'

type Step = { by: 'refund' | 'dispute'; micros: number }
type Of = { row: TopUpRow; at: Date; received: number; credit_id: string; returned: Returned }

/**
 * What was refunded, or is disputed, leaves the balance, also below zero; what of that came back is added again. Answers with what the payment is then. The balance
 * and the payment are locked.
 */
export async function bookReturned(tx: Tx, { row, at, received, credit_id, returned }: Of): Promise<Partial<TopUpRow>> {
  const { account_id, id, disputed_micros } = row
  await failPayBacks(tx, row, returned.failed_pay_backs)
  let gone = row.refunded_micros + row.refunded_tax_micros
  const steps: Step[] = [
    { by: 'dispute' as const, micros: returned.disputed_micros - disputed_micros },
    { by: 'refund' as const, micros: returned.refunded_micros - (gone - disputed_micros) },
  ].filter((step) => step.micros !== 0)
  // What comes back first, so that no more is gone at any time than was paid.
  for (const step of steps.toSorted((a, b) => a.micros - b.micros)) {
    const [before, after] = [beforeTax(gone, row), beforeTax(gone + step.micros, row)]
    const tax = step.micros - (after - before)
    gone += step.micros
    if (after !== before)
      await (after > before ? take : giveAgain)(tx, {
        row,
        at,
        credit_id,
        by: step.by,
        net: after - before,
        tax,
        pay_backs: returned.pay_backs,
      })
    const key = `${id}:${row.looked}:${step.by}`
    await bringBonuses(tx, { account_id, payment_id: id, paid_micros: beforeTax(received, row), returned_micros: after, key, at })
  }
  const net = beforeTax(gone, row)
  return {
    refunded_micros: net,
    refunded_tax_micros: gone - net,
    disputed_micros: returned.disputed_micros,
    disputed_at: returned.disputed_micros > 0 ? (row.disputed_at ?? at) : null,
  }
}

/** Staff asked for them, and they looked done. */
async function failPayBacks(tx: Tx, { account_id, id }: TopUpRow, failed: string[]) {
  if (failed.length === 0) return
  await tx
    .updateTable('pay_back')
    .set({ state: 'failed', words: 'The bank did not take it' })
    .where('account_id', '=', account_id)
    .where('top_up_id', '=', id)
    .where('id', 'in', failed)
    .where('state', '=', 'done')
    .execute()
}

const endPayBacks = (tx: Tx, { account_id, id }: TopUpRow, done: string[]) =>
  tx
    .updateTable('pay_back')
    .set({ state: 'done' })
    .where('account_id', '=', account_id)
    .where('top_up_id', '=', id)
    .where('id', '=', sql<string>`any(${done}::text[])`)
    .where('state', '=', 'asked')
    .execute()

/** Before tax, and the tax; below zero where it comes back. */
type Booked = Pick<Of, 'row' | 'at' | 'credit_id'> & Pick<Returned, 'pay_backs'> & { by: Step['by']; net: number; tax: number }

const postingOf = ({ row, by, net, tax }: Booked) => ({
  account_id: row.account_id,
  // Each check that changes something changes it once.
  key: `payment_${by}:${row.id}:${row.looked}`,
  sub_type: by === 'dispute' ? 'dispute' : 'payment',
  amount_micros: micros(0 - net),
  tax_micros: micros(0 - tax),
  against: 'cash' as const,
  actor: 'system',
  source: 'card' as const,
  payment_id: row.id,
})
const detailOf = ({ row, net }: Booked) => ({
  payment_method: row.card_name,
  top_up_id: row.id,
  amount: formatMoney(micros(Math.abs(net)), row.currency as Currency),
})

async function take(tx: Tx, of: Booked): Promise<void> {
  const { row, at, by, credit_id } = of
  const { account_id, id, card_name } = row
  // Staff asked for it, and said why; what was paid back at the provider itself is no answer to that.
  const asked = await tx
    .selectFrom('pay_back')
    .select('reason')
    .where('account_id', '=', account_id)
    .where('top_up_id', '=', id)
    .where('state', '=', 'asked')
    .where('id', '=', sql<string>`any(${of.pay_backs}::text[])`)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  const from = await findLeft(tx, of)
  const [taken] = await post(tx, at, [
    {
      ...postingOf(of),
      type: by === 'dispute' ? 'adjustment' : 'refund',
      description: by === 'dispute' ? `Payment disputed, ${card_name}` : `Paid back to ${card_name}`,
      corrects: from[0]?.transaction_id ?? credit_id,
      from,
      reason: by === 'refund' ? (asked?.reason ?? null) : null,
    },
  ])
  // It is on the balance no more, so nothing is reserved for it.
  if (by === 'refund') await endPayBacks(tx, row, of.pay_backs)
  if (by === 'refund') await addJob(tx, 'billing.issue_credit_note', { account_id, transaction_id: taken!.id })
  await record(tx, systemActor(account_id, at), by === 'dispute' ? paymentDisputed : paymentRefunded, detailOf(of))
}

/** What is taken of each of the credits of a payment, and of those that came again of it; first of the ones of which most is left. */
async function findLeft(tx: Tx, { row: { account_id, id }, net }: Booked) {
  const left = await tx
    .selectFrom('ledger_grant as g')
    .innerJoin('ledger_transaction as t', (on) => on.onRef('t.account_id', '=', 'g.account_id').onRef('t.id', '=', 'g.transaction_id'))
    .select(['t.id', 'g.remaining_micros'])
    .where('t.account_id', '=', account_id)
    .where('t.payment_id', '=', id)
    .where('g.kind', '=', 'purchased')
    .where('g.remaining_micros', '>', 0)
    .orderBy('g.remaining_micros', 'desc')
    .orderBy('t.id')
    .execute()
  let rest = net
  return left.flatMap(({ id: transaction_id, remaining_micros }) => {
    const amount_micros = Math.min(rest, remaining_micros)
    rest -= amount_micros
    return amount_micros > 0 ? [{ transaction_id, amount_micros }] : []
  })
}

async function giveAgain(tx: Tx, of: Booked): Promise<void> {
  const { row, at, by } = of
  const { account_id, id, card_name } = row
  const taken = await tx
    .selectFrom('ledger_transaction')
    .select('id')
    .where('account_id', '=', account_id)
    .where('payment_id', '=', id)
    .where('sub_type', '=', by === 'dispute' ? 'dispute' : 'payment')
    .where('amount_micros', '<', 0)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
  const [again] = await post(tx, at, [
    {
      ...postingOf(of),
      type: 'adjustment',
      description: by === 'dispute' ? `Dispute won, ${card_name}` : `Not paid back to ${card_name}: the bank did not take it`,
      corrects: taken?.id ?? null,
    },
  ])
  if (by === 'refund') await addJob(tx, 'billing.issue_receipt_again', { account_id, transaction_id: again!.id })
  await record(tx, systemActor(account_id, at), by === 'dispute' ? disputeWon : refundReturned, detailOf(of))
}
