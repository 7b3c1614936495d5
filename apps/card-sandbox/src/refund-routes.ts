import { behaviourOf } from './cards.ts'
import type { Charge, Refund } from './entity.ts'
import { newId, seconds, type Event } from './events.ts'
import { metadataOf, textOf, wholeOf, type Parameters } from './parameters.ts'
import { invalid, missing } from './refusal.ts'
import { listOf, type Parts } from './parts.ts'

const failsAfter = 1000 // ms

type Of = { Params: { id: string }; Body: Parameters; Querystring: Parameters }

/** What is paid back, what was charged, and what happened. */
export function refundRoutes({ server, store, events, intents, now }: Parts) {
  const charge = (id: unknown): Charge => {
    const found = store.find<Charge>('charge', id)
    if (!found) throw missing('charge', id)
    return found
  }

  server.post<Of>('/v1/refunds', ({ body }) => {
    const given = body ?? {}
    const payment = textOf(given, 'payment_intent')
    const was = charge(textOf(given, 'charge') ?? (payment === null ? null : intents.payment(payment).latest_charge))
    const left = was.amount - was.amount_refunded
    const amount = wholeOf(given, 'amount') ?? left
    if (left === 0) throw invalid(`Charge ${was.id} has already been refunded.`)
    if (amount > left || amount < 1)
      throw invalid(`Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`, 'amount')
    const refund = store.put<Refund>({
      id: newId('re'),
      object: 'refund',
      created: seconds(now()),
      amount,
      currency: was.currency,
      charge: was.id,
      payment_intent: was.payment_intent,
      reason: textOf(given, 'reason'),
      status: 'succeeded',
      metadata: metadataOf(given),
    })
    const refunded = was.amount_refunded + amount
    events.happened('refund.created', refund)
    events.happened('charge.refunded', store.put<Charge>({ ...was, amount_refunded: refunded, refunded: refunded === was.amount }))
    if (behaviourOf(intents.method(was.payment_method).behaves_as).refundsFail) events.later(failsAfter, () => fail(refund))
    return refund
  })
  /** The bank does not take it, and the money comes back. */
  const fail = (refund: Refund) => {
    const was = charge(refund.charge)
    const failed = store.put<Refund>({ ...refund, status: 'failed', failure_reason: 'unknown' })
    store.put<Charge>({ ...was, amount_refunded: was.amount_refunded - refund.amount, refunded: false })
    for (const type of ['refund.updated', 'refund.failed']) events.happened(type, failed)
  }
  server.get<Of>('/v1/refunds', ({ query }) => {
    const payment = textOf(query, 'payment_intent')
    return listOf(
      '/v1/refunds',
      store.all<Refund>('refund').filter((one) => payment === null || one.payment_intent === payment),
      query
    )
  })
  server.get<Of>('/v1/refunds/:id', ({ params }) => store.find<Refund>('refund', params.id) ?? Promise.reject(missing('refund', params.id)))
  server.get<Of>('/v1/charges/:id', ({ params }) => charge(params.id))

  server.get<Of>('/v1/events', ({ query }) => {
    const { types = [], type, created } = query as { types?: string[]; type?: string; created?: { gte?: string } }
    const since = Number(created?.gte ?? 0)
    const all = store
      .all<Event>('event')
      .filter(
        (event) =>
          event.created >= since && (type === undefined || event.type === type) && (types.length === 0 || types.includes(event.type))
      )
    return listOf('/v1/events', all, query)
  })
  server.get<Of>('/v1/events/:id', ({ params }) => store.find<Event>('event', params.id) ?? Promise.reject(missing('event', params.id)))
}
