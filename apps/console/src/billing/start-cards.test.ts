import { beforeEach, expect, test, vi } from 'vitest'

const load = vi.hoisted(() => vi.fn(() => Promise.resolve()))
vi.mock('./load-card-provider.ts', () => ({ loadCardProvider: load }))
const { startCards } = await import('./start-cards.ts')

let idle: (() => void)[] = []
let tell: (state: object) => void
let stopped = false
const at = (search: string, initialized = true, navigation = 'idle') => ({
  initialized,
  navigation: { state: navigation },
  location: { search },
})
const begin = (state: object) =>
  startCards({
    state,
    subscribe: (listen: typeof tell) => {
      tell = listen
      return () => (stopped = true)
    },
  } as never)

beforeEach(() => {
  idle = []
  stopped = false
  load.mockClear()
  vi.stubGlobal('requestIdleCallback', (act: () => void) => idle.push(act))
})

test('the client is made once the first screen is there and the browser is idle', () => {
  begin(at('', false))
  tell(at('', true, 'loading'))
  expect(idle).toHaveLength(0)
  tell(at('?search=reefer'))
  expect([idle.length, stopped, load.mock.calls.length]).toEqual([1, true, 0])
  idle[0]!()
  expect(load).toHaveBeenCalledOnce()
})

test('where the first screen is there already, nothing has to move', () => {
  begin(at(''))
  expect(idle).toHaveLength(1)
})

test('it waits while the address holds the secret of a link', () => {
  begin(at('?token=secret'))
  tell(at('?token=secret'))
  expect(idle).toHaveLength(0)
  tell(at(''))
  expect(idle).toHaveLength(1)
})

test('without requestIdleCallback it waits a second', () => {
  vi.useFakeTimers()
  vi.stubGlobal('requestIdleCallback', undefined)
  begin(at(''))
  expect(load).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1000)
  expect(load).toHaveBeenCalledOnce()
  vi.useRealTimers()
})
