import { sql } from 'kysely'
import { deliveryReplayed, webhookTested } from '@masthead/contract/developers/events'
import { deliveryUnderWay, webhookDisabled } from '@masthead/contract/developers/problems'
import { failuresToPause, type Delivery } from '@masthead/contract/developers/webhook'
import { newId } from '@masthead/contract/kernel/id'
import { Problem } from '@masthead/contract/kernel/problem'
import type { Actor, Tx } from '../../kernel/app.ts'
import { record } from '../../kernel/record.ts'
import { getDeliveryForUpdate } from './delivery-queries.ts'
import { testType } from './webhook-body.ts'
import { getWebhook, getWebhookForUpdate } from './webhook-queries.ts'

/** Sends a test, which is signed, logged and tried again like any delivery. */
export async function testWebhook(tx: Tx, actor: Actor, webhook_id: string): Promise<Delivery> {
  const webhook = await getWebhookForUpdate(tx, actor, webhook_id)
  await needEnabled(tx, actor, webhook_id)
  const id = newId('delivery', actor.at.getTime())
  const { account_id, at } = actor
  await tx
    .insertInto('webhook_delivery')
    .values({ account_id, id, webhook_id, event_id: null, type: testType, state: 'waiting', created_at: at, due_at: at })
    .execute()
  if (webhook.failures >= failuresToPause) await tryThisNext(tx, actor, webhook_id, id)
  await record(tx, actor, webhookTested, { webhook_id, webhook_name: webhook.name })
  return getDeliveryForUpdate(tx, actor, webhook_id, id)
}

/** Sends a delivery again under its own id, with all its tries before it: whoever took it already knows it by that id. */
export async function replayDelivery(tx: Tx, actor: Actor, webhook_id: string, id: string): Promise<Delivery> {
  const webhook = await getWebhookForUpdate(tx, actor, webhook_id)
  const delivery = await getDeliveryForUpdate(tx, actor, webhook_id, id)
  await needEnabled(tx, actor, webhook_id)
  if (delivery.state === 'sending') throw new Problem(deliveryUnderWay)
  await tx
    .updateTable('webhook_delivery')
    .set({ state: 'waiting', due_at: actor.at, done_at: null, round_tries: 0 })
    .where('account_id', '=', actor.account_id)
    .where('id', '=', id)
    .execute()
  if (webhook.failures >= failuresToPause) await tryThisNext(tx, actor, webhook_id, id)
  await record(tx, actor, deliveryReplayed, { webhook_id, webhook_name: webhook.name, delivery_id: id, type: delivery.type })
  return getDeliveryForUpdate(tx, actor, webhook_id, id)
}

/** Whoever sends by hand looks for the answer: to a webhook that is paused it goes now, as its single try, before all that waits. */
async function tryThisNext(tx: Tx, { account_id, at }: Actor, webhook_id: string, id: string) {
  await tx.updateTable('webhook').set({ next_try_at: at }).where('account_id', '=', account_id).where('id', '=', webhook_id).execute()
  await sql`update webhook_delivery set due_at = least(due_at, (select min(due_at) - interval '1 millisecond' from webhook_delivery
    where account_id = ${account_id} and webhook_id = ${webhook_id} and state = 'waiting' and id <> ${id}))
    where account_id = ${account_id} and id = ${id}`.execute(tx)
}

async function needEnabled(tx: Tx, actor: Actor, webhook_id: string) {
  if ((await getWebhook(tx, actor, webhook_id)).state === 'disabled') throw new Problem(webhookDisabled)
}
