import type { CardError, Entity } from './entity.ts'

type Words = { type: 'invalid_request_error' | 'idempotency_error' | 'api_error'; code?: string; param?: string; message: string }

/** An answer other than 200, in the form of Stripe's errors. */
export class Refusal extends Error {
  readonly status: number
  readonly error: Words | (CardError & Record<string, unknown>)

  constructor(status: number, error: Words | (CardError & Record<string, unknown>)) {
    super(error.message)
    this.status = status
    this.error = error
  }
}

export const invalid = (message: string, param?: string) =>
  new Refusal(400, { type: 'invalid_request_error', message, ...(param && { param }) })
export const missing = (what: string, id: unknown, param = 'id') =>
  new Refusal(404, { type: 'invalid_request_error', code: 'resource_missing', param, message: `No such ${what}: '${String(id)}'` })

/** A card that was refused, with the intent that it was used for as it is now. */
export const cardRefused = (error: CardError, intent: { name: 'setup_intent' | 'payment_intent'; is: Entity; payment_method: unknown }) =>
  new Refusal(402, { ...error, [intent.name]: intent.is, payment_method: intent.payment_method })
