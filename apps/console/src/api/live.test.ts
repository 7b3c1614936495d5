import { afterEach, expect, test, vi } from 'vitest'
import { assetGiven } from '@masthead/contract/backoffice/events'
import { simBlocked, usageCorrected } from '@masthead/contract/assets/events'
import { tagAssigned } from '@masthead/contract/tags/events'
import { longestSilence, mayRefresh, openLive, refreshFor, throttleByArea, useLive } from './live.ts'
import { queries } from './query.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

test.each([
  ['first asked for', { data: undefined, fetchStatus: 'fetching', fetchFailureCount: 0 }, true],
  ['answered', { data: 1, fetchStatus: 'idle', fetchFailureCount: 0 }, true],
  ['being tried again for the first answer', { data: undefined, fetchStatus: 'fetching', fetchFailureCount: 1 }, false],
  ['failed without an answer: it says so', { data: undefined, fetchStatus: 'idle', fetchFailureCount: 3 }, false],
  ['being tried again', { data: 1, fetchStatus: 'fetching', fetchFailureCount: 1 }, false],
  ['answered once, then failed', { data: 1, fetchStatus: 'idle', fetchFailureCount: 3 }, true],
] as const)('an event asks anew for what is %s', (_name, state, asked) => {
  expect(mayRefresh({ state: { ...state } })).toBe(asked)
})

test('an event asks anew for the areas it declares, and for what shows every event', () => {
  expect(simBlocked.refreshes).toEqual(['assets', 'activities', 'overview'])
  expect(tagAssigned.refreshes).toEqual(['tags', 'assets', 'activities', 'overview'])
  expect(usageCorrected.refreshes).toEqual(['assets', 'usage', 'backoffice', 'activities', 'overview'])
  // An asset that staff hand over is in the list at once.
  expect(assetGiven.refreshes).toContain('assets')
  const invalidate = vi.spyOn(queries, 'invalidateQueries').mockResolvedValue()
  refreshFor('assets.sim_blocked', { refreshes: simBlocked.refreshes })
  expect(invalidate.mock.calls.map(([asked]) => asked?.queryKey)).toEqual([['assets'], ['activities'], ['overview']])
})

test('what does not say which areas it refreshes, as when something was missed, asks anew for everything', () => {
  const invalidate = vi.spyOn(queries, 'invalidateQueries').mockResolvedValue()
  refreshFor('missed', {})
  expect(invalidate.mock.calls).toEqual([[]])
})

test('the first change refreshes an area at once, and repeats wait for one refresh together', async () => {
  vi.useFakeTimers()
  const refreshed: string[] = []
  const changed = throttleByArea(async (area) => refreshed.push(area))
  for (const area of ['assets', 'assets', 'assets', 'tags'] as const) void changed(area)
  expect(refreshed).toEqual(['assets', 'tags'])
  await vi.advanceTimersByTimeAsync(99)
  expect(refreshed).toHaveLength(2)
  await vi.advanceTimersByTimeAsync(1)
  expect(refreshed).toEqual(['assets', 'tags', 'assets'])
  await vi.advanceTimersByTimeAsync(5000)
  expect(refreshed).toHaveLength(3)
  void changed('assets')
  expect(refreshed).toHaveLength(4)
})

test.each([
  ['three times as long as it took', 100, 300],
  ['a second at most', 400, 1000],
  ['until then also where no answer comes', Infinity, 1000],
])('repeats wait %s', async (_name, takes, waits) => {
  vi.useFakeTimers()
  let refreshes = 0
  const changed = throttleByArea(() => {
    refreshes++
    return new Promise((resolve) => takes < Infinity && setTimeout(resolve, takes))
  })
  void changed('assets')
  void changed('assets')
  await vi.advanceTimersByTimeAsync(waits - 1)
  expect(refreshes).toBe(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(refreshes).toBe(2)
})

test('an area whose refresh failed is refreshed again at the next change', async () => {
  vi.useFakeTimers()
  let refreshes = 0
  const changed = throttleByArea(async () => {
    refreshes++
    throw new Error('No network')
  })
  await Promise.all([changed('assets'), vi.advanceTimersByTimeAsync(100)])
  await Promise.all([changed('assets'), vi.advanceTimersByTimeAsync(100)])
  expect(refreshes).toBe(2)
})

test('“live” lasts as long as the server is heard from: silence ends it, and the network’s end at once', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const network = new EventTarget()
  vi.stubGlobal('addEventListener', network.addEventListener.bind(network))
  const streams: ReadableStreamDefaultController<Uint8Array>[] = []
  vi.stubGlobal('fetch', (url: string, { signal }: RequestInit) => {
    // What was missed is asked for again.
    if (!url.endsWith('/live')) return Promise.resolve(new Response('{}', { status: 503 }))
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        streams.push(controller)
        signal!.addEventListener('abort', () => controller.error(signal!.reason))
      },
    })
    return Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } }))
  })
  const state = () => useLive.getState().state
  const close = openLive()
  await vi.advanceTimersByTimeAsync(10)
  expect(state()).toBe('live')
  // A word in time keeps it.
  await vi.advanceTimersByTimeAsync(longestSilence - 100)
  streams[0]!.enqueue(new TextEncoder().encode(':\n\n'))
  // It goes through a decoder, in steps of its own.
  for (let step = 0; step < 20; step++) await new Promise((resolve) => setImmediate(resolve))
  await vi.advanceTimersByTimeAsync(longestSilence - 100)
  expect([state(), streams.length]).toEqual(['live', 1])
  await vi.advanceTimersByTimeAsync(200)
  expect(state()).toBe('lost')
  await vi.advanceTimersByTimeAsync(600)
  expect([state(), streams.length]).toEqual(['live', 2])
  network.dispatchEvent(new Event('offline'))
  await vi.advanceTimersByTimeAsync(10)
  expect(state()).toBe('lost')
  // Back, it is tried at once, not after the wait.
  network.dispatchEvent(new Event('online'))
  await vi.advanceTimersByTimeAsync(10)
  expect([state(), streams.length]).toEqual(['live', 3])
  close()
  expect(state()).toBe('off')
  vi.unstubAllGlobals()
})
