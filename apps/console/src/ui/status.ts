import type { Shape, Tone } from './StateShape.tsx'

type Look = { shape: Shape; tone: Tone; label: string }

/** How each status looks: a shape, a colour and a word, told apart in grey and at 10 px. One table for every screen. */
export const statuses = {
  inventory: { shape: 'dashed', tone: 'idle', label: 'Inventory' },
  ready: { shape: 'half', tone: 'info', label: 'Ready' },
  active: { shape: 'disc', tone: 'ok', label: 'Active' },
  inactive: { shape: 'ring', tone: 'idle', label: 'Inactive' },
  standby: { shape: 'bars', tone: 'hold', label: 'Standby' },
  terminated: { shape: 'cross', tone: 'idle', label: 'Terminated' },
  blocked: { shape: 'octagon', tone: 'bad', label: 'Blocked' },
  online: { shape: 'disc', tone: 'ok', label: 'Online' },
  offline: { shape: 'ring', tone: 'idle', label: 'Offline' },
  never_seen: { shape: 'dashed', tone: 'idle', label: 'Never seen' },
  silent: { shape: 'triangle', tone: 'warn', label: 'Silent' },
  warning: { shape: 'triangle', tone: 'warn', label: 'Warning' },
  failed: { shape: 'octagon', tone: 'bad', label: 'Failed' },
  done: { shape: 'done', tone: 'ok', label: 'Done' },
  busy: { shape: 'busy', tone: 'info', label: 'Working' },
  pending: { shape: 'dashed', tone: 'idle', label: 'Pending' },
  live: { shape: 'disc', tone: 'ok', label: 'Live' },
  none: { shape: 'ring', tone: 'idle', label: 'None' },
} as const satisfies Record<string, Look>

export type Status = keyof typeof statuses
