import { pino } from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { endAll } from './shutdown.ts'

const log = pino({ level: 'silent' })
beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('all end at once, and one that fails keeps none from it', async () => {
  const ended: string[] = []
  const after = (name: string, ms: number) => ({
    name,
    end: () => new Promise<void>((resolve) => setTimeout(() => resolve(void ended.push(name)), ms)),
  })
  const all = endAll([after('slow', 900), { name: 'fails', end: () => Promise.reject(new Error('no')) }, after('quick', 10)], 1000, log)
  await vi.advanceTimersByTimeAsync(899)
  expect(ended).toEqual(['quick'])
  await vi.advanceTimersByTimeAsync(1)
  await all
  expect(ended).toEqual(['quick', 'slow'])
  expect(vi.getTimerCount()).toBe(0)
})

test('what does not end is waited for no longer than that, and named', async () => {
  const told = vi.spyOn(log, 'warn')
  let done = false
  const never = () => new Promise(() => {})
  const all = endAll(
    [
      { name: 'jobs', end: never },
      { name: 'server', end: async () => {} },
      { name: 'roll-ups', end: never },
    ],
    1000,
    log
  ).then(() => (done = true))
  await vi.advanceTimersByTimeAsync(999)
  expect(done).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  await all
  expect(told).toHaveBeenCalledWith(
    { parts: ['jobs', 'roll-ups'] },
    expect.stringMatching(/^these parts did not end in time and are cut off/)
  )
})
