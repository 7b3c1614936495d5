import { afterAll, beforeAll, expect, test } from 'vitest'
import { codes } from '@masthead/radius/packet'
import { openMeteredHouse, packetOf, readingOf, stored, type MeteredHouse, type TestSim } from './test-network.ts'

let house: MeteredHouse
beforeAll(async () => {
  house = await openMeteredHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

/** A report of a gateway that says nothing of itself but that. */
const report = (sim: TestSim, nas_ipv6: string, id: string, time: number, up: number) =>
  house.client.ask(codes.accounting_request, { ...packetOf(sim, 'interim', { id, time, up }), nas_ipv6 })

test('gateways behind a proxy that say their NAS-IPv6-Address alone are told apart by it', async () => {
  const [one, other] = [await house.newSim(), await house.newSim()]
  await report(one, '2001:db8::1', 'same', 60, 100)
  await report(other, '2001:db8::2', 'same', 60, 300)
  await report(one, '2001:db8::1', 'same', 120, 150)
  expect(await house.sessionsOf(one)).toMatchObject([{ nas: '2001:db8::1', bytes_up: 150 }])
  expect(await house.sessionsOf(other)).toMatchObject([{ nas: '2001:db8::2', bytes_up: 300 }])
})

test('a session that an earlier version knows by the address that it came from goes on under that, and counts once', async () => {
  const [sim, another] = [await house.newSim(), await house.newSim()]
  await stored(house, readingOf(house, sim, { nas: '127.0.0.1', acct_session_id: 'before', session_time: 60, counter_up: 100 }))
  await house.restartMeter()
  await report(sim, '2001:db8::1', 'before', 120, 150)
  await report(sim, '2001:db8::1', 'before', 180, 170)
  await report(another, '2001:db8::2', 'before', 60, 40)
  expect(await house.sessionsOf(sim)).toMatchObject([{ nas: '127.0.0.1', bytes_up: 170 }])
  expect(await house.sessionsOf(another)).toMatchObject([{ nas: '2001:db8::2', bytes_up: 40 }])
})
