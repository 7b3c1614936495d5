import type { Delivery, Webhook } from '@masthead/contract/developers/webhook'
import type { Status } from '../ui/status.ts'

const states = {
  active: ['active', 'Active'],
  paused: ['warning', 'Paused'],
  disabled: ['inactive', 'Disabled'],
} as const satisfies Record<Webhook['state'], readonly [Status, string]>
export const webhookLook = (state: Webhook['state']) => ({ status: states[state][0], label: states[state][1] })

export const deliveryStates = { waiting: 'Waiting', sending: 'Sending', delivered: 'Delivered', failed: 'Failed' } as const
const looks: Record<Delivery['state'], Status> = { waiting: 'pending', sending: 'busy', delivered: 'done', failed: 'failed' }
/** A delivery that waits for another try has failed at least once, and says so. */
export const deliveryLook = ({ state, tries }: Pick<Delivery, 'state' | 'tries'>) =>
  state === 'waiting' && tries > 0
    ? ({ status: 'warning', label: 'Trying again' } as const)
    : { status: looks[state], label: deliveryStates[state] }

const becauses = {
  person: 'Disabled by a person',
  failures: 'Disabled after days of failures',
  maker_gone: 'Its creator left the team',
  maker_limited: 'Its creator may no longer see activities',
  key_ended: 'The API key that created it has ended',
}
export const disabledWords = ({ disabled_because }: Webhook) => (disabled_because ? becauses[disabled_because] : null)

/** What it sends, in few words. */
export function eventsWords(events: readonly string[]): string {
  if (events.includes('*')) return events.length > 1 ? 'All events, usage' : 'All events'
  if (events.length > 2) return `${events.length} event types`
  return events.map((name) => name.replace(/\.\*$/, '')).join(', ')
}

export const durationWords = (ms: number) => (ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`)
