import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Reading } from '../reading.ts'
import { ReadingQueue } from './reading-queue.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

let made = 0
const reading = (acct_session_id: string, kind: Reading['kind'] = 'interim') =>
  ({ kind, nas: 'pgw-1', acct_session_id, gateway_id: 'gtw_1', received_at: ++made }) as Reading
const namesOf = (batch: readonly { reading: Reading }[]) => batch.map((each) => each.reading.acct_session_id)

function queueOf(...names: string[]) {
  const queue = new ReadingQueue()
  const add = (...more: string[]) => more.forEach((name) => queue.add(reading(name, name === 'on' ? 'on' : 'interim'), () => {}))
  add(...names)
  return { queue, add }
}
const many = (count: number) => Array.from({ length: count }, (_, i) => `m${i}`)

/** Whether the next batch may be taken at once. */
async function mayTake(queue: ReadingQueue): Promise<boolean> {
  let may = false
  void queue.gather().then(() => (may = true))
  await vi.advanceTimersByTimeAsync(0)
  return may
}

test('what is said of a session waits while another report of it is counted, and goes on in its order', () => {
  const { queue } = queueOf('a', 'b', 'a')
  const first = queue.take()
  expect(namesOf(first)).toEqual(['a', 'b', 'a'])
  queue.add(reading('a'), () => {})
  queue.add(reading('c'), () => {})
  const other = queue.take()
  expect(namesOf(other)).toEqual(['c'])
  for (const each of first.slice(0, 2)) each.isSettled = true
  queue.giveBack(first)
  expect(namesOf(queue.take())).toEqual(['a', 'a']) // the one that was not settled is before the one that came later
})

const settled = (queue: ReadingQueue, batch: ReturnType<ReadingQueue['take']>) => {
  for (const each of batch) each.isSettled = true
  queue.giveBack(batch)
}

test('an On or Off is a batch of its own, after what its gateway said before and before what it says after', () => {
  const { queue, add } = queueOf('a', 'on', 'b')
  const first = queue.take()
  expect(namesOf(first)).toEqual(['a'])
  expect(queue.take()).toEqual([])
  settled(queue, first)
  const alone = queue.take()
  expect(namesOf(alone)).toEqual(['on'])
  add('c', 'on', 'd')
  expect(queue.take()).toEqual([])
  settled(queue, alone)
  const last = queue.take()
  expect(namesOf(last)).toEqual(['b', 'c'])
  settled(queue, last)
  expect(namesOf(queue.take())).toEqual(['on'])
})

test('what other gateways say waits for no On or Off', () => {
  const { queue, add } = queueOf('a', 'on', 'b')
  const addOf = (gateway_id: string, ...names: string[]) =>
    names.forEach((name) => queue.add({ ...reading(name, name === 'on' ? 'on' : 'interim'), gateway_id }, () => {}))
  addOf('gtw_2', 'x')
  const first = queue.take()
  expect(namesOf(first)).toEqual(['a', 'x'])
  addOf('gtw_2', 'y')
  const second = queue.take()
  expect(namesOf(second), 'while the On waits for what came before it').toEqual(['y'])
  settled(queue, first)
  const on = queue.take()
  expect(namesOf(on)).toEqual(['on'])
  settled(queue, second)
  addOf('gtw_2', 'z')
  add(...many(3000))
  addOf('gtw_3', 'last')
  const third = queue.take()
  expect(namesOf(third), 'while the On is under way, however much its gateway says').toEqual(['z', 'last'])
  addOf('gtw_3', 'on')
  settled(queue, third)
  const ofThird = queue.take()
  expect(namesOf(ofThird), 'two gateways at once').toEqual(['on'])
  queue.giveBack(on)
  expect(namesOf(queue.take()), 'one that was not settled is before what came after it').toEqual(['on'])
})

test('after a batch, the next one gathers for some milliseconds; the first after a rest does not', async () => {
  const { queue, add } = queueOf('a', 'b')
  expect(await mayTake(queue)).toBe(true)
  queue.take()
  add('c')
  const gathered = queue.gather()
  expect(await mayTake(queue)).toBe(false)
  await vi.advanceTimersByTimeAsync(20)
  await gathered
  add('d')
  expect(namesOf(queue.take())).toEqual(['c', 'd'])
  await vi.advanceTimersByTimeAsync(20)
  add('e')
  expect(await mayTake(queue)).toBe(true)
})

test('who sends one reading after the other never waits for more', async () => {
  const { queue, add } = queueOf('a')
  queue.take()
  add('b')
  expect(await mayTake(queue)).toBe(true)
})

test('gathering ends once enough has come', async () => {
  const { queue, add } = queueOf('a', 'b')
  queue.take()
  let over = false
  const gathering = queue.gather().then(() => (over = true))
  add(...many(31))
  await vi.advanceTimersByTimeAsync(0)
  expect(over).toBe(false)
  add('last')
  await gathering
  expect(queue.take()).toHaveLength(32)
  add(...many(32))
  expect(await mayTake(queue)).toBe(true)
})
