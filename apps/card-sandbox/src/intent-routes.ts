import type { CardInput } from './cards.ts'
import type { PaymentIntent, SetupIntent } from './entity.ts'
import type { FastifyRequest } from 'fastify'
import { metadataOf, needed, partOf, textOf, wholeOf, type Parameters } from './parameters.ts'
import { invalid, missing } from './refusal.ts'
import { isOfServer, listOf, type Parts } from './parts.ts'

type Of = { Params: { id: string }; Body: Parameters; Querystring: Parameters }

/** Of a browser alone: servers have no card's number, and are refused one. */
function cardOf(given: Parameters, request: FastifyRequest): CardInput | undefined {
  const card = partOf(partOf(given, 'payment_method_data'), 'card')
  if (Object.keys(card).length === 0) return undefined
  if (isOfServer(request))
    throw invalid('Sending credit card numbers directly to the API is generally unsafe.', 'payment_method_data[card]')
  return {
    number: textOf(card, 'number') ?? '',
    exp_month: wholeOf(card, 'exp_month') ?? 0,
    exp_year: wholeOf(card, 'exp_year') ?? 0,
    cvc: textOf(card, 'cvc') ?? '',
  }
}

/** A browser sees an intent by its secret, without what is the server's. */
function shown<Intent extends SetupIntent | PaymentIntent>(intent: Intent, request: FastifyRequest, given: Parameters): Intent {
  if (isOfServer(request)) return intent
  if (given.client_secret !== intent.client_secret) throw missing(intent.object, intent.id, 'intent')
  return { ...intent, metadata: {}, customer: null }
}

const usages = ['off_session', 'on_session'] as const
const usageOf = (given: Parameters, name: string) => {
  const text = textOf(given, name)
  const usage = usages.find((each) => each === text)
  if (text !== null && !usage) throw invalid(`Invalid ${name}: must be one of off_session, or on_session`, name)
  return usage ?? null
}

/** Setup intents keep a card; payment intents charge one. */
export function intentRoutes({ server, store, intents }: Parts) {
  server.post<Of>('/v1/setup_intents', ({ body }) => {
    const given = body ?? {}
    return intents.createSetup({
      customer: textOf(given, 'customer'),
      usage: usageOf(given, 'usage') ?? 'off_session',
      metadata: metadataOf(given),
    })
  })
  server.get<Of>('/v1/setup_intents/:id', (request) => shown(intents.setup(request.params.id), request, request.query))
  server.post<Of>('/v1/setup_intents/:id/confirm', (request) => {
    const given = request.body ?? {}
    shown(intents.setup(request.params.id), request, given)
    const done = intents.confirmSetup(request.params.id, {
      payment_method: textOf(given, 'payment_method') ?? undefined,
      card: cardOf(given, request),
    })
    return shown(done, request, given)
  })

  server.post<Of>('/v1/payment_intents', ({ body }) => {
    const given = body ?? {}
    const made = intents.createPayment({
      amount: amountOf(given),
      currency: needed(textOf(given, 'currency'), 'currency').toLowerCase(),
      customer: textOf(given, 'customer'),
      payment_method: textOf(given, 'payment_method'),
      metadata: metadataOf(given),
      description: textOf(given, 'description'),
      setup_future_usage: usageOf(given, 'setup_future_usage'),
    })
    const confirming = { off_session: given.off_session === 'true', return_url: textOf(given, 'return_url') }
    return given.confirm === 'true' ? intents.confirmPayment(made.id, {}, confirming) : made
  })
  server.get<Of>('/v1/payment_intents', ({ query }) => {
    const all = store
      .all<PaymentIntent>('payment_intent')
      .filter(({ customer }) => query.customer === undefined || customer === query.customer)
    return listOf('/v1/payment_intents', all, query)
  })
  server.get<Of>('/v1/payment_intents/:id', (request) => shown(intents.payment(request.params.id), request, request.query))
  server.post<Of>('/v1/payment_intents/:id/confirm', (request) => {
    const given = request.body ?? {}
    shown(intents.payment(request.params.id), request, given)
    const by = { payment_method: textOf(given, 'payment_method') ?? undefined, card: cardOf(given, request) }
    const confirming = { off_session: isOfServer(request) && given.off_session === 'true', return_url: textOf(given, 'return_url') }
    return shown(intents.confirmPayment(request.params.id, by, confirming), request, given)
  })
  for (const kind of ['setup_intents', 'payment_intents'])
    server.post<Of>(`/v1/${kind}/:id/cancel`, ({ params }) => intents.cancel(params.id))
}

/** Stripe takes 50 of the smallest unit and more. */
export function amountOf(given: Parameters, name = 'amount'): number {
  const amount = needed(wholeOf(given, name), name)
  if (amount < 50) throw invalid('Amount must be at least 50 cents', name)
  if (amount > 99_999_999) throw invalid('Amount must be no more than 99999999', name)
  return amount
}
