import * as z from 'zod/mini'
import { Name, Time } from '../kernel/fields.ts'

/** `paused`: too many tries failed one after the other; one delivery is tried now and again until one succeeds. */
export const WebhookState = z.enum(['active', 'paused', 'disabled'])
export type WebhookState = z.output<typeof WebhookState>
/** `waiting` for its first or next try, `sending` right now; `failed`: no more tries by itself. */
export const DeliveryState = z.enum(['waiting', 'sending', 'delivered', 'failed'])
export type DeliveryState = z.output<typeof DeliveryState>

/** How often a delivery is tried before it is given up, over about 26 hours. */
export const mostTries = 10
/** So many failed tries in a row pause a webhook. */
export const failuresToPause = 10

/**
 * What a webhook can send besides events: what each SIM used in an hour that is over, some hundred SIMs a delivery. It is chosen by this name alone, and is not among all
 * events. Sent some minutes after the hour; what is reported later still is not sent.
 */
export const usageHour = 'usage.hour'

export const Webhook = z.object({
  id: z.string(),
  name: z.string(),
  url: z.string(),
  /** Names of events (`assets.sim_blocked`), whole areas (`assets.*`), or `*` for all; `usage.hour` for usage. */
  events: z.array(z.string()),
  /** Tags that limit of which assets it sends events; none: of all that its maker sees. `name` is null when the tag is gone. */
  tags: z.array(z.object({ id: z.string(), name: z.nullable(z.string()) })),
  state: WebhookState,
  /** Why it is disabled: by a person, by days of failures, or because who made it left the team, may no longer read activities, or was an API key that ended. */
  disabled_because: z.nullable(z.enum(['person', 'failures', 'maker_gone', 'maker_limited', 'key_ended'])),
  created_by: z.string(),
  created_at: Time,
  /** Failed tries in a row. */
  failures: z.int(),
  failing_since: z.nullable(Time),
  next_try_at: z.nullable(Time),
  last_delivered_at: z.nullable(Time),
  /** Deliveries that wait for a try. */
  waiting: z.int(),
  /** After a rotation: until then the signature of the secret before is sent too. */
  previous_secret_ends_at: z.nullable(Time),
})
export type Webhook = z.output<typeof Webhook>

/** As it is handed out, once: `secret` (`whsec_…`) checks the signature of what arrives. */
export const WebhookOnce = z.extend(Webhook, { secret: z.string() })
export type WebhookOnce = z.output<typeof WebhookOnce>

export const Attempt = z.object({
  at: Time,
  /** The HTTP status it was answered with; null: there was no answer. */
  status: z.nullable(z.int()),
  duration_ms: z.int(),
  /** Why it failed, in words; null: it did not. */
  words: z.nullable(z.string()),
  /** The first bytes of the answer. */
  reply: z.string(),
})
export type Attempt = z.output<typeof Attempt>

export const Delivery = z.object({
  id: z.string(),
  webhook_id: z.string(),
  /** What is sent: an event's name, `usage.hour` or `webhook.test`. */
  type: z.string(),
  event_id: z.nullable(z.string()),
  state: DeliveryState,
  created_at: Time,
  tries: z.int(),
  next_try_at: z.nullable(Time),
  last_try_at: z.nullable(Time),
  status: z.nullable(z.int()),
  duration_ms: z.nullable(z.int()),
  words: z.nullable(z.string()),
})
export type Delivery = z.output<typeof Delivery>

/** With all that was sent and answered; the newest tries first, at most 20. */
export const DeliveryDetail = z.extend(Delivery, {
  /** Null where `withheld` says why. */
  body: z.nullable(z.string()),
  /** Why body and answers are not shown, in words: that takes `developers.edit` and `overview.view`. */
  withheld: z.nullable(z.string()),
  attempts: z.array(Attempt),
})
export type DeliveryDetail = z.output<typeof DeliveryDetail>

const EventChoice = z
  .string()
  .check(z.regex(/^(\*|[a-z_]+\.(\*|[a-z_]+))$/, 'Enter the name of an event, like assets.sim_blocked, or assets.*'))

const fields = {
  name: Name,
  url: z
    .string()
    .check(
      z.trim(),
      z.maxLength(1000, 'Use at most 1,000 characters'),
      z.regex(/^https?:\/\/\S+$/i, 'Enter an address, like https://example.com/hooks')
    ),
  events: z.array(EventChoice).check(z.minLength(1, 'Choose at least one event'), z.maxLength(200)),
  tags: z.array(z.string().check(z.maxLength(120))).check(z.maxLength(50, 'Use at most 50 tags')),
}
export const CreateWebhookBody = z.object({ ...fields, tags: z._default(fields.tags, []) })
export const UpdateWebhookBody = z.partial(z.object(fields))
