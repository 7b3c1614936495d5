import { expect, test } from 'vitest'
import { listQuarantine, matchQuarantine } from '@masthead/contract/backoffice/quarantine-operations'
import { enterStaff } from '../backoffice/test-backoffice.ts'
import { openMeteredHouse, packetOf, readingOf, stored } from './test-network.ts'

const day = 86_400_000 // ms

test.each([3600, 86_400 * 400])('what a gateway sends again while its clock is %i s ahead counts once', async (ahead) => {
  await using house = await openMeteredHouse()
  const sim = await house.newSim()
  const at = (second: number) => ({ event_timestamp: Math.floor(house.clock.now().getTime() / 1000) + ahead + second })
  const start = packetOf(sim, 'start', at(0))
  await house.client.account(start)
  house.clock.advance({ minutes: 1 })
  await house.client.account(packetOf(sim, 'interim', { time: 60, up: 1000, ...at(0) }))
  house.clock.advance({ seconds: 5 })
  await house.client.account(start)
  house.clock.advance({ seconds: 55 })
  await house.client.account(packetOf(sim, 'interim', { time: 120, up: 2000, ...at(0) }))
  expect(await house.counter(sim)).toMatchObject({ bytes_up: 2000 })
  expect(await house.sessionsOf(sim)).toHaveLength(1)
})

test('without session times, what is sent again by a clock that is ahead is late, and no reset', async () => {
  await using house = await openMeteredHouse()
  const sim = await house.newSim()
  const report = (minute: number, up: number) =>
    house.client.account(
      packetOf(sim, 'interim', { up, down: 0, at: Math.floor(house.clock.now().getTime() / 1000) + 86_400 + minute * 60 })
    )
  await report(1, 1000)
  house.clock.advance({ minutes: 1 })
  await report(1, 2000)
  house.clock.advance({ seconds: 5 })
  await report(0, 1000)
  house.clock.advance({ minutes: 1 })
  await report(1, 3000)
  expect(await house.counter(sim)).toMatchObject({ bytes_up: 3000 })
})

test('what began before all that is kept is in quarantine, and counts as of its arrival once staff say whose it is', async () => {
  await using house = await openMeteredHouse()
  const [sim, staff] = [await house.newSim(), await enterStaff(house)]
  const now = house.clock.now().getTime()
  await house.db
    .updateTable('usage_coverage')
    .set({ sessions_since: new Date(now - 400 * day) })
    .execute()
  const behind = (session_time: number, counter_up: number) =>
    stored(
      house,
      readingOf(house, sim, { acct_session_id: 'behind', session_time, counter_up, event_at: Date.UTC(2016, 0) + session_time * 1000 })
    )
  await behind(60, 100)
  await behind(120, 250)
  expect(await house.counter(sim)).toBeUndefined()
  const { items } = (await staff.call(listQuarantine, { query: { search: sim.imsi } })).body
  expect(items).toMatchObject([{ packets: 2, bytes_up: 250, why: expect.stringContaining('years behind') }])
  const body = { sim: sim.iccid, reason: 'Its clock lost its battery' }
  await staff.call(matchQuarantine, { params: { quarantine_id: items[0]!.id }, body })
  await house.settle()
  expect(await house.counter(sim)).toMatchObject({ bytes_up: 250, period_start: `${new Date(now).toISOString().slice(0, 7)}-01` })
})
