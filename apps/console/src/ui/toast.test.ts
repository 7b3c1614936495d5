import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { dismissToast, pauseToast, plain, runToast, toast, toasts } from './toast.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  for (const one of toasts.read()) dismissToast(one.id)
  vi.useRealTimers()
})
const shown = () => toasts.read().map((one) => one.message)

test('a toast goes after 5000 ms, or its own time; 0 keeps it', () => {
  toast.success('five')
  toast.info('two', { timeout: 2000 })
  toast.error('stays', { timeout: 0 })
  vi.advanceTimersByTime(2000)
  expect(shown()).toEqual(['five', 'stays'])
  vi.advanceTimersByTime(3000)
  expect(shown()).toEqual(['stays'])
  vi.advanceTimersByTime(1e6)
  expect(shown()).toEqual(['stays'])
})
test('it waits while it is read', () => {
  toast.info('read me')
  const [one] = toasts.read()
  pauseToast(one!)
  vi.advanceTimersByTime(60_000)
  expect(shown()).toEqual(['read me'])
  runToast(one!)
  vi.advanceTimersByTime(5000)
  expect(shown()).toEqual([])
})
test('the same words stand there once, and at most four', () => {
  toast.info('a')
  toast.info('a')
  expect(shown()).toEqual(['a'])
  for (const words of ['b', 'c', 'd', 'e']) toast.info(words)
  expect(shown()).toEqual(['b', 'c', 'd', 'e'])
})
test('one that stays is not pushed out by others', () => {
  toast.error('stays', { timeout: 0 })
  for (const words of ['a', 'b', 'c', 'd']) toast.info(words)
  expect(shown()).toEqual(['stays', 'b', 'c', 'd'])
})
test('plain text has no markup left', () => expect(plain('<b>&')).toBe('&lt;b&gt;&amp;'))
