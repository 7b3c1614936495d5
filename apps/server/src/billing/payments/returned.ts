import type Stripe from 'stripe'

const hundredth = 10_000 // micros
const most = 1000

/** What is not with us any more of a payment, with its tax: it was refunded, or a dispute about it is open or lost. */
export type Returned = {
  refunded_micros: number
  disputed_micros: number
  /** Of ours, those that it made, and those that the bank did not take. */
  pay_backs: string[]
  failed_pay_backs: string[]
}

export const noneReturned: Returned = { refunded_micros: 0, disputed_micros: 0, pay_backs: [], failed_pay_backs: [] }

/** Of a dispute that is won nothing is gone, nor of one that is only asked about. */
const takes = ({ status }: Stripe.Dispute) => status !== 'won' && status !== 'prevented' && !status.startsWith('warning_')
const arrives = ({ status }: Stripe.Refund) => status !== 'failed' && status !== 'canceled'

/** The charge says only that it was disputed once; how that ended is in the disputes. */
export async function findReturned(provider: Stripe, { id, amount_received }: Stripe.PaymentIntent): Promise<Returned> {
  const of = { payment_intent: id, limit: 100 }
  const [refunds, disputes] = await Promise.all([
    provider.refunds.list(of).autoPagingToArray({ limit: most }),
    provider.disputes.list(of).autoPagingToArray({ limit: most }),
  ])
  const refunded = Math.min(amount_received, sumOf(refunds.filter(arrives)))
  const disputed = Math.min(amount_received - refunded, sumOf(disputes.filter(takes)))
  const ours = (which: Stripe.Refund[]) => which.flatMap(({ metadata }) => metadata?.pay_back ?? [])
  return {
    refunded_micros: refunded * hundredth,
    disputed_micros: disputed * hundredth,
    pay_backs: ours(refunds.filter(arrives)),
    failed_pay_backs: ours(refunds.filter((refund) => !arrives(refund))),
  }
}

const sumOf = (all: { amount: number }[]) => all.reduce((sum, { amount }) => sum + amount, 0)
