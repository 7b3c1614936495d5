import { afterAll, beforeAll, expect, test } from 'vitest'
import { listEmptySessions } from '@masthead/contract/usage/network-operations'
import { openMeteredHouse, readingOf, type MeteredHouse } from '../metering/test-network.ts'

let house: MeteredHouse
beforeAll(async () => {
  house = await openMeteredHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

test('sessions that ended without a byte are counted, those that are open or used data are not', async () => {
  const sim = await house.newSim()
  const read = (acct_session_id: string, counter_up: number, kind: 'start' | 'stop') =>
    readingOf(house, sim, { acct_session_id, kind, counter_up, session_time: kind === 'start' ? 0 : 60 })
  await house.meter.ingest.addAll([
    read('empty-1', 0, 'start'),
    read('empty-2', 0, 'start'),
    read('open', 0, 'start'),
    read('used', 0, 'start'),
  ])
  house.clock.advance({ minutes: 1 })
  await house.meter.ingest.addAll([read('empty-1', 0, 'stop'), read('empty-2', 0, 'stop'), read('used', 9, 'stop')])
  const { body, status, text } = await house.owner.call(listEmptySessions, { query: {} })
  expect(status, text).toBe(200)
  expect(body).toMatchObject({ sessions: 4, empty_sessions: 2, sims: 1, items: [{ sessions: 4, empty_sessions: 2 }] })
})
