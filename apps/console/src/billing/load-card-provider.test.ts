import { afterEach, beforeEach, expect, test, vi } from 'vitest'

const loadStripe = vi.hoisted(() => vi.fn<(key: string) => Promise<object | null>>())
vi.mock('@stripe/stripe-js/pure', () => ({ loadStripe }))

type Element = { src?: string; heard: Record<string, () => void>; removed: boolean }
let added: Element[]

async function load(content: object | null) {
  vi.resetModules()
  vi.stubGlobal('document', {
    querySelector: (wanted: string) =>
      wanted.startsWith('meta')
        ? content && { content: JSON.stringify(content) }
        : added.find(({ src, removed }) => !removed && wanted.includes(src!)),
    createElement: () => {
      const element: Element = { heard: {}, removed: false }
      return Object.assign(element, {
        addEventListener: (name: string, listen: () => void) => (element.heard[name] = listen),
        remove: () => (element.removed = true),
      })
    },
    head: { append: (element: Element) => added.push(element) },
  })
  return import('./load-card-provider.ts')
}

const own = { card_provider: { publishable_key: 'pk_test_1' } }
const sandbox = { card_provider: { publishable_key: 'pk_test_1', script: 'https://cards.test/v3/' } }

beforeEach(() => {
  added = []
  loadStripe.mockReset().mockResolvedValue({ elements: () => {} })
  vi.stubGlobal('CSS', { escape: (text: string) => text })
  vi.useFakeTimers()
})
afterEach(() => vi.useRealTimers())

test('the client is made once, with the publishable key', async () => {
  const { loadCardProvider, takesCards } = await load(own)
  const one = await loadCardProvider()
  expect(await loadCardProvider()).toBe(one)
  expect([takesCards(), loadStripe.mock.calls, added]).toEqual([true, [['pk_test_1']], []])
})

test('a sandbox has a script of its own, which is there before the client is made', async () => {
  const { loadCardProvider } = await load(sandbox)
  const client = loadCardProvider()
  await vi.advanceTimersByTimeAsync(0)
  expect([added.map(({ src }) => src), loadStripe.mock.calls.length]).toEqual([['https://cards.test/v3/'], 0])
  added[0]!.heard.load!()
  await client
  expect(loadStripe).toHaveBeenCalledOnce()
})

test('a script that is still under way is waited for when it is asked again', async () => {
  const { cardScriptTimeout, loadCardProvider } = await load(sandbox)
  const late = expect(loadCardProvider()).rejects.toThrow(/took too long/)
  await vi.advanceTimersByTimeAsync(cardScriptTimeout)
  await late
  const again = loadCardProvider()
  await vi.advanceTimersByTimeAsync(0)
  expect([added.length, loadStripe.mock.calls.length]).toEqual([1, 0])
  added[0]!.heard.load!()
  await again
  expect(loadStripe).toHaveBeenCalled()
})

test('what does not come is said in words, and tried again when asked again', async () => {
  const { loadCardProvider } = await load(sandbox)
  const first = loadCardProvider()
  added[0]!.heard.error!()
  await expect(first).rejects.toThrow(/did not come/)
  const second = loadCardProvider()
  added[1]!.heard.load!()
  await expect(second).resolves.toBeTruthy()
  loadStripe.mockRejectedValueOnce(new Error('Failed to load Stripe.js'))
  const { loadCardProvider: again } = await load(own)
  await expect(again()).rejects.toThrow(/did not come/)
  await expect(again()).resolves.toBeTruthy()
})

test('what is no client is said', async () => {
  loadStripe.mockResolvedValue(null)
  const { loadCardProvider } = await load(own)
  await expect(loadCardProvider()).rejects.toThrow(/not what it should be/)
})

test('it waits 15 seconds and no longer', async () => {
  loadStripe.mockReturnValue(new Promise(() => {}))
  const { loadCardProvider, cardScriptTimeout } = await load(own)
  const waiting = expect(loadCardProvider()).rejects.toThrow(/took too long/)
  expect(cardScriptTimeout).toBe(15_000)
  await vi.advanceTimersByTimeAsync(cardScriptTimeout)
  await waiting
})

test('an installation without a card provider loads nothing', async () => {
  const { loadCardProvider, takesCards } = await load(null)
  await expect(loadCardProvider()).rejects.toThrow('takes no cards')
  expect([takesCards(), added, loadStripe.mock.calls]).toEqual([false, [], []])
})
