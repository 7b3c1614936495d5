import type { App } from '../../kernel/app.ts'
import { idOf, providerOf } from '../cards/index.ts'
import { eachOf } from '../../kernel/jobs/each-of.ts'
import { settlePayment } from './settle-payment.ts'

const lookBack = 3 * 86_400 // s
const mostLookedAt = 1000
/** What was paid back or disputed, and how that ended. */
const looked = [
  'charge.refunded',
  'refund.failed',
  'refund.updated',
  'charge.dispute.created',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.closed',
] as const

/**
 * Asks the provider what was paid back or disputed of late: a hook may be lost, and whoever disputes a payment would keep what they bought with it. A
 * payment whose last event was read before is passed over.
 */
export async function checkEvents(app: App): Promise<void> {
  const provider = providerOf(app)
  if (!provider) return
  const created = { gte: Math.floor(app.clock.now().getTime() / 1000) - lookBack }
  const events = await provider.events.list({ types: [...looked], created, limit: 100 }).autoPagingToArray({ limit: mostLookedAt })
  const last = new Map<string, string>()
  // The newest come first.
  for (const { id, data } of events) {
    const payment = idOf((data.object as { payment_intent?: string | { id: string } | null }).payment_intent)
    if (payment !== null && !last.has(payment)) last.set(payment, id)
  }
  if (last.size === 0) return
  const rows = await app.db
    .selectFrom('top_up')
    .select(['provider_id', 'seen_event'])
    .where('provider_id', 'in', [...last.keys()])
    .execute()
  await eachOf(rows, async ({ provider_id, seen_event }) => {
    const newest = last.get(provider_id!)!
    if (seen_event === newest) return
    await settlePayment(app, { provider_id: provider_id! })
    await app.db
      .transaction()
      .execute((tx) => tx.updateTable('top_up').set({ seen_event: newest }).where('provider_id', '=', provider_id).execute())
  })
}
