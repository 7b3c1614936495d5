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

test('one that goes on so counts once also where its batch is tried again', async () => {
  const [sim, another] = [await house.newSim(), await house.newSim()]
  const before = { nas: '127.0.0.1', acct_session_id: 'tried again' }
  const ofSim = (session_time: number, counter_up: number) =>
    stored(house, readingOf(house, sim, { ...before, nas: '2001:db8::1', nas_before: '127.0.0.1', session_time, counter_up }))
  const ofAnother = (session_time: number, counter_up: number) =>
    stored(house, readingOf(house, another, { acct_session_id: 'changed meanwhile', session_time, counter_up }))
  await stored(house, readingOf(house, sim, { ...before, session_time: 60, counter_up: 100 }))
  await ofAnother(60, 10)
  await house.db
    .updateTable('data_session')
    .set({ cut_asked_at: house.clock.now() })
    .where('acct_session_id', '=', 'changed meanwhile')
    .execute()
  expect(await Promise.all([ofSim(120, 150), ofAnother(120, 20)])).toEqual([true, true])
  expect(await house.counter(sim)).toMatchObject({ bytes_up: 150 })
  await ofSim(180, 170)
  expect(await house.counter(sim)).toMatchObject({ bytes_up: 170 })
  expect(await house.sessionsOf(sim)).toMatchObject([{ nas: '127.0.0.1', bytes_up: 170 }])
  expect(await house.sessionsOf(another)).toMatchObject([{ bytes_up: 20 }])
})
