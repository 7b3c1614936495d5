import { expect, test } from 'vitest'
import { encodeReply } from '@masthead/radius/authenticator'
import { codes, decode, type Packet } from '@masthead/radius/packet'
import { readRequest } from '@masthead/radius/records'
import { removeAsset } from '../assets/index.ts'
import { type MeteredHouse, type TestSim, openMeteredHouse, packetOf, readingOf, stored } from './test-network.ts'
import { putGateway } from '../gateways/test-gateway.ts'

// A SIM leaves its account once none of its sessions is open. One that was believed closed may go on.

/** The session that each Disconnect-Request was about; each is confirmed. */
function confirmCuts({ coa }: MeteredHouse): (string | null)[] {
  const asked: (string | null)[] = []
  coa.on('message', (datagram, from) => {
    const packet = decode(datagram) as Packet
    asked.push(readRequest(packet).session_id)
    coa.send(encodeReply(packet, codes.disconnect_ack, {}, Buffer.from('secret')), from.port, from.address)
  })
  return asked
}

const release = ({ app, owner }: MeteredHouse, { asset_id }: TestSim) =>
  app.db.transaction().execute((tx) => removeAsset(tx, owner.account_id, asset_id))

test('a session that goes on after its SIM was released is cut, and counts for nobody', async () => {
  await using house = await openMeteredHouse()
  const sim = await house.newSim()
  const asked = confirmCuts(house)
  const report = async (time: number, up: number, kind: 'start' | 'interim' = 'interim') => {
    house.clock.advance({ seconds: 20 })
    await house.client.account(packetOf(sim, kind, { time, up, down: 0 }))
    await house.settle()
    return asked.length
  }
  await report(60, 100)
  await house.client.account({ acct_status_type: 7 })
  expect(await release(house, sim)).not.toBeNull()
  expect(await report(120, 5000)).toBe(1)
  // Once in 30 s, however it was answered. What was on its way is not of the account that had the SIM either.
  expect(await report(140, 6000)).toBe(1)
  expect(await report(160, 7000)).toBe(2)
  expect(asked).toEqual(['a1', 'a1'])
  expect(await house.sessionsOf(sim)).toMatchObject([{ bytes_up: 100, end_cause: 'Gateway restarted', disconnect: { answer: 'ack' } }])
  const waiting = await house.db.selectFrom('quarantine').select(['kind', 'counter_up', 'packets']).execute()
  expect(waiting).toEqual([{ kind: 'unknown', counter_up: 7000, packets: 3 }])
  expect((await house.events(house.owner.account_id)).map(({ name }) => name)).not.toContain('assets.session_cut')
})

test('also by a report that changes nothing, or is of before the session was believed closed', async () => {
  await using house = await openMeteredHouse()
  const sims = [await house.newSim(), await house.newSim()]
  const asked = confirmCuts(house)
  const began = Math.floor(house.clock.now().getTime() / 1000) - 3600
  const report = (sim: TestSim, time: number, up: number) =>
    house.client.account(packetOf(sim, 'interim', { id: sim.imsi, time, up, down: 0, at: began + time }))
  for (const sim of sims) await report(sim, 600, 1000)
  await house.client.account({ acct_status_type: 7, event_timestamp: began + 800 })
  for (const sim of sims) await release(house, sim)
  await report(sims[0]!, 600, 1000)
  await report(sims[1]!, 700, 1500)
  await house.settle()
  expect(asked.toSorted()).toEqual(sims.map(({ imsi }) => imsi))
})

test('what begins under its key and names no SIM is in quarantine', async () => {
  await using house = await openMeteredHouse()
  const sim = await house.newSim()
  const at = house.clock.now().getTime()
  await stored(house, readingOf(house, sim, { kind: 'stop', event_at: at - 60_000 }))
  await release(house, sim)
  await stored(house, readingOf(house, sim, { kind: 'start', session_time: 0, counter_up: 0, imsi: null, event_at: at }))
  expect(await house.sessionsOf(sim)).toMatchObject([{ superseded: false, bytes_up: 10 }])
  expect(await house.db.selectFrom('quarantine').select('kind').execute()).toEqual([{ kind: 'unknown' }])
})

test('an id that a gateway uses again for a SIM whose session another gateway has open is not counted twice', async () => {
  await using house = await openMeteredHouse()
  const [sim, other] = [await house.newSim(), await house.newSim()]
  const { gateway_id } = await putGateway(house.db, { name: 'B', address: '127.0.0.8' })
  const at = house.clock.now().getTime()
  await stored(house, readingOf(house, sim, { event_at: at }))
  await stored(house, readingOf(house, other, { gateway_id, event_at: at }))
  // The session of the other SIM is in the meter's memory, and open.
  await stored(house, readingOf(house, sim, { gateway_id, kind: 'start', session_time: 0, counter_up: 0, event_at: at + 1000 }))
  await stored(house, readingOf(house, sim, { gateway_id, session_time: 30, counter_up: 7, event_at: at + 31_000 }))
  expect(await house.counter(sim)).toMatchObject({ lifetime_up: 10 })
  expect(await house.sessionsOf(sim)).toHaveLength(1)
  expect(await house.db.selectFrom('quarantine').select(['kind', 'packets']).execute()).toEqual([{ kind: 'elsewhere', packets: 1 }])
})

test('a Stop under an id used again ends its own session, not the one that we cut', async () => {
  await using house = await openMeteredHouse()
  const sim = await house.newSim()
  const at = house.clock.now().getTime()
  await stored(house, readingOf(house, sim, { session_time: 600, event_at: at }))
  const cut = { requested_at: '', answered_at: '', attempts: 1, answer: 'ack', words: '' }
  const ended = { ended_at: new Date(at), end_cause: 'Cut by Masthead', live_after: new Date(at + 60_000), disconnect: JSON.stringify(cut) }
  await house.db.updateTable('data_session').set(ended).execute()
  const anew = { session_time: 30, counter_up: 7, event_at: at + 100_000 }
  await stored(house, readingOf(house, sim, { ...anew, kind: 'stop', end_cause: 'User request' }))
  expect(await house.sessionsOf(sim)).toMatchObject([
    { superseded: true, end_cause: 'Cut by Masthead' },
    { superseded: false, end_cause: 'User request', bytes_up: 7 },
  ])
})
