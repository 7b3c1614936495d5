import { createHmac, randomBytes } from 'node:crypto'
import type { Entity } from './entity.ts'
import type { Store } from './store.ts'

export type Event = Entity & {
  object: 'event'
  type: string
  data: { object: Entity }
  api_version: string
  livemode: false
  pending_webhooks: number
}

/** Where events are posted, and the secret that they are signed with. */
export type Webhook = { url: string; secret: string }

const triesAfter = [0, 500, 2000, 8000, 30_000] // ms

/** What happened, in a list and by webhook. What a receiver does not take is posted again, five times in all; later it is in the list alone. */
export class Events {
  readonly #store: Store
  readonly #webhook: Webhook | null
  readonly #now: () => Date
  readonly #timers = new Set<NodeJS.Timeout>()

  constructor({ store, webhook, now }: { store: Store; webhook: Webhook | null; now: () => Date }) {
    this.#store = store
    this.#webhook = webhook
    this.#now = now
  }

  happened(type: string, object: Entity, after = 0) {
    if (after > 0) return this.later(after, () => this.happened(type, object))
    const created = seconds(this.#now())
    const event = this.#store.put<Event>({
      id: newId('evt'),
      object: 'event',
      type,
      api_version: '2026-10-28',
      created,
      livemode: false,
      pending_webhooks: this.#webhook ? 1 : 0,
      data: { object: structuredClone(object) },
    })
    if (this.#webhook) this.later(triesAfter[0]!, () => void this.#post(event, 0))
  }

  close() {
    for (const timer of this.#timers) clearTimeout(timer)
  }

  async #post(event: Event, tries: number) {
    const { url, secret } = this.#webhook!
    const body = JSON.stringify(event, null, 2)
    const isTaken = await fetch(url, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature(body, secret, this.#now()) },
      redirect: 'manual',
      signal: AbortSignal.timeout(10_000),
    }).then(
      ({ status }) => status >= 200 && status < 300,
      () => false
    )
    const next = triesAfter[tries + 1]
    if (isTaken) this.#store.put({ ...event, pending_webhooks: 0 })
    else if (next !== undefined) this.later(next, () => void this.#post(event, tries + 1))
  }

  /** Not after the sandbox was closed. */
  later(after: number, act: () => void) {
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      act()
    }, after)
    this.#timers.add(timer.unref())
  }
}

export const seconds = (at: Date) => Math.floor(at.getTime() / 1000)
export const newId = (kind: string) => `${kind}_${randomBytes(12).toString('hex')}`

/** As Stripe signs: https://docs.stripe.com/webhooks/signature. */
export function signature(body: string, secret: string, at: Date): string {
  const time = seconds(at)
  return `t=${time},v1=${createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')}`
}
