/** What the activities say of a card's set-up, by the state of its setup intent (spec §4). */
const phrases: Readonly<Record<string, string>> = {
  requires_payment_method: 'needs a payment method',
  requires_confirmation: 'is waiting for confirmation',
  requires_action: 'needs extra authentication',
  processing: 'is being processed',
  requires_capture: 'is authorised and waiting for capture',
  canceled: 'was cancelled',
  succeeded: 'was completed',
}

/** "was completed"; of a state that we do not know, that it is unknown. */
export const setupIntentPhrase = (status: string): string => (Object.hasOwn(phrases, status) ? phrases[status]! : 'has an unknown status')
