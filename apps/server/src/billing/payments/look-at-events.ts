import type { App } from '../../kernel/app.ts'
import { idOf, providerOf } from '../cards/index.ts'
import { settlePayment } from './settle-payment.ts'

const lookBack = 3 * 86_400 // s
const mostLookedAt = 1000
const hundredth = 10_000 // micros

/**
 * Asks the provider what was paid back or disputed of late: a hook may be lost, and whoever disputes a payment would keep what they bought with it. What the
 * books have already is passed over.
 */
export async function lookAtEvents(app: App): Promise<void> {
  const provider = providerOf(app)
  if (!provider) return
  const created = { gte: Math.floor(app.clock.now().getTime() / 1000) - lookBack }
  const events = await provider.events
    .list({ types: ['charge.refunded', 'charge.dispute.created'], created, limit: 100 })
    .autoPagingToArray({ limit: mostLookedAt })
  const told = new Map<string, { refunded: number; isDisputed: boolean }>()
  for (const event of events) {
    if (event.type !== 'charge.refunded' && event.type !== 'charge.dispute.created') continue
    const { object } = event.data
    const payment = idOf(object.payment_intent)
    if (payment === null) continue
    const before = told.get(payment) ?? { refunded: 0, isDisputed: false }
    const refunded = object.object === 'charge' ? Math.max(before.refunded, object.amount_refunded * hundredth) : before.refunded
    told.set(payment, { refunded, isDisputed: before.isDisputed || object.object === 'dispute' })
  }
  if (told.size === 0) return
  const rows = await app.db
    .selectFrom('top_up')
    .select(['provider_id', 'refunded_micros', 'refunded_tax_micros', 'disputed_at'])
    .where('provider_id', 'in', [...told.keys()])
    .execute()
  for (const row of rows) {
    const { refunded, isDisputed } = told.get(row.provider_id!)!
    const isBooked = row.disputed_at !== null || (!isDisputed && row.refunded_micros + row.refunded_tax_micros >= refunded)
    if (!isBooked) await settlePayment(app, { provider_id: row.provider_id! })
  }
}
