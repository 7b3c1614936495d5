import { expect, test } from 'vitest'
import { openMeteredHouse, packetOf } from './test-network.ts'

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
