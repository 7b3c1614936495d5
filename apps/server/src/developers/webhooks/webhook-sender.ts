import { sql } from 'kysely'
import { usageHour } from '@masthead/contract/developers/webhook'
import { mayRead, type Reader } from '../../activities/index.ts'
import type { App } from '../../kernel/app.ts'
import { repeat } from '../../kernel/jobs/repeat.ts'
import { claimDeliveries, type Claimed } from './claim-deliveries.ts'
import { finishDelivery } from './finish-delivery.ts'
import { postWebhook, type Posted } from './post-webhook.ts'
import { signedHeaders, decryptWebhookSecret } from './sign-webhook.ts'
import { seesUsage } from './usage-hours.ts'
import { bodyOf } from './webhook-body.ts'
import { endedWords, receivedBy, makerOf } from './webhook-maker.ts'

/** Waiting for an answer costs a process next to nothing, so many receivers are waited for at once. */
const atOnce = 200
const lookEvery = 500 // ms

type Sending = {
  /** The address of a receiver that this very process runs (the demo's): it alone may be on this machine whatever the configuration says. */
  ownReceiver?: string | undefined
  signal?: AbortSignal
}

/** Sends what is due until stopped. A receiver that is slow takes its own few places and nobody else's. */
export function startWebhookSender(app: App, { ownReceiver }: Pick<Sending, 'ownReceiver'> = {}): { stop: () => Promise<void> } {
  const stopping = new AbortController()
  const sending = new Set<Promise<void>>()
  const look = async () => {
    const claimed = sending.size < atOnce ? await claimDeliveries(app, atOnce - sending.size) : []
    for (const each of claimed) {
      const work = sendDelivery(app, each, { ownReceiver, signal: stopping.signal }).finally(() => sending.delete(work))
      sending.add(work)
    }
    return false
  }
  const looking = repeat(app, 'sending webhooks', look, lookEvery)
  return {
    stop: async () => {
      await looking.stop()
      stopping.abort()
      await Promise.all(sending)
    },
  }
}

/** Sends all that is due now and waits for it (tests). Says how many. */
export async function sendDue(app: App, sending: Sending = {}): Promise<number> {
  let sent = 0
  for (;;) {
    const claimed = await claimDeliveries(app, atOnce)
    if (claimed.length === 0) return sent
    await Promise.all(claimed.map((each) => sendDelivery(app, each, sending)))
    sent += claimed.length
  }
}

/** Never throws: what goes wrong here is tried again once its lease has ended. */
async function sendDelivery(app: App, claimed: Claimed, sending: Sending): Promise<void> {
  try {
    const posted = await post(app, claimed, sending)
    if (posted) await finishDelivery(app, claimed, posted)
  } catch (error) {
    if (sending.signal?.aborted) await giveBack(app, claimed).catch(() => {})
    else app.log.warn({ err: error, delivery: claimed.id }, 'a webhook could not be sent and will be tried again')
  }
}

const notMeant = (words: string): Posted => ({ status: null, duration_ms: 0, words, reply: '' })

async function post(app: App, claimed: Claimed, { ownReceiver, signal }: Sending): Promise<Posted | null> {
  const { db, clock, config } = app
  const webhook = await findTarget(app, claimed)
  if (!webhook) return null
  const receives = receivedBy(webhook.tags, webhook.maker, clock.now())
  if ('ended' in receives) return notMeant(endedWords[receives.ended])
  const reader = { account_id: claimed.account_id, ...receives }
  const withheld = await whyWithheld(app, reader, claimed)
  if (withheld) return notMeant(withheld)
  const at = clock.now()
  const encrypted = [webhook.sealed_secret]
  if (webhook.previous_sealed_secret && webhook.previous_secret_ends_at! > at) encrypted.push(webhook.previous_sealed_secret)
  const secrets = await Promise.all(encrypted.map((each) => decryptWebhookSecret(db, claimed.webhook_id, each)))
  const body = await bodyOf(db, reader, claimed)
  return postWebhook({
    url: webhook.url,
    headers: signedHeaders({ id: claimed.id, at, body, secrets }),
    body,
    allowPrivate: config.webhookPrivate || webhook.url === ownReceiver,
    ...(signal && { signal }),
  })
}

async function whyWithheld({ db }: App, reader: Reader, { type, event_id }: Claimed): Promise<string | null> {
  if (type === usageHour) return seesUsage(reader) ? null : 'The creator of this webhook may no longer see usage'
  return event_id === null || (await mayRead(db, reader, event_id)) ? null : 'The creator of this webhook may no longer see this event'
}

const findTarget = ({ db }: App, { account_id, webhook_id }: Claimed) =>
  db
    .selectFrom('webhook')
    .select(['webhook.url', 'webhook.tags', 'webhook.sealed_secret', 'webhook.previous_sealed_secret', 'webhook.previous_secret_ends_at'])
    .select(makerOf)
    .where('webhook.account_id', '=', account_id)
    .where('webhook.id', '=', webhook_id)
    .where('webhook.disabled_at', 'is', null)
    .executeTakeFirst()

/** A try cut short by our own end did not happen: another process may send it at once. */
const giveBack = ({ db, clock }: App, { account_id, id, tries }: Claimed) =>
  db.transaction().execute((tx) =>
    tx
      .updateTable('webhook_delivery')
      .set({ state: 'waiting', due_at: clock.now(), tries: sql`tries - 1`, round_tries: sql`round_tries - 1` })
      .where('account_id', '=', account_id)
      .where('id', '=', id)
      .where('tries', '=', tries)
      .execute()
  )
