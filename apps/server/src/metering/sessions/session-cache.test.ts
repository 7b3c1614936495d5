import { expect, test } from 'vitest'
import { openMeteredHouse, readingOf, stored } from '../test-network.ts'

test('a stop and a new start of the same id in one batch', async () => {
  await using house = await openMeteredHouse()
  const sim = await house.newSim()
  const at = house.clock.now().getTime()
  await stored(house, readingOf(house, sim, { counter_up: 10 }))
  const batch = [
    readingOf(house, sim, { counter_up: 25, session_time: 70 }),
    readingOf(house, sim, { kind: 'stop', counter_up: 30, session_time: 90, event_at: at + 1000 }),
    readingOf(house, sim, { kind: 'start', counter_up: 0, session_time: 0, event_at: at + 2000 }),
    readingOf(house, sim, { counter_up: 5, session_time: 30, event_at: at + 3000 }),
  ]
  expect(await Promise.all(batch.map((reading) => stored(house, reading)))).toEqual([true, true, true, true])
  expect(await house.counter(sim)).toMatchObject({ bytes_up: 35 })
  const sessions = await house.sessionsOf(sim)
  expect(sessions.map(({ bytes_up, superseded }) => [bytes_up, superseded])).toEqual([
    [30, true],
    [5, false],
  ])
})

test('a session id that began anew at another meter: what seems late from memory alone is counted', async () => {
  await using house = await openMeteredHouse()
  const other = await house.startMeter()
  const sim = await house.newSim()
  const at = house.clock.now().getTime()
  const told = (kind: 'start' | 'interim' | 'stop', session_time: number, counter_up: number, later: number) =>
    readingOf(house, sim, { kind, session_time, counter_up, event_at: at + later })
  await stored(house, told('interim', 600, 100, 0))
  await stored(house, told('stop', 660, 110, 60_000), other)
  await stored(house, told('start', 0, 0, 61_000), other)
  await stored(house, told('interim', 30, 5, 91_000))
  expect(await house.counter(sim)).toMatchObject({ bytes_up: 115 })
  await other.stop()
})

test.each([
  ['ack', 'User request', 'Cut by Masthead'],
  [null, 'Admin reset', 'Cut by Masthead'],
  [null, 'User request', 'User request'],
])('after a cut behind the meter’s back that was answered %s, a stop with %s is kept as %s', async (answer, told, kept) => {
  await using house = await openMeteredHouse()
  const sim = await house.newSim()
  await stored(house, readingOf(house, sim))
  const asked = { requested_at: '', answered_at: '', attempts: 1, answer, words: '' }
  await house.db
    .updateTable('data_session')
    .set({ disconnect: JSON.stringify(asked) })
    .execute()
  await stored(house, readingOf(house, sim, { kind: 'stop', session_time: 90, counter_up: 12, end_cause: told }))
  expect(await house.sessionsOf(sim)).toMatchObject([{ end_cause: kept, bytes_up: 12 }])
})
