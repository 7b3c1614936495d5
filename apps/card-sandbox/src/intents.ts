import { bankOf, behaviourOf, readCard, type CardInput } from './cards.ts'
import type { CardError, Charge, Customer, Dispute, Metadata, PaymentIntent, PaymentMethod, SetupIntent } from './entity.ts'
import { type Events, newId, seconds } from './events.ts'
import { cardRefused, invalid, missing, Refusal } from './refusal.ts'
import type { Store } from './store.ts'

export type Given = { payment_method?: string | undefined; card?: CardInput | undefined }
type Confirming = { off_session?: boolean; return_url?: string | null }
type NewPayment = {
  amount: number
  currency: string
  customer: string | null
  payment_method: string | null
  metadata: Metadata
  description: string | null
  setup_future_usage: PaymentIntent['setup_future_usage']
}

const unauthenticated = (object: 'setup_intent' | 'payment_intent'): CardError => ({
  type: 'card_error',
  code: `${object}_authentication_failure`,
  message: 'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
})
const disputedAfter = 1000 // ms

/** Setup intents and payment intents, from their making to their end. Every change is kept before it is answered. */
export class Intents {
  readonly #store: Store
  readonly #events: Events
  readonly #now: () => Date
  /** Where the sandbox is, as browsers see it. */
  readonly #origin: () => string

  constructor(given: { store: Store; events: Events; now: () => Date; origin: () => string }) {
    this.#store = given.store
    this.#events = given.events
    this.#now = given.now
    this.#origin = given.origin
  }

  #begun(kind: string, customer: string | null) {
    const id = newId(kind)
    if (customer !== null && !this.#store.find<Customer>('customer', customer)) throw missing('customer', customer, 'customer')
    return {
      id,
      created: seconds(this.#now()),
      livemode: false,
      client_secret: `${id}_secret_${newId('s').slice(2)}`,
      customer,
      payment_method_types: ['card'] as ['card'],
      next_action: null,
      canceled_at: null,
      cancellation_reason: null,
    }
  }

  createSetup({ customer, usage, metadata }: { customer: string | null; usage: SetupIntent['usage']; metadata: Metadata }): SetupIntent {
    const intent: SetupIntent = {
      ...this.#begun('seti', customer),
      object: 'setup_intent',
      usage,
      metadata,
      description: null,
      payment_method: null,
      status: 'requires_payment_method',
      last_setup_error: null,
    }
    this.#events.happened('setup_intent.created', intent)
    return this.#store.put(intent)
  }

  createPayment({ payment_method, ...given }: NewPayment): PaymentIntent {
    if (payment_method !== null) this.method(payment_method)
    const intent: PaymentIntent = {
      ...this.#begun('pi', given.customer),
      ...given,
      object: 'payment_intent',
      payment_method,
      amount_received: 0,
      capture_method: 'automatic',
      status: payment_method === null ? 'requires_payment_method' : 'requires_confirmation',
      last_payment_error: null,
      latest_charge: null,
    }
    this.#events.happened('payment_intent.created', intent)
    return this.#store.put(intent)
  }

  method(id: string): PaymentMethod {
    const method = this.#store.find<PaymentMethod>('payment_method', id)
    if (!method) throw missing('PaymentMethod', id, 'payment_method')
    return method
  }

  /** A card that was typed, of nobody yet. Throws what is wrong with it. */
  createMethod(card: CardInput): PaymentMethod {
    const read = readCard(card, this.#now())
    if ('type' in read) throw new Refusal(402, { ...read, param: 'number' })
    const { brand, last4, fingerprint, behaves_as, asks } = read
    const exp_year = card.exp_year < 100 ? 2000 + card.exp_year : card.exp_year
    return this.#store.put<PaymentMethod>({
      id: newId('pm'),
      object: 'payment_method',
      created: seconds(this.#now()),
      livemode: false,
      type: 'card',
      customer: null,
      metadata: {},
      billing_details: { address: null, email: null, name: null, phone: null },
      card: {
        brand,
        display_brand: brand,
        funding: 'credit',
        country: 'US',
        last4,
        exp_month: card.exp_month,
        exp_year,
        fingerprint,
        three_d_secure_usage: { supported: asks },
      },
      behaves_as,
      is_set_up: false,
    })
  }

  #given({ payment_method, card }: Given, before: string | null): PaymentMethod {
    const id = payment_method ?? (card ? this.createMethod(card).id : before)
    if (id === null || id === undefined) throw invalid('You must provide a payment method to confirm this intent.', 'payment_method')
    return this.method(id)
  }

  confirmSetup(id: string, given: Given): SetupIntent {
    const intent = this.setup(id)
    if (intent.status === 'succeeded' || intent.status === 'canceled')
      throw invalid(`You cannot confirm this SetupIntent because it has a status of ${intent.status}.`)
    const method = this.#given(given, intent.payment_method)
    const { asks, fails, onlyCharge } = behaviourOf(method.behaves_as)
    if (fails && !onlyCharge) return this.#failSetup({ ...intent, payment_method: method.id }, fails)
    if (asks) return this.#store.put({ ...intent, payment_method: method.id, last_setup_error: null, ...this.#asking(intent.id) })
    return this.#finishSetup({ ...intent, payment_method: method.id }, method)
  }

  #asking(id: string, return_url: string | null = null) {
    const next_action = bankOf(`${this.#origin()}/authenticate/${id}`, return_url)
    return { status: 'requires_action' as const, next_action }
  }

  #failSetup(intent: SetupIntent, error: CardError): never {
    const is = this.#store.put<SetupIntent>({
      ...intent,
      status: 'requires_payment_method',
      next_action: null,
      payment_method: null,
      last_setup_error: error,
    })
    this.#events.happened('setup_intent.setup_failed', is)
    throw cardRefused(error, { name: 'setup_intent', is, payment_method: intent.payment_method })
  }

  #finishSetup(intent: SetupIntent, method: PaymentMethod): SetupIntent {
    this.#keep(method, intent.customer, intent.usage === 'off_session')
    const done = this.#store.put<SetupIntent>({ ...intent, status: 'succeeded', next_action: null, last_setup_error: null })
    this.#events.happened('setup_intent.succeeded', done)
    return done
  }

  #keep(method: PaymentMethod, customer: string | null, is_set_up: boolean) {
    if (customer === null) return
    const kept = this.#store.put({ ...method, customer, is_set_up: method.is_set_up || is_set_up })
    if (method.customer === null) this.#events.happened('payment_method.attached', kept)
  }

  confirmPayment(id: string, given: Given, { off_session = false, return_url = null }: Confirming = {}): PaymentIntent {
    const intent = this.payment(id)
    if (intent.status === 'succeeded' || intent.status === 'canceled')
      throw invalid(`You cannot confirm this PaymentIntent because it has a status of ${intent.status}.`)
    const method = this.#given(given, intent.payment_method)
    const asked = { ...intent, payment_method: method.id, last_payment_error: null }
    const { asks, fails } = behaviourOf(method.behaves_as)
    if (asks === 'always' || (asks === 'once' && !method.is_set_up)) {
      if (!off_session) {
        const is = this.#store.put<PaymentIntent>({ ...asked, ...this.#asking(intent.id, return_url) })
        this.#events.happened('payment_intent.requires_action', is)
        return is
      }
      const message = 'Your card was declined. This transaction requires authentication.'
      return this.#failPayment(asked, {
        type: 'card_error',
        code: 'authentication_required',
        decline_code: 'authentication_required',
        message,
      })
    }
    return fails ? this.#failPayment(asked, fails) : this.#finishPayment(asked, method)
  }

  #failPayment(intent: PaymentIntent, error: CardError): never {
    const is = this.#store.put<PaymentIntent>({
      ...intent,
      status: 'requires_payment_method',
      next_action: null,
      payment_method: null,
      last_payment_error: error,
    })
    this.#events.happened('payment_intent.payment_failed', is)
    throw cardRefused(error, { name: 'payment_intent', is, payment_method: intent.payment_method })
  }

  #finishPayment(intent: PaymentIntent, method: PaymentMethod): PaymentIntent {
    const { amount, currency, customer, metadata, setup_future_usage } = intent
    if (setup_future_usage) this.#keep(method, customer, setup_future_usage === 'off_session')
    const charge = this.#store.put<Charge>({
      id: newId('ch'),
      object: 'charge',
      created: seconds(this.#now()),
      livemode: false,
      amount,
      amount_refunded: 0,
      currency,
      customer,
      payment_intent: intent.id,
      payment_method: method.id,
      paid: true,
      refunded: false,
      disputed: false,
      status: 'succeeded',
      metadata,
    })
    const done = { status: 'succeeded' as const, next_action: null, last_payment_error: null }
    const is = this.#store.put<PaymentIntent>({ ...intent, ...done, amount_received: amount, latest_charge: charge.id })
    this.#events.happened('charge.succeeded', charge)
    this.#events.happened('payment_intent.succeeded', is)
    if (behaviourOf(method.behaves_as).disputes) this.#dispute(charge)
    return is
  }

  #dispute(charge: Charge) {
    this.#store.put<Charge>({ ...charge, disputed: true })
    const dispute = this.#store.put<Dispute>({
      id: newId('dp'),
      object: 'dispute',
      created: seconds(this.#now()),
      livemode: false,
      amount: charge.amount,
      currency: charge.currency,
      charge: charge.id,
      payment_intent: charge.payment_intent,
      reason: 'fraudulent',
      status: 'needs_response',
      metadata: {},
    })
    this.#events.happened('charge.dispute.created', dispute, disputedAfter)
    this.#events.happened('charge.dispute.funds_withdrawn', dispute, disputedAfter)
  }

  /** What the holder said to their bank. The intent as it is then, also where it failed. */
  authenticated(id: string, agrees: boolean): SetupIntent | PaymentIntent {
    try {
      return this.#authenticated(id, agrees)
    } catch (error) {
      if (error instanceof Refusal && error.status === 402) return this.either(id)
      throw error
    }
  }

  #authenticated(id: string, agrees: boolean): SetupIntent | PaymentIntent {
    const intent = this.either(id)
    if (intent.status !== 'requires_action') return intent
    const method = this.method(intent.payment_method!)
    const { fails } = behaviourOf(method.behaves_as)
    if (intent.object === 'setup_intent')
      return agrees ? this.#finishSetup(intent, method) : this.#failSetup(intent, unauthenticated('setup_intent'))
    if (!agrees) return this.#failPayment(intent, unauthenticated('payment_intent'))
    return fails ? this.#failPayment(intent, fails) : this.#finishPayment(intent, method)
  }

  cancel(id: string): SetupIntent | PaymentIntent {
    const intent = this.either(id)
    if (intent.status === 'canceled') return intent
    if (intent.status === 'succeeded') throw invalid(`You cannot cancel this intent because it has a status of succeeded.`)
    const is = { ...intent, status: 'canceled' as const, next_action: null, canceled_at: seconds(this.#now()) }
    this.#events.happened(`${intent.object}.canceled`, this.#store.put(is))
    return is
  }

  setup(id: string): SetupIntent {
    const intent = this.#store.find<SetupIntent>('setup_intent', id)
    if (!intent) throw missing('setupintent', id, 'intent')
    return intent
  }

  payment(id: string): PaymentIntent {
    const intent = this.#store.find<PaymentIntent>('payment_intent', id)
    if (!intent) throw missing('payment_intent', id, 'intent')
    return intent
  }

  either = (id: string): SetupIntent | PaymentIntent => (id.startsWith('seti_') ? this.setup(id) : this.payment(id))
}
