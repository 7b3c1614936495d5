import type { CheckoutSession, PaymentIntent, SetupIntent } from './entity.ts'
import { newId, seconds } from './events.ts'
import { metadataOf, needed, partOf, textOf, wholeOf, type Parameters } from './parameters.ts'
import { invalid, missing } from './refusal.ts'
import { listOf, publicFile, type Parts } from './parts.ts'

type Of = { Params: { id: string }; Body: Parameters; Querystring: Parameters }

/** Pages of the sandbox's own where one pays, or where a card is kept: for browsers in which its script did not come. */
export function checkoutRoutes({ server, store, events, intents, now, origin }: Parts, publishableKey: string) {
  const session = (id: string): CheckoutSession => {
    const found = store.find<CheckoutSession>('checkout.session', id)
    if (!found) throw missing('checkout.session', id)
    return found
  }

  server.post<Of>('/v1/checkout/sessions', ({ body }) => {
    const given = body ?? {}
    const mode = textOf(given, 'mode')
    if (mode !== 'payment' && mode !== 'setup') throw invalid('mode must be payment or setup', 'mode')
    const customer = needed(textOf(given, 'customer'), 'customer')
    const { amount, currency } = mode === 'payment' ? sumOf(given) : { amount: null, currency: textOf(given, 'currency') }
    const metadata = metadataOf(given)
    const of = {
      customer,
      metadata: { ...metadata, ...metadataOf(partOf(given, mode === 'payment' ? 'payment_intent_data' : 'setup_intent_data')) },
    }
    const intent =
      amount === null
        ? intents.createSetup({ ...of, usage: 'off_session' })
        : intents.createPayment({ ...of, amount, currency: currency!, payment_method: null, description: null, setup_future_usage: null })
    const id = newId('cs_test')
    return store.put<CheckoutSession>({
      id,
      object: 'checkout.session',
      created: seconds(now()),
      livemode: false,
      mode,
      customer,
      url: `${origin()}/checkout/${id}`,
      success_url: webAddress(needed(textOf(given, 'success_url'), 'success_url')),
      cancel_url: textOf(given, 'cancel_url') === null ? null : webAddress(textOf(given, 'cancel_url')!),
      amount_total: amount,
      currency,
      payment_intent: intent.object === 'payment_intent' ? intent.id : null,
      setup_intent: intent.object === 'setup_intent' ? intent.id : null,
      payment_status: amount === null ? 'no_payment_required' : 'unpaid',
      status: 'open',
      client_reference_id: textOf(given, 'client_reference_id'),
      metadata,
    })
  })
  server.get<Of>('/v1/checkout/sessions', ({ query }) =>
    listOf('/v1/checkout/sessions', store.all<CheckoutSession>('checkout.session'), query)
  )
  server.get<Of>('/v1/checkout/sessions/:id', ({ params }) => session(params.id))
  server.post<Of>('/v1/checkout/sessions/:id/expire', ({ params }) => {
    const was = session(params.id)
    if (was.status !== 'open') throw invalid('Only open sessions can be expired.')
    intents.cancel((was.payment_intent ?? was.setup_intent)!)
    const is = store.put<CheckoutSession>({ ...was, status: 'expired' })
    events.happened('checkout.session.expired', is)
    return is
  })

  server.get<Of>('/checkout/:id', ({ params }, reply) => {
    const { id, mode, amount_total, currency, cancel_url, status } = session(params.id)
    const intent = intentOf(session(id))
    const facts = {
      id,
      mode,
      amount: amount_total,
      currency,
      cancel_url,
      status,
      intent: intent.id,
      client_secret: intent.client_secret,
      key: publishableKey,
    }
    return reply.type('text/html').send(publicFile('checkout.html').replace('FACTS', escaped(facts)))
  })
  /** Where the browser goes once its intent is done. The session is complete when that is so, whatever the browser says. */
  server.post<Of>('/checkout/:id/done', ({ params }) => {
    const was = session(params.id)
    const intent = intentOf(was)
    if (intent.status !== 'succeeded') throw invalid('It is not paid yet.')
    if (was.status === 'open') {
      const payment_status = intent.object === 'payment_intent' ? 'paid' : 'no_payment_required'
      events.happened('checkout.session.completed', store.put<CheckoutSession>({ ...was, status: 'complete', payment_status }))
    }
    return { go_to: was.success_url.replaceAll('{CHECKOUT_SESSION_ID}', was.id) }
  })

  const intentOf = ({ payment_intent, setup_intent }: CheckoutSession): PaymentIntent | SetupIntent =>
    intents.either((payment_intent ?? setup_intent)!)
}

function sumOf(given: Parameters): { amount: number; currency: string } {
  const lines = Object.values(partOf(given, 'line_items')) as Parameters[]
  if (lines.length === 0) throw invalid('Missing required param: line_items.', 'line_items')
  const prices = lines.map((line) => {
    const price = partOf(line, 'price_data')
    return {
      amount: needed(wholeOf(price, 'unit_amount'), 'unit_amount') * (wholeOf(line, 'quantity') ?? 1),
      currency: needed(textOf(price, 'currency'), 'currency').toLowerCase(),
    }
  })
  const amount = prices.reduce((sum, price) => sum + price.amount, 0)
  if (amount < 50) throw invalid('The total amount due must be at least 50 cents', 'line_items')
  return { amount, currency: prices[0]!.currency }
}

function webAddress(text: string): string {
  if (!/^https?:\/\//.test(text)) throw invalid(`Not a valid URL: ${text}`)
  return text
}

/** For the text of a script element. */
const escaped = (facts: unknown) => JSON.stringify(facts).replaceAll('<', '\\u003c')
