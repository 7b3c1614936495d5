import * as z from 'zod/mini'
import { event } from '../kernel/event.ts'
import { setupIntentPhrase } from './setup-intent.ts'

/** The card provider says how far the set-up of a card has come. */
export const cardSetupChanged = event({
  name: 'billing.card_setup_changed',
  refreshes: [],
  detail: z.object({ setup_intent_status: z.string(), payment_method: z.nullable(z.string()) }),
  sentence: ({ setup_intent_status, payment_method }) =>
    `Card setup ${payment_method ? 'of {payment_method} ' : ''}${setupIntentPhrase(setup_intent_status)}`,
})
