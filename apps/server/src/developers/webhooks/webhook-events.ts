import { usageHour } from '@masthead/contract/developers/webhook'
import { eventKinds } from '@masthead/contract/events'
import type { EventKind } from '@masthead/contract/kernel/event'

/** All that a webhook can send, by name, in words that leave open what differs from case to case. */
export const listWebhookEvents = () =>
  [
    ...[...eventKinds.values()].map((kind) => ({ name: kind.name, words: wordsOf(kind) })),
    { name: usageHour, words: 'What each SIM used in an hour' },
  ].toSorted((one, other) => one.name.localeCompare(other.name))

function wordsOf({ name, sentence }: EventKind): string {
  if (typeof sentence === 'string') return sentence.replaceAll(/\{\w+\}/g, '…')
  const action = name
    .split('.')[1]!
    .replaceAll('_', ' ')
    .replace(/\bsim\b/, 'SIM')
    .replace(/\bapi\b/, 'API')
  return action[0]!.toUpperCase() + action.slice(1)
}
