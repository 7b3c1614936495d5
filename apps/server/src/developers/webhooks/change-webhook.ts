import { webhookDeleted, webhookDisabled, webhookEnabled, webhookRotated, webhookUpdated } from '@masthead/contract/developers/events'
import { usageHour, type UpdateWebhookBody, type Webhook, type WebhookOnce } from '@masthead/contract/developers/webhook'
import type * as z from 'zod/mini'
import type { Actor, Tx } from '../../kernel/app.ts'
import { record } from '../../kernel/record.ts'
import { readEvents, readUrl, refuseDeaf } from './create-webhook.ts'
import { readTags } from '../index.ts'
import { makeWebhookSecret, encryptWebhookSecret } from './sign-webhook.ts'
import { getWebhook, getWebhookForUpdate } from './webhook-queries.ts'

const webhookOf = ({ account_id }: Actor, tx: Tx, id: string) =>
  tx.updateTable('webhook').where('account_id', '=', account_id).where('id', '=', id)

/** Changes where it sends to and what. */
export async function updateWebhook(
  tx: Tx,
  actor: Actor,
  id: string,
  body: z.output<typeof UpdateWebhookBody>,
  rules: { allowPrivate: boolean }
): Promise<Webhook> {
  const row = await getWebhookForUpdate(tx, actor, id)
  const before = await getWebhook(tx, actor, id)
  const changed = {
    name: body.name ?? row.name,
    url: body.url === undefined || body.url === row.url ? row.url : readUrl(body.url, rules),
    events: body.events ? readEvents(body.events) : row.events,
    tags: body.tags ? await readTags(tx, actor, body.tags) : row.tags,
  }
  if (changed.url !== row.url || body.events) refuseDeaf(actor, changed.events)
  // Whoever says where it goes answers for it from now on: it ends with their rights.
  const maker = changed.url === row.url ? {} : { created_by: actor.person_id, created_key: actor.key?.id ?? null }
  await webhookOf(actor, tx, id)
    .set({ ...changed, ...maker, ...(!row.events.includes(usageHour) && { usage_until: null }) })
    .execute()
  const after = await getWebhook(tx, actor, id)
  if (JSON.stringify(before) !== JSON.stringify(after))
    await record(tx, actor, webhookUpdated, { webhook_id: id, webhook_name: after.name, before: targetOf(before), after: targetOf(after) })
  return after
}

const targetOf = ({ url, events, tags }: Webhook) => ({ url, events, tags: tags.map((tag) => tag.name ?? tag.id) })

/** Gives it a new secret; for `overlap_hours` the one before signs too. */
export async function rotateWebhook(tx: Tx, actor: Actor, id: string, { overlap_hours }: { overlap_hours: number }): Promise<WebhookOnce> {
  const row = await getWebhookForUpdate(tx, actor, id)
  const secret = makeWebhookSecret()
  await webhookOf(actor, tx, id)
    .set({
      sealed_secret: encryptWebhookSecret(tx, id, secret),
      previous_sealed_secret: overlap_hours > 0 ? row.sealed_secret : null,
      previous_secret_ends_at: overlap_hours > 0 ? new Date(actor.at.getTime() + overlap_hours * 3_600_000) : null,
    })
    .execute()
  await record(tx, actor, webhookRotated, { webhook_id: id, webhook_name: row.name, overlap_hours })
  return { ...(await getWebhook(tx, actor, id)), secret }
}

/** Stops it; what waits is given up. */
export async function disableWebhook(tx: Tx, actor: Actor, id: string): Promise<Webhook> {
  const row = await getWebhookForUpdate(tx, actor, id)
  if (!row.disabled_at) {
    await stopWebhook(tx, actor, id, 'person')
    await record(tx, actor, webhookDisabled, { webhook_id: id, webhook_name: row.name, because: 'person' })
  }
  return getWebhook(tx, actor, id)
}

/** Switches a webhook off and gives up what waits for it. */
export async function stopWebhook(tx: Tx, actor: Actor, id: string, because: 'person' | 'failures'): Promise<void> {
  await webhookOf(actor, tx, id).set({ disabled_at: actor.at, disabled_because: because, next_try_at: null }).execute()
  await tx
    .updateTable('webhook_delivery')
    .set({ state: 'failed', due_at: null, done_at: actor.at })
    .where('account_id', '=', actor.account_id)
    .where('webhook_id', '=', id)
    .where('due_at', 'is not', null)
    .execute()
}

/** Switches it on again, or wakes one that is paused: its failures are forgotten. */
export async function enableWebhook(tx: Tx, actor: Actor, id: string): Promise<Webhook> {
  const row = await getWebhookForUpdate(tx, actor, id)
  if (row.disabled_at || row.failures > 0) {
    await webhookOf(actor, tx, id)
      .set({
        disabled_at: null,
        disabled_because: null,
        failures: 0,
        failing_since: null,
        next_try_at: null,
        ...(row.disabled_at && { usage_until: null }),
      })
      .execute()
    await record(tx, actor, webhookEnabled, { webhook_id: id, webhook_name: row.name })
  }
  return getWebhook(tx, actor, id)
}

/** Deletes it with its log. */
export async function deleteWebhook(tx: Tx, actor: Actor, id: string): Promise<void> {
  const row = await getWebhookForUpdate(tx, actor, id)
  await tx.deleteFrom('webhook').where('account_id', '=', actor.account_id).where('id', '=', id).execute()
  await record(tx, actor, webhookDeleted, { webhook_id: id, webhook_name: row.name })
}
