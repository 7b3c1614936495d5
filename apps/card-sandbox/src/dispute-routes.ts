import type { Dispute } from './entity.ts'
import { textOf, type Parameters } from './parameters.ts'
import { invalid, missing } from './refusal.ts'
import { listOf, type Parts } from './parts.ts'

type Of = { Params: { id: string }; Body: Parameters; Querystring: Parameters }

/** What a holder disputed. It ends by the words that Stripe takes for tests: `winning_evidence`, or `losing_evidence`. */
export function disputeRoutes({ server, store, events }: Parts) {
  const dispute = (id: string): Dispute => {
    const found = store.find<Dispute>('dispute', id)
    if (!found) throw missing('dispute', id)
    return found
  }
  const end = (was: Dispute, status: 'won' | 'lost'): Dispute => {
    if (was.status !== 'needs_response') throw invalid('This dispute is already closed.')
    const ended = store.put<Dispute>({ ...was, status })
    events.happened('charge.dispute.closed', ended)
    if (status === 'won') events.happened('charge.dispute.funds_reinstated', ended)
    return ended
  }
  server.get<Of>('/v1/disputes', ({ query }) => {
    const payment = textOf(query, 'payment_intent')
    return listOf(
      '/v1/disputes',
      store.all<Dispute>('dispute').filter((one) => payment === null || one.payment_intent === payment),
      query
    )
  })
  server.get<Of>('/v1/disputes/:id', ({ params }) => dispute(params.id))
  server.post<Of>('/v1/disputes/:id', ({ params, body }) => {
    const said = textOf((body?.evidence ?? {}) as Parameters, 'uncategorized_text')
    const was = dispute(params.id)
    if (said === 'winning_evidence') return end(was, 'won')
    return said === 'losing_evidence' ? end(was, 'lost') : was
  })
  server.post<Of>('/v1/disputes/:id/close', ({ params }) => end(dispute(params.id), 'lost'))
}
