import { sql } from 'kysely'
import { assetsChanged } from '@masthead/contract/assets/bulk/events'
import { newId } from '@masthead/contract/kernel/id'
import { mayRead } from '../../activities/index.ts'
import type { App, Db } from '../../kernel/app.ts'
import { listenedBy, type HappenedEvent } from '../../kernel/jobs/effects.ts'
import { forgetRows } from '../../kernel/jobs/forget-rows.ts'
import { receivedBy, makerOf } from './webhook-maker.ts'

/** More deliveries than this do not wait for one webhook: further ones are logged as failed, to be sent again by hand. */
export const mostWaiting = 10_000

/** Puts an event into the log of every webhook that is to send it. Safe to repeat: one delivery per webhook and event. */
export async function addDeliveries({ db, clock }: App, { account_id, id, name, at, detail }: HappenedEvent): Promise<void> {
  const stoodFor = name === assetsChanged.name ? assetsChanged.standsFor!(assetsChanged.detail.parse(detail)) : []
  const webhooks = await db
    .selectFrom('webhook')
    .select(['webhook.id', 'webhook.tags', makerOf])
    .where('webhook.account_id', '=', account_id)
    .where('webhook.disabled_at', 'is', null)
    .where('webhook.created_at', '<=', at)
    .where(sql<boolean>`webhook.events && ${[name, ...stoodFor].flatMap(listenedBy)}::text[]`)
    // A change of a webhook is not sent by itself.
    .where('webhook.id', '<>', typeof detail.webhook_id === 'string' ? detail.webhook_id : '')
    .execute()
  for (const webhook of webhooks) {
    const receives = receivedBy(webhook.tags, webhook.maker, clock.now())
    if ('ended' in receives || !(await mayRead(db, { account_id, ...receives }, id))) continue
    const full = await isFull(db, account_id, webhook.id)
    const delivery = {
      account_id,
      id: newId('delivery', clock.now().getTime()),
      webhook_id: webhook.id,
      event_id: id,
      type: name,
      state: full ? ('failed' as const) : ('waiting' as const),
      created_at: at,
      due_at: full ? null : clock.now(),
      done_at: full ? clock.now() : null,
    }
    await db.transaction().execute((tx) =>
      tx
        .insertInto('webhook_delivery')
        .values(delivery)
        .onConflict((conflict) => conflict.columns(['account_id', 'webhook_id', 'event_id']).doNothing())
        .execute()
    )
  }
}

export async function isFull(db: Db, account_id: string, webhook_id: string): Promise<boolean> {
  const last = await db
    .selectFrom('webhook_delivery')
    .select('id')
    .where('account_id', '=', account_id)
    .where('webhook_id', '=', webhook_id)
    .where('due_at', 'is not', null)
    .limit(1)
    .offset(mostWaiting - 1)
    .executeTakeFirst()
  return last !== undefined
}

/** Forgets deliveries that ended so long ago, in pieces. */
export const forgetDeliveries = (app: App): Promise<void> =>
  forgetRows(app, 'webhook_delivery', sql`done_at < ${new Date(app.clock.now().getTime() - 14 * 86_400_000)}`)
