/** What the API answers with: an object of Stripe's, with those fields that Masthead uses. Amounts are in the smallest unit of the currency, times in seconds since 1970. */
export type Entity = { id: string; object: string; created: number; [field: string]: unknown }

export type Metadata = Record<string, string>

export type CardError = {
  type: 'card_error'
  code: string
  decline_code?: string
  message: string
}

export type Customer = Entity & {
  object: 'customer'
  email: string | null
  metadata: Metadata
  invoice_settings: { default_payment_method: string | null }
  deleted?: true
}

export type PaymentMethod = Entity & {
  object: 'payment_method'
  type: 'card'
  customer: string | null
  card: {
    brand: string
    display_brand: string
    funding: string
    country: string
    last4: string
    exp_month: number
    exp_year: number
    fingerprint: string
    three_d_secure_usage: { supported: boolean }
  }
  /** Which of the test cards it is, by its last digits; its number is kept nowhere. */
  behaves_as: string
  /** The bank has agreed to payments without the holder. */
  is_set_up: boolean
}

/** What the card's bank asks: by the provider's script, or on a page of its own that leads back. */
export type NextAction =
  | { type: 'use_stripe_sdk'; use_stripe_sdk: { type: 'three_d_secure_redirect'; stripe_js: string } }
  | { type: 'redirect_to_url'; redirect_to_url: { url: string; return_url: string } }

type Intent = Entity & {
  client_secret: string
  customer: string | null
  payment_method: string | null
  payment_method_types: ['card']
  metadata: Metadata
  description: string | null
  next_action: NextAction | null
  canceled_at: number | null
  cancellation_reason: string | null
}

export type SetupIntent = Intent & {
  object: 'setup_intent'
  usage: 'off_session' | 'on_session'
  status: 'requires_payment_method' | 'requires_confirmation' | 'requires_action' | 'processing' | 'canceled' | 'succeeded'
  last_setup_error: CardError | null
}

export type PaymentIntent = Intent & {
  object: 'payment_intent'
  amount: number
  amount_received: number
  currency: string
  capture_method: 'automatic'
  setup_future_usage: 'off_session' | 'on_session' | null
  status: 'requires_payment_method' | 'requires_confirmation' | 'requires_action' | 'processing' | 'canceled' | 'succeeded'
  last_payment_error: CardError | null
  latest_charge: string | null
}

export type Charge = Entity & {
  object: 'charge'
  amount: number
  amount_refunded: number
  currency: string
  customer: string | null
  payment_intent: string
  payment_method: string
  paid: boolean
  refunded: boolean
  disputed: boolean
  status: 'succeeded'
  metadata: Metadata
}

export type Refund = Entity & {
  object: 'refund'
  amount: number
  currency: string
  charge: string
  payment_intent: string
  reason: string | null
  status: 'succeeded' | 'failed'
  failure_reason?: string
  metadata: Metadata
}

export type Dispute = Entity & {
  object: 'dispute'
  amount: number
  currency: string
  charge: string
  payment_intent: string
  reason: string
  status: 'needs_response' | 'won' | 'lost'
  metadata: Metadata
}

export type CheckoutSession = Entity & {
  object: 'checkout.session'
  mode: 'payment' | 'setup'
  customer: string
  url: string
  success_url: string
  cancel_url: string | null
  amount_total: number | null
  currency: string | null
  payment_intent: string | null
  setup_intent: string | null
  payment_status: 'paid' | 'unpaid' | 'no_payment_required'
  status: 'open' | 'complete' | 'expired'
  client_reference_id: string | null
  metadata: Metadata
}
