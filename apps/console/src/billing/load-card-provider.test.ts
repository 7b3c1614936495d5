import { afterEach, beforeEach, expect, test, vi } from 'vitest'

type Element = { src?: string; heard: Record<string, () => void>; removed: boolean }
let added: Element[]
const win: { Stripe?: (key: string) => unknown } = {}

const settings = { card_provider: { publishable_key: 'pk_test_1', script: 'https://cards.test/v3/' } }

async function load(content: object | null) {
  vi.resetModules()
  vi.stubGlobal('document', {
    querySelector: () => content && { content: JSON.stringify(content) },
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

beforeEach(() => {
  added = []
  delete win.Stripe
  vi.stubGlobal('window', win)
  vi.useFakeTimers()
})
afterEach(() => vi.useRealTimers())

test('the script is loaded when it is asked for, once, and made with the publishable key', async () => {
  const { loadCardProvider, takesCards } = await load(settings)
  expect([takesCards(), added]).toEqual([true, []])
  const [one, two] = [loadCardProvider(), loadCardProvider()]
  expect(added.map(({ src }) => src)).toEqual(['https://cards.test/v3/'])
  win.Stripe = (key) => ({ key })
  added[0]!.heard.load!()
  expect(await one).toEqual({ key: 'pk_test_1' })
  expect(await two).toBe(await one)
  expect(await loadCardProvider()).toBe(await one)
})

test.each([
  ['error', /did not come/],
  ['load', /not what it should be/],
])('what does not come (%s) is told in words, and tried again when asked again', async (event, words) => {
  const { loadCardProvider } = await load(settings)
  const first = loadCardProvider()
  added[0]!.heard[event]!()
  await expect(first).rejects.toThrow(words)
  win.Stripe = () => ({})
  const second = loadCardProvider()
  added[1]!.heard.load!()
  expect(await second).toEqual({})
})

test('it waits 15 seconds and no longer', async () => {
  const { loadCardProvider, cardScriptTimeout } = await load(settings)
  const waiting = expect(loadCardProvider()).rejects.toThrow(/took too long/)
  expect(cardScriptTimeout).toBe(15_000)
  await vi.advanceTimersByTimeAsync(cardScriptTimeout)
  await waiting
  expect(added[0]!.removed).toBe(true)
})

test('an installation without a card provider loads nothing', async () => {
  const { loadCardProvider, takesCards } = await load(null)
  await expect(loadCardProvider()).rejects.toThrow('takes no cards')
  expect([takesCards(), added]).toEqual([false, []])
})
