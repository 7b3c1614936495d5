import { webhookDisabled, webhookPaused, webhookResumed } from '@masthead/contract/developers/events'
import { failuresToPause, mostTries } from '@masthead/contract/developers/webhook'
import { deliveryTried } from '@masthead/contract/signals'
import { systemActor, type App, type Tx } from '../../kernel/app.ts'
import { publish } from '../../kernel/live/publish.ts'
import { record } from '../../kernel/record.ts'
import { stopWebhook } from './change-webhook.ts'
import type { Claimed } from './claim-deliveries.ts'
import type { Posted } from './post-webhook.ts'

const [second, minute, hour, day] = [1000, 60_000, 3_600_000, 86_400_000]
/** Waits after the first try, the second and so on: about 26 hours together. */
const waits = [5 * second, 30 * second, 2 * minute, 10 * minute, 30 * minute, hour, 3 * hour, 8 * hour, 13 * hour]
/** A webhook that failed for so long without a single success is disabled. */
const givenUpAfter = 5 * day
const attemptsKept = 20

/** How long until the try after this one, a fifth more or less, so that what failed together does not come back together; null: no more. */
export const waitAfter = (round_tries: number, random = Math.random()): number | null =>
  round_tries >= mostTries ? null : Math.round(waits[round_tries - 1]! * (0.8 + 0.4 * random))

/** How long a paused webhook waits for its next single try: a minute, two, four, up to an hour. */
export const pauseAfter = (failures: number): number => Math.min(hour, minute * 2 ** Math.min(10, failures - failuresToPause))

/** Keeps how a try ended: in the log, in the health of the webhook, and as an event where it paused, resumed or gave up. */
export async function finishDelivery({ db, clock, log, metrics }: App, claimed: Claimed, posted: Posted): Promise<void> {
  const at = clock.now()
  const { account_id, id } = claimed
  const delivered = posted.words === null
  const wait = delivered ? null : waitAfter(claimed.round_tries)
  const webhook = await db.transaction().execute(async (tx) => {
    // The webhook before its deliveries, as everybody locks them: else who switches it off at this moment would wait for us, and we for them.
    const webhook = await lockWebhook(tx, claimed)
    if (!webhook) return undefined
    const { numUpdatedRows } = await tx
      .updateTable('webhook_delivery')
      .set({
        state: delivered ? 'delivered' : wait === null ? 'failed' : 'waiting',
        due_at: wait === null ? null : new Date(at.getTime() + wait),
        done_at: wait === null ? at : null,
        attempts: JSON.stringify([{ at: at.toISOString(), ...posted }, ...claimed.attempts].slice(0, attemptsKept)),
      })
      .where('account_id', '=', account_id)
      .where('id', '=', id)
      .where('tries', '=', claimed.tries)
      .where('state', '=', 'sending')
      .executeTakeFirstOrThrow()
    // Disabled, deleted or taken over meanwhile: its end is recorded already.
    if (numUpdatedRows === 0n) return undefined
    await (delivered ? noteSuccess(tx, webhook, at) : noteFailure(tx, webhook, at, posted.words!))
    await publish(tx, account_id, deliveryTried)
    return webhook
  })
  if (!webhook) return
  metrics.webhookTries.inc({ outcome: delivered ? 'delivered' : wait === null ? 'given_up' : 'failed' })
  metrics.webhookSeconds.observe(posted.duration_ms / 1000)
  logForOperator(log, webhook, posted)
}

/** A line where a receiver goes down, is paused, and comes back; a try that fails in between has none. An address may hold a secret: only its host is logged. */
function logForOperator(log: App['log'], { account_id, id, url, failures }: Locked, { words, status }: Posted) {
  const target = { webhook: id, account: account_id, host: new URL(url).host }
  if (words === null) {
    if (failures > 0) log.info({ ...target, failures }, 'a webhook is delivered again')
  } else if (failures === 0) log.warn({ ...target, status, words }, 'a webhook could not be delivered and will be tried again')
  else if (failures + 1 === failuresToPause)
    log.warn({ ...target, status, words, failures: failures + 1 }, 'a webhook is paused: it failed too often')
}

const lockWebhook = (tx: Tx, { account_id, webhook_id }: Claimed) =>
  tx.selectFrom('webhook').selectAll().where('account_id', '=', account_id).where('id', '=', webhook_id).forUpdate().executeTakeFirst()

type Locked = NonNullable<Awaited<ReturnType<typeof lockWebhook>>>

const changeWebhook = (tx: Tx, { account_id, id }: Locked) =>
  tx.updateTable('webhook').where('account_id', '=', account_id).where('id', '=', id)

async function noteSuccess(tx: Tx, webhook: Locked, at: Date) {
  await changeWebhook(tx, webhook).set({ failures: 0, failing_since: null, next_try_at: null, last_delivered_at: at }).execute()
  if (webhook.failures >= failuresToPause)
    await record(tx, systemActor(webhook.account_id, at), webhookResumed, { webhook_id: webhook.id, webhook_name: webhook.name })
}

async function noteFailure(tx: Tx, webhook: Locked, at: Date, words: string) {
  const failures = webhook.failures + 1
  const failing_since = webhook.failing_since ?? at
  const paused = failures >= failuresToPause
  const next_try_at = paused ? new Date(at.getTime() + pauseAfter(failures)) : null
  await changeWebhook(tx, webhook).set({ failures, failing_since, next_try_at }).execute()
  const named = { webhook_id: webhook.id, webhook_name: webhook.name }
  const system = systemActor(webhook.account_id, at)
  if (failures === failuresToPause) await record(tx, system, webhookPaused, { ...named, failures, words })
  if (paused && at.getTime() - failing_since.getTime() >= givenUpAfter) {
    await stopWebhook(tx, system, webhook.id, 'failures')
    await record(tx, system, webhookDisabled, { ...named, because: 'failures' })
  }
}
