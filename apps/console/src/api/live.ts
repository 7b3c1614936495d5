import { heartbeatEvery, type Area, type Signal } from '@masthead/contract/kernel/live'
import type { QueryState } from '@tanstack/react-query'
import { create } from 'zustand'
import { apiRoot, surroundings } from './client.ts'
import { queries } from './query.ts'
import { refreshUser } from './session.ts'
import { stream } from './stream.ts'

/** `off` before sign-in; `lost` while the stream is down and being opened again. */
export const useLive = create<{ state: 'off' | 'live' | 'lost' }>(() => ({ state: 'off' }))

const shortestWait = 100 // ms
const longestWait = 1000
const shareOfTime = 1 / 3

/**
 * Refreshes an area at its first change at once and holds back only what repeats it: however many changes come meanwhile, one refresh follows. The
 * wait is three times as long as the answers took, between 100 ms and a second, so that consoles ask less often of a server that is busy.
 */
export function throttleByArea(refresh: (area: Area) => Promise<unknown>) {
  const busy = new Map<Area, { again: boolean }>()
  return async function changed(area: Area): Promise<void> {
    const running = busy.get(area)
    if (running) {
      running.again = true
      return
    }
    const turn = { again: false }
    busy.set(area, turn)
    const begun = performance.now()
    // One that fails says so itself, and the next one is tried all the same.
    await Promise.race([refresh(area), pause(longestWait)]).catch(() => {})
    const took = performance.now() - begun
    const rest = Math.min(Math.max(took / shareOfTime, shortestWait), longestWait) - took
    if (rest > 0) await pause(rest)
    busy.delete(area)
    if (turn.again) void changed(area)
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** A question that failed, or is being tried again, is left alone: begun anew with each event, it would never come to say that it failed. */
export const mayRefresh = ({ state }: { state: Pick<QueryState, 'data' | 'fetchStatus' | 'fetchFailureCount'> }) =>
  state.fetchFailureCount === 0 || (state.data !== undefined && state.fetchStatus === 'idle')

const refreshArea = throttleByArea((area) =>
  Promise.all([
    queries.invalidateQueries({ queryKey: [area], predicate: mayRefresh }),
    // Who is signed in, and what they may, stands in no query.
    area === 'auth' && refreshUser(),
  ])
)

/** Asks again for what a signal changed, as it says (`refreshes`). Where it does not, something was missed, and everything may be old. */
export function refreshFor(_name: string, data: unknown) {
  const { refreshes } = (data ?? {}) as Partial<Signal>
  if (refreshes) for (const area of refreshes) void refreshArea(area)
  else void queries.invalidateQueries()
}

/** What is silent for so long is a dead connection: two words of the server did not come. Milliseconds. */
export const longestSilence = 2.4 * heartbeatEvery

/** Waits between tries to reconnect, in milliseconds: short at first, for a server that is starting again. */
const waits = [500, 1000, 2000, 5000, 10_000]

/** Keeps the live stream of the account open until the returned function is called. `fetch` and not EventSource, which receives only the names that it was given. */
export function openLive(): () => void {
  const stop = new AbortController()
  void keepOpen(stop.signal)
  return () => {
    stop.abort()
    useLive.setState({ state: 'off' })
  }
}

/** A wait that the network ends when it is back. */
const wait = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const end = new AbortController()
    const go = () => {
      clearTimeout(timer)
      end.abort()
      resolve()
    }
    const timer = setTimeout(go, ms)
    addEventListener('online', go, { signal: end.signal })
    signal.addEventListener('abort', go, { signal: end.signal })
  })

async function keepOpen(signal: AbortSignal) {
  for (let failures = 0; !signal.aborted; failures++) {
    // Without a network nothing more is received on what is open: said at once.
    const cut = new AbortController()
    addEventListener('offline', () => cut.abort(), { once: true, signal })
    await stream(`${apiRoot}/live`, {
      signal: AbortSignal.any([signal, cut.signal]),
      silence: longestSilence,
      onOpen: () => {
        failures = 0
        // What happened while nobody listened is not sent again: everything shown may be old.
        if (useLive.getState().state === 'lost') {
          void refreshUser()
          void queries.invalidateQueries()
        }
        useLive.setState({ state: 'live' })
      },
      onMessage: refreshFor,
      onError: ({ status }) => status === 401 && surroundings.signedOut(),
    })
    if (signal.aborted) return
    useLive.setState({ state: 'lost' })
    await wait(waits[Math.min(failures, waits.length - 1)]!, signal)
  }
}
