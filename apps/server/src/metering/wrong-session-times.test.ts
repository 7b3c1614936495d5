import { expect, test } from 'vitest'
import { closeSilentSessions } from './end-sessions.ts'
import { openMeteredHouse, packetOf } from './test-network.ts'

test.each([2 ** 32 - 1, 30 * 86_400])(
  'an Acct-Session-Time of %i s among good ones makes none of the later reports late',
  async (garbled) => {
    await using house = await openMeteredHouse()
    const sim = await house.newSim()
    for (const [minute, time] of [60, 120, garbled, 240, 300].entries()) {
      const at = Math.floor(house.clock.now().getTime() / 1000)
      await house.client.account(packetOf(sim, 'interim', { time, at, up: 1000 * (minute + 1), down: 0 }))
      house.clock.advance({ minutes: 1 })
    }
    expect(await house.counter(sim)).toMatchObject({ bytes_up: 5000 })
  }
)

test('a gateway that gives 2^32 − 1 at first, or always, is counted', async () => {
  await using house = await openMeteredHouse()
  const [sim, other] = [await house.newSim(), await house.newSim()]
  for (const minute of [1, 2, 3]) {
    const time = minute === 1 ? 2 ** 32 - 1 : minute * 60
    await house.client.account(packetOf(sim, 'interim', { time, up: 1000 * minute }))
    await house.client.account(packetOf(other, 'interim', { id: 'b', time: 2 ** 32 - 1, up: 1000 * minute }))
    house.clock.advance({ minutes: 1 })
  }
  expect(await house.counter(sim)).toMatchObject({ bytes_up: 3000 })
  expect(await house.counter(other)).toMatchObject({ bytes_up: 3000 })
})

test.each([true, false])(
  'a first Acct-Session-Time of years makes none of the later reports late, with an Event-Timestamp or not (%s)',
  async (timed) => {
    await using house = await openMeteredHouse()
    const sim = await house.newSim()
    await house.db
      .updateTable('gateway')
      .set({ created_at: new Date(Date.UTC(2012, 0)) })
      .execute()
    await house.db
      .updateTable('sim')
      .set({ created_at: new Date(Date.UTC(2012, 0)) })
      .execute()
    for (const [minute, time] of [5 * 365 * 86_400, 120, 180, 240].entries()) {
      const at = timed ? Math.floor(house.clock.now().getTime() / 1000) : undefined
      await house.client.account(
        packetOf(sim, minute === 3 ? 'stop' : 'interim', { time, up: 1000 * (minute + 1), down: 0, ...(at && { at }) })
      )
      house.clock.advance({ minutes: 1 })
    }
    expect(await house.counter(sim)).toMatchObject({ bytes_up: 4000 })
    expect(await house.sessionsOf(sim)).toMatchObject([{ end_cause: 'Ended by the network', bytes_up: 4000 }])
  }
)

test('after our own clock was 40 days ahead, ids used again are counted, an On closes, and silence ends', async () => {
  await using house = await openMeteredHouse()
  const [sim, silent, restarted] = [await house.newSim(), await house.newSim(), await house.newSim()]
  house.clock.set('2027-01-05T12:00:00Z')
  await house.client.account(packetOf(sim, 'stop', { time: 600, up: 1000, down: 0 }))
  await house.client.account(packetOf(silent, 'interim', { id: 'silent', time: 60, up: 10 }))
  await house.client.account({ ...packetOf(restarted, 'interim', { id: 'r', time: 60, up: 10 }), nas_identifier: 'pgw-2' })
  house.clock.set('2026-11-26T12:00:00Z')
  await house.client.account(packetOf(sim, 'start'))
  house.clock.advance({ minutes: 1 })
  await house.client.account(packetOf(sim, 'interim', { time: 60, up: 500, down: 0 }))
  expect(await house.counter(sim)).toMatchObject({ lifetime_up: 1500 })
  await house.client.account({ acct_status_type: 7, nas_identifier: 'pgw-2' })
  expect(await house.sessionsOf(restarted)).toMatchObject([{ end_cause: 'Gateway restarted' }])
  await closeSilentSessions(house.app)
  expect(await house.sessionsOf(silent)).toMatchObject([{ end_cause: 'Lost stop' }])
  house.clock.advance({ minutes: 1 })
  await house.client.account(packetOf(silent, 'interim', { id: 'silent', time: 180, up: 30 }))
  expect(await house.sessionsOf(silent)).toMatchObject([{ ended_at: null, bytes_up: 30 }])
})
