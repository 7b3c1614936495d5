import { afterEach, expect, test, vi } from 'vitest'
import { mostAnswers, sharingAnswers } from './share-answer.ts'

afterEach(() => void vi.useRealTimers())

test('one answer serves all who ask at once and soon after; one that failed serves nobody else', async () => {
  const shareAnswer = sharingAnswers()
  let asked = 0
  const ask = async () => ++asked
  expect(await Promise.all([shareAnswer('a', ['x'], ask), shareAnswer('a', ['x'], ask), shareAnswer('b', ['x'], ask)])).toEqual([1, 1, 2])
  expect(await shareAnswer('a', ['x'], ask)).toBe(1)
  expect(await shareAnswer('a', ['y'], ask)).toBe(3)
  await expect(shareAnswer('c', [], () => Promise.reject(new Error('away')))).rejects.toThrow('away')
  expect(await shareAnswer('c', [], ask)).toBe(4)
})

test('an answer that took long serves longer', async () => {
  const shareAnswer = sharingAnswers()
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] })
  let asked = 0
  const ask = async () => {
    await new Promise((resolve) => setTimeout(resolve, asked === 0 ? 10_000 : 0))
    return ++asked
  }
  const first = shareAnswer('slow', [], ask)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(await first).toBe(1)
  await vi.advanceTimersByTimeAsync(199_000)
  expect(await shareAnswer('slow', [], ask)).toBe(1)
  await vi.advanceTimersByTimeAsync(2000)
  const second = shareAnswer('slow', [], ask)
  await vi.advanceTimersByTimeAsync(0)
  expect(await second).toBe(2)
  await vi.advanceTimersByTimeAsync(31_000)
  const third = shareAnswer('slow', [], ask)
  await vi.advanceTimersByTimeAsync(0)
  expect(await third).toBe(3)
})

test('an answer of now serves so long from when it was begun, however long it took', async () => {
  const shareAnswer = sharingAnswers()
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] })
  let asked = 0
  const ask = async () => {
    await new Promise((resolve) => setTimeout(resolve, 2000))
    return ++asked
  }
  const now = () => shareAnswer('slow', ['now'], ask, 5000)
  const first = now()
  await vi.advanceTimersByTimeAsync(2000)
  expect(await first).toBe(1)
  await vi.advanceTimersByTimeAsync(2999)
  expect(await now()).toBe(1)
  await vi.advanceTimersByTimeAsync(1)
  const second = now()
  await vi.advanceTimersByTimeAsync(2000)
  expect(await second).toBe(2)
})

test('questions about one account wait for each other, a long queue is refused, another account is not kept waiting', async () => {
  const shareAnswer = sharingAnswers()
  let end = () => {}
  const held = new Promise<void>((resolve) => (end = resolve))
  let running = 0
  const ask = (n: number) => async () => {
    expect(++running).toBe(1)
    await held
    running--
    return n
  }
  const some = Array.from({ length: 21 }, (_, n) => shareAnswer('busy', [n], ask(n)))
  await expect(shareAnswer('busy', [21], ask(21))).rejects.toMatchObject({ kind: { status: 503 }, retryAfter: 10 })
  expect(await shareAnswer('other', [], async () => 'at once')).toBe('at once')
  end()
  expect(await Promise.all(some)).toEqual(some.map((_, n) => n))
})

test('however much is asked, only so many answers are kept; the oldest goes first', async () => {
  const shareAnswer = sharingAnswers()
  let asked = 0
  const ask = async () => ++asked
  for (let n = 0; n <= mostAnswers; n++) await shareAnswer('curious', [n], ask)
  expect(await shareAnswer('curious', [mostAnswers], ask)).toBe(mostAnswers + 1)
  expect(await shareAnswer('curious', [0], ask)).toBe(mostAnswers + 2)
})

test('answers of one database serve nobody of another', async () => {
  const [here, there] = [sharingAnswers(), sharingAnswers()]
  expect(await here('a', ['x'], async () => 'here')).toBe('here')
  expect(await there('a', ['x'], async () => 'there')).toBe('there')
})
