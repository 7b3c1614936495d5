import { somethingChanged } from '@masthead/contract/kernel/event-reading'
import type { QueryState } from '@tanstack/react-query'
import { create } from 'zustand'
import { apiRoot, surroundings } from './client.ts'
import { queries } from './query.ts'
import { refreshUser } from './session.ts'
import { stream } from './stream.ts'

/** `off` before sign-in; `lost` while the stream is down and being opened again. */
export const useLive = create<{ state: 'off' | 'live' | 'lost' }>(() => ({ state: 'off' }))

/** At most one refresh a second per area, however many events arrive: the first at once, the rest gathered into one. */
export function throttleByArea(refresh: (area: string) => void, wait = 1000) {
  const busy = new Map<string, { again: boolean }>()
  return function heard(area: string) {
    const running = busy.get(area)
    if (running) {
      running.again = true
      return
    }
    refresh(area)
    const turn = { again: false }
    busy.set(area, turn)
    setTimeout(() => {
      busy.delete(area)
      if (turn.again) heard(area)
    }, wait)
  }
}

/** A question that failed, or is being tried again, is left alone: begun anew with each event, it would never come to say that it failed. */
export const mayRefresh = ({ state }: { state: Pick<QueryState, 'data' | 'fetchStatus' | 'fetchFailureCount'> }) =>
  state.fetchFailureCount === 0 || (state.data !== undefined && state.fetchStatus === 'idle')

const refreshArea = throttleByArea((area) => void queries.invalidateQueries({ queryKey: [area], predicate: mayRefresh }))

/**
 * The areas an event may change: the overview and the activity log are made of all of them. Usage is counted, and not an activity. A correction
 * moves every total, and stands in lists of staff.
 */
export function shownBy(name: string): string[] {
  const area = name.split('.')[0]!
  return [
    area,
    'overview',
    ...(area === 'usage' ? ['assets'] : ['activities']),
    ...(area === 'tags' ? ['assets'] : []),
    ...(area === 'auth' || area === 'backoffice' ? ['account', 'teams'] : []),
    ...(name === 'assets.usage_corrected' ? ['usage', 'backoffice'] : []),
  ]
}

/** An event's name (`assets.sim_blocked`) refreshes what is shown of its area. */
export function heardEvent(name: string) {
  // The server lost its own source for a while.
  if (name === 'missed') return void queries.invalidateQueries()
  // Something that one may not read of: it may show in the figures and on the account all the same.
  if (name === somethingChanged) {
    for (const area of ['overview', 'activities', 'account', 'assets']) refreshArea(area)
    return
  }
  // Nothing was done with it that stands anywhere else.
  if (name === 'developers.key_used') return refreshArea('developers')
  if (name.startsWith('teams.')) void refreshUser()
  for (const area of shownBy(name)) refreshArea(area)
}

/** Waits between tries to reconnect, in milliseconds: short at first, for a server that is starting again. */
const waits = [500, 1000, 2000, 5000, 10_000]

/** Keeps the live stream of the account open until the returned function is called. `fetch` and not EventSource, which hears only names it was told. */
export function openLive(): () => void {
  const stop = new AbortController()
  void keepOpen(stop.signal)
  return () => {
    stop.abort()
    useLive.setState({ state: 'off' })
  }
}

async function keepOpen(signal: AbortSignal) {
  for (let failures = 0; !signal.aborted; failures++) {
    await stream(`${apiRoot}/live`, {
      signal,
      // The server says something every 20 seconds: longer silence is a dead connection.
      silence: 50_000,
      onOpen: () => {
        failures = 0
        // What happened while nobody listened is not sent again: everything shown may be old.
        if (useLive.getState().state === 'lost') {
          void refreshUser()
          void queries.invalidateQueries()
        }
        useLive.setState({ state: 'live' })
      },
      onMessage: heardEvent,
      onError: ({ status }) => status === 401 && surroundings.signedOut(),
    })
    if (signal.aborted) return
    useLive.setState({ state: 'lost' })
    await new Promise((resolve) => setTimeout(resolve, waits[Math.min(failures, waits.length - 1)]))
  }
}
