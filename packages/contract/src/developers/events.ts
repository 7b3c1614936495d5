import * as z from 'zod/mini'
import { event } from '../kernel/event.ts'

const key = z.object({ api_key_id: z.string(), api_key_name: z.string() })
/** What a key may, as far as it matters to whoever reads the log. */
const granted = z.object({
  scopes: z.array(z.string()),
  tags: z.array(z.string()),
  addresses: z.array(z.string()),
  expires_at: z.nullable(z.string()),
  calls_per_minute: z.int(),
})

export const apiKeyCreated = event({
  name: 'developers.api_key_created',
  refreshes: ['developers'],
  effects: ['notifications.update_alerts'],
  detail: z.extend(key, granted.shape),
  sentence: 'Created API key {api_key_name}',
})
export const apiKeyUpdated = event({
  name: 'developers.api_key_updated',
  refreshes: ['developers'],
  detail: z.extend(key, { old_name: z.string(), new_name: z.string(), before: granted, after: granted }),
  sentence: ({ old_name, new_name }) =>
    old_name === new_name ? 'Changed API key {api_key_name}' : 'Renamed API key {old_name} to {new_name}',
})
export const apiKeyRotated = event({
  name: 'developers.api_key_rotated',
  refreshes: ['developers'],
  effects: ['notifications.update_alerts'],
  detail: z.extend(key, { overlap_hours: z.int() }),
  sentence: 'Rotated API key {api_key_name}',
})
export const apiKeyDisabled = event({
  name: 'developers.api_key_disabled',
  refreshes: ['developers'],
  detail: key,
  sentence: 'Disabled API key {api_key_name}',
})
export const apiKeyEnabled = event({
  name: 'developers.api_key_enabled',
  refreshes: ['developers'],
  detail: key,
  sentence: 'Enabled API key {api_key_name}',
})
export const apiKeyDeleted = event({
  name: 'developers.api_key_deleted',
  refreshes: ['developers'],
  detail: key,
  sentence: 'Deleted API key {api_key_name}',
})

const webhook = z.object({ webhook_id: z.string(), webhook_name: z.string() })
const target = z.object({ url: z.string(), events: z.array(z.string()), tags: z.array(z.string()) })

export const webhookCreated = event({
  name: 'developers.webhook_created',
  refreshes: ['developers'],
  effects: ['notifications.update_alerts'],
  detail: z.extend(webhook, target.shape),
  sentence: 'Created webhook {webhook_name}',
})
export const webhookUpdated = event({
  name: 'developers.webhook_updated',
  refreshes: ['developers'],
  detail: z.extend(webhook, { before: target, after: target }),
  sentence: 'Changed webhook {webhook_name}',
})
export const webhookRotated = event({
  name: 'developers.webhook_rotated',
  refreshes: ['developers'],
  detail: z.extend(webhook, { overlap_hours: z.int() }),
  sentence: 'Rotated the secret of webhook {webhook_name}',
})
export const webhookPaused = event({
  name: 'developers.webhook_paused',
  refreshes: ['developers'],
  effects: ['notifications.update_alerts'],
  detail: z.extend(webhook, { failures: z.int(), words: z.string() }),
  sentence: 'Paused webhook {webhook_name} after {failures} failures: {words}',
})
export const webhookResumed = event({
  name: 'developers.webhook_resumed',
  refreshes: ['developers'],
  effects: ['notifications.update_alerts'],
  detail: webhook,
  sentence: 'Webhook {webhook_name} works again',
})
export const webhookDisabled = event({
  name: 'developers.webhook_disabled',
  refreshes: ['developers'],
  effects: ['notifications.update_alerts'],
  detail: z.extend(webhook, { because: z.enum(['person', 'failures']) }),
  sentence: ({ because }) =>
    because === 'person' ? 'Disabled webhook {webhook_name}' : 'Disabled webhook {webhook_name} after days of failures',
})
export const webhookEnabled = event({
  name: 'developers.webhook_enabled',
  refreshes: ['developers'],
  effects: ['notifications.update_alerts'],
  detail: webhook,
  sentence: 'Enabled webhook {webhook_name}',
})
export const webhookDeleted = event({
  name: 'developers.webhook_deleted',
  refreshes: ['developers'],
  effects: ['notifications.update_alerts'],
  detail: webhook,
  sentence: 'Deleted webhook {webhook_name}',
})
export const deliveryReplayed = event({
  name: 'developers.delivery_replayed',
  refreshes: ['developers'],
  detail: z.extend(webhook, { delivery_id: z.string(), type: z.string() }),
  sentence: 'Sent {type} to webhook {webhook_name} again',
})
export const webhookTested = event({
  name: 'developers.webhook_tested',
  refreshes: ['developers'],
  detail: webhook,
  sentence: 'Sent a test to webhook {webhook_name}',
})
