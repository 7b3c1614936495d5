import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { loadScreen } from './load-screen.ts'

const Screen = () => null

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('gives the screen of the module, and leaves no timer behind', async () => {
  expect(await loadScreen(() => Promise.resolve({ default: Screen }))).toBe(Screen)
  expect(vi.getTimerCount()).toBe(0)
})

test('a screen that does not come within 120,000 ms is a ChunkLoadError (spec §9)', async () => {
  let failed: unknown
  void loadScreen(() => new Promise(() => {})).catch((error: unknown) => (failed = error))
  await vi.advanceTimersByTimeAsync(119_999)
  expect(failed).toBeUndefined()
  await vi.advanceTimersByTimeAsync(1)
  expect(failed).toMatchObject({ name: 'ChunkLoadError' })
})

test('so is one that cannot be fetched, at once', async () => {
  const cause = new TypeError('Failed to fetch dynamically imported module')
  await expect(loadScreen(() => Promise.reject(cause))).rejects.toMatchObject({ name: 'ChunkLoadError', cause })
})
