/** The first word of an operation's name, and so of the queries by which a console shows its answers. */
export type Area =
  | 'account'
  | 'activities'
  | 'alpon_fleets'
  | 'assets'
  | 'auth'
  | 'backoffice'
  | 'billing'
  | 'core'
  | 'datapools'
  | 'demo'
  | 'developers'
  | 'devices'
  | 'network_groups'
  | 'networks'
  | 'notifications'
  | 'overview'
  | 'registry'
  | 'reports'
  | 'tags'
  | 'teams'
  | 'terminal'
  | 'usage'

/**
 * Something of which open consoles are notified, and the areas that each asks for again. Every event is a signal; what changes without an event
 * is declared in `signals.ts`. `name` is `area.what_happened`: who may not read events of that area gets no more than that something changed.
 */
export type Signal = { name: string; refreshes: readonly Area[] }

/** What the activity log and the overview show: every event. */
export const shownOfEvents = ['activities', 'overview'] as const satisfies readonly Area[]

/** So often an open stream says something, in milliseconds: a console that receives nothing for longer says that it is not live. */
export const heartbeatEvery = 5000

/** A console that may have missed something asks for everything again. */
export const missed = 'missed'
