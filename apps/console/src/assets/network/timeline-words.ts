import type { TimelineEntry } from '@masthead/contract/assets/connection'
import { formatBytes } from '@masthead/contract/usage/bytes'
import { ratWords } from '../../kit/radio-technology.ts'
import type { Shape, Tone } from '../../ui/StateShape.tsx'
import { byWords } from '../sim-words.ts'
import { networkWords } from '../session-words.ts'

type Look = { shape: Shape; tone: Tone }

const looks: Record<TimelineEntry['kind'], Look> = {
  accepted: { shape: 'done', tone: 'ok' },
  rejected: { shape: 'octagon', tone: 'bad' },
  forbidden: { shape: 'triangle', tone: 'warn' },
  detached: { shape: 'ring', tone: 'idle' },
  network_changed: { shape: 'diamond', tone: 'info' },
  imei_changed: { shape: 'diamond', tone: 'warn' },
  session_started: { shape: 'disc', tone: 'ok' },
  session_updated: { shape: 'half', tone: 'ok' },
  session_ended: { shape: 'ring', tone: 'idle' },
  activity: { shape: 'done', tone: 'idle' },
  alert: { shape: 'triangle', tone: 'warn' },
}

export const entryLook = ({ kind, alert }: TimelineEntry): Look =>
  alert?.severity === 'critical' ? { shape: 'octagon', tone: 'bad' } : looks[kind]

/** A place as the meter keeps it: `262-01 EUTRAN`. */
const placeWords = (place: string | null) =>
  place === null
    ? 'an unknown network'
    : place
        .split(' ')
        .map((part) => ratWords(part))
        .join(' ')

const times = (count: number) => (count > 1 ? `, ${count.toLocaleString('en')} times within the hour` : '')

/** What happened, for what is neither an activity nor an alert. */
export function entryWords({ kind, words, before, after, count, bytes }: TimelineEntry): string {
  switch (kind) {
    case 'accepted':
      return `Access accepted${times(count)}`
    case 'rejected':
      return `Access rejected${times(count)}: ${words ?? 'no reason'}`
    case 'forbidden':
      return `Attached where it may not be: ${words ?? ''}. Its gateway is asked to end the session`
    case 'detached':
      return `Left the network${times(count)}${words ? `: ${words}` : ''}`
    case 'network_changed':
      return `Moved from ${placeWords(before)} to ${placeWords(after)}${times(count)}`
    case 'imei_changed':
      return `The SIM is in another device: IMEI ${after}, before ${before ?? 'unknown'}`
    case 'session_started':
      return 'Session started'
    case 'session_updated':
      return `Last report of the session: ${formatBytes(bytes ?? 0)} so far`
    case 'session_ended':
      return `Session ended after ${formatBytes(bytes ?? 0)}: ${words ?? 'no cause reported'}`
    case 'activity':
    case 'alert':
      return ''
  }
}

/** Where it happened, or who did it. */
export function entryNote({ activity, alert, network, rat, gateway }: TimelineEntry): string | null {
  if (activity) return `by ${byWords(activity.actor.kind === 'system' ? 'system' : activity.actor.email)}`
  if (alert) return alert.resolved_at ? 'Alert, over' : 'Alert'
  return [networkWords({ network, rat }), gateway].filter(Boolean).join(', ') || null
}
