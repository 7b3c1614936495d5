import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { HoldRepeats } from './hold-repeats.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const open = (send?: () => Promise<void>) => {
  const sent: string[][] = []
  const repeats = new HoldRepeats<string>({
    gather: 10,
    hold: 150,
    send: (values) => {
      sent.push(values)
      return send?.()
    },
  })
  return { sent, add: (...keys: string[]) => keys.forEach((key) => repeats.add(key, key)), repeats }
}
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

test('what comes together first goes out together at once; what repeats it is held back, once for all repeats', async () => {
  const { sent, add } = open()
  add('a', 'b', 'a')
  await pass(10)
  expect(sent).toEqual([['a', 'b']])
  add('a', 'a', 'c')
  await pass(10)
  expect(sent.slice(1)).toEqual([['c']])
  add('a')
  await pass(139)
  expect(sent).toHaveLength(2)
  await pass(1)
  expect(sent.slice(2)).toEqual([['a']])
  await pass(1000)
  add('a')
  await pass(10)
  expect(sent.slice(3)).toEqual([['a']])
})

test('a steady stream goes out once per hold, and the last change is never lost', async () => {
  const { sent, add } = open()
  for (let i = 0; i < 100; i++) {
    add('a')
    await pass(10)
  }
  expect(sent.length).toBe(7)
  await pass(150)
  expect(sent.length).toBe(8)
})

test('nothing is sent while a sending is under way; what waits follows it', async () => {
  let done = () => {}
  const { sent, add } = open(() => new Promise((resolve) => (done = resolve)))
  add('a')
  await pass(10)
  add('b')
  await pass(500)
  add('c')
  await pass(500)
  expect(sent).toEqual([['a']])
  done()
  await pass(0)
  expect(sent).toEqual([['a'], ['b', 'c']])
})

test('stopping sends what is held back, after what is under way', async () => {
  let done = () => {}
  const { sent, add, repeats } = open(() => new Promise((resolve) => (done = resolve)))
  add('a')
  await pass(10)
  add('a')
  const stopped = repeats.stop()
  done()
  await pass(0)
  expect(sent).toEqual([['a'], ['a']])
  done()
  await stopped
})
