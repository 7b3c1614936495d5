import type { App } from '../../kernel/app.ts'
import { providerOf } from '../cards/index.ts'
import { settlePayment } from './settle-payment.ts'
import { cancelPayment } from './start-top-up.ts'
import { openStates } from './top-up-queries.ts'

const soon = 30_000 // ms
const longAfter = 86_400_000 // ms

/** Asks about payments that nobody said anything of: a hook may be lost, and a browser closed. A bank that is not answered within a day is told so. */
export async function lookAtPayments(app: App): Promise<void> {
  if (!providerOf(app)) return
  const at = app.clock.now().getTime()
  const waiting = await app.db
    .selectFrom('top_up')
    .select(['provider_id', 'state', 'begun_at'])
    .where('state', 'in', [...openStates])
    .where('provider_id', 'is not', null)
    .where('begun_at', '<', new Date(at - soon))
    .orderBy('begun_at')
    .limit(100)
    .execute()
  for (const { provider_id, state, begun_at } of waiting) {
    const isOld = state === 'requires_action' && begun_at.getTime() < at - longAfter
    await (isOld ? cancelPayment : settlePayment)(app, { provider_id: provider_id! })
  }
}
