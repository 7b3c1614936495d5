import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { encodeReply, requestFault } from '@masthead/radius/authenticator'
import { dictionary } from '@masthead/radius/dictionary'
import { codes, decode, find, type Packet } from '@masthead/radius/packet'
import { readRequest } from '@masthead/radius/records'
import { simDeactivated } from '@masthead/contract/assets/events'
import { resetSessions, setSimStates } from '../../assets/service/index.ts'
import { putGateway } from '../../gateways/test-gateway.ts'
import { systemActor } from '../../kernel/app.ts'
import { record } from '../../kernel/record.ts'
import { cutSession } from './cut-session.ts'
import { openMeteredHouse, packetOf, type MeteredHouse, type TestSim } from '../test-network.ts'

type Decide = (received: number) => { code: 41 | 42; error_cause?: number } | null

/** The gateway's side: answers each Disconnect-Request with what `decide` says, or not at all. Gives what it received. */
const answerWith = (house: MeteredHouse, decide: Decide) => answerAt(house.coa, decide, 'secret')

function answerAt(coa: Socket, decide: Decide, secret: string) {
  const received: Packet[] = []
  coa.on('message', (datagram, from) => {
    const packet = decode(datagram) as Packet
    expect(requestFault(packet, Buffer.from(secret))).toBe(null)
    expect(packet.messageAuthenticatorAt).toBeGreaterThan(0)
    received.push(packet)
    const answer = decide(received.length)
    if (!answer) return
    const { code, error_cause } = answer
    coa.send(encodeReply(packet, code, error_cause ? { error_cause } : {}, Buffer.from(secret)), from.port, from.address)
  })
  return received
}

async function deactivate(house: MeteredHouse, { id, asset_id, iccid }: TestSim) {
  const { account_id } = house.owner
  await house.db.transaction().execute(async (tx) => {
    const actor = systemActor(account_id, house.clock.now())
    await setSimStates(tx, actor, [id], 'inactive')
    await record(tx, actor, simDeactivated, { asset_id, asset_name: 'Tracker', sim_id: id, iccid })
  })
}

const cutsOf = async (house: MeteredHouse) =>
  (await house.events(house.owner.account_id)).flatMap(({ name, detail }) => (name === 'assets.session_cut' ? [detail.answer] : []))

async function openSession(house: MeteredHouse) {
  const sim = await house.newSim()
  await house.client.account(packetOf(sim, 'interim', { time: 60, up: 10, down: 20 }))
  const [session] = await house.sessionsOf(sim)
  return { sim, payload: { account_id: house.owner.account_id, session_id: session!.id } }
}

test('deactivating a SIM cuts its session, and the answer shows', async () => {
  await using house = await openMeteredHouse()
  const { sim } = await openSession(house)
  const received = answerWith(house, () => ({ code: codes.disconnect_ack }))
  await deactivate(house, sim)
  await house.settle()
  const asked = readRequest(received[0]!)
  expect(received[0]!.code).toBe(codes.disconnect_request)
  expect(asked).toMatchObject({ session_id: 'a1', imsi: sim.imsi, nas_identifier: 'pgw-1' })
  expect(asked.event_timestamp).toBe(Math.floor(house.clock.now().getTime() / 1000))
  expect(await house.sessionsOf(sim)).toMatchObject([
    { end_cause: 'Cut by Masthead', disconnect: { answer: 'ack', attempts: 1, words: 'Confirmed by the gateway' } },
  ])
  expect(await cutsOf(house)).toEqual(['ack'])
  // The stop that follows still counts, and the cause stays ours.
  await house.client.account(packetOf(sim, 'stop', { time: 90, up: 15, down: 20, acct_terminate_cause: 6 }))
  expect(await house.sessionsOf(sim)).toMatchObject([{ end_cause: 'Cut by Masthead', bytes_up: 15 }])
})

test('a gateway gets back the very octets that it named its session by', async () => {
  await using house = await openMeteredHouse()
  const sim = await house.newSim()
  const names = { id: 'a\u0001\\b', nas_identifier: '\u0002'.repeat(200) }
  await house.client.account(packetOf(sim, 'interim', { time: 60, up: 10, down: 20, ...names }))
  const received = answerWith(house, () => ({ code: codes.disconnect_ack }))
  await deactivate(house, sim)
  await house.settle()
  const told = received[0]!.attributes.filter(({ type }) => type === 32 || type === 44).map(({ value }) => value.toString('latin1'))
  expect(told.toSorted()).toEqual([names.nas_identifier, names.id])
  expect(await house.sessionsOf(sim)).toMatchObject([{ end_cause: 'Cut by Masthead' }])
})

test('a gateway that no longer knows the session has cut it', async () => {
  await using house = await openMeteredHouse()
  const { sim } = await openSession(house)
  answerWith(house, () => ({ code: codes.disconnect_nak, error_cause: 503 }))
  await deactivate(house, sim)
  await house.settle()
  expect(await house.sessionsOf(sim)).toMatchObject([{ end_cause: 'Lost stop', disconnect: { answer: 'gone' } }])
  expect(await cutsOf(house)).toEqual(['gone'])
})

test('silence and refusals show, and the job is tried again', async () => {
  await using house = await openMeteredHouse()
  const { sim, payload } = await openSession(house)
  await house.db.updateTable('sim').set({ state: 'inactive' }).where('id', '=', sim.id).execute()
  await expect(cutSession(house.app, payload, [1, 1])).rejects.toThrow('No answer from')
  expect(await house.sessionsOf(sim)).toMatchObject([{ ended_at: null, disconnect: { answer: 'timeout', attempts: 2, answered_at: null } }])

  const received = answerWith(house, (times) =>
    times === 1 ? { code: codes.disconnect_nak, error_cause: 506 } : { code: codes.disconnect_ack }
  )
  await expect(cutSession(house.app, payload)).rejects.toThrow('Resources unavailable (506)')
  expect(await house.sessionsOf(sim)).toMatchObject([
    { ended_at: null, disconnect: { answer: 'nak', words: 'Resources unavailable (506)' } },
  ])
  await cutSession(house.app, payload)
  expect(await house.sessionsOf(sim)).toMatchObject([{ end_cause: 'Cut by Masthead', disconnect: { answer: 'ack', attempts: 4 } }])
  await cutSession(house.app, payload)
  expect(received).toHaveLength(2)
  expect(await cutsOf(house)).toEqual(['timeout', 'nak', 'ack'])
})

test('an answer with the wrong secret is none', async () => {
  await using house = await openMeteredHouse()
  const { sim, payload } = await openSession(house)
  await house.db.updateTable('sim').set({ state: 'inactive' }).where('id', '=', sim.id).execute()
  house.coa.on('message', (datagram, from) => {
    house.coa.send(encodeReply(decode(datagram) as Packet, codes.disconnect_ack, {}, Buffer.from('forged')), from.port, from.address)
  })
  await expect(cutSession(house.app, payload, [20])).rejects.toThrow('No answer from')
})

test('nothing is asked for a session that ended, or a SIM with service again', async () => {
  await using house = await openMeteredHouse()
  const { sim, payload } = await openSession(house)
  const received = answerWith(house, () => ({ code: codes.disconnect_ack }))
  await cutSession(house.app, payload)
  await deactivate(house, sim)
  await house.client.account(packetOf(sim, 'stop', { time: 90, up: 15, down: 20, acct_terminate_cause: 1 }))
  await cutSession(house.app, payload)
  await house.settle()
  expect(received).toHaveLength(0)
  expect(await house.sessionsOf(sim)).toMatchObject([{ end_cause: 'User request', disconnect: null }])
  expect(find(await house.client.access({ imsi: sim.imsi }), dictionary.reply_message)).toBe('This SIM is inactive')
})

test('a session that begins though its SIM has no service is cut', async () => {
  await using house = await openMeteredHouse()
  const [active, inactive, blocked] = [await house.newSim(), await house.newSim({ state: 'inactive' }), await house.newSim()]
  const blocks = JSON.stringify([{ code: 'data_limit' }])
  await house.db.updateTable('sim').set({ blocks }).where('id', '=', blocked.id).execute()
  answerWith(house, () => ({ code: codes.disconnect_ack }))
  await house.client.account(packetOf(active, 'start', { id: 'active' }))
  await house.client.account(packetOf(inactive, 'start', { id: 'inactive' }))
  await house.client.account(packetOf(blocked, 'interim', { id: 'blocked', time: 60, up: 10 }))
  // This one is over by the time we learn of it.
  await house.client.account(packetOf(blocked, 'stop', { id: 'over', time: 60, up: 10 }))
  await house.settle()
  const sessions = await house.db.selectFrom('data_session').select(['acct_session_id', 'end_cause', 'disconnect']).orderBy('id').execute()
  expect(sessions.map(({ acct_session_id, end_cause, disconnect }) => [acct_session_id, end_cause, disconnect?.answer ?? null])).toEqual([
    ['active', null, null],
    ['inactive', 'Cut by Masthead', 'ack'],
    ['blocked', 'Cut by Masthead', 'ack'],
    ['over', 'Ended by the network', null],
  ])
})

/** As `answerWith`, at another address of the gateway. */
async function openSecondAddress(house: MeteredHouse, decide: Parameters<typeof answerAt>[1]) {
  const coa = createSocket('udp4')
  coa.bind(0, '127.0.0.3')
  await once(coa, 'listening')
  const at = { address: '127.0.0.3', secret: 'another', coa_port: coa.address().port }
  await putGateway(house.db, { id: house.gateway_id, ...at })
  const received = answerAt(coa, decide, 'another')
  return { coa, received }
}

const minute = { minutes: 1 }
const asked = (received: Packet[]) => received.map((packet) => readRequest(packet).session_id)

test('a session that Accounting-On closed and that goes on is cut, at its next report', async () => {
  await using house = await openMeteredHouse()
  const sim = await house.newSim({ limit_bytes: 250_000_000 })
  const received = answerWith(house, () => ({ code: codes.disconnect_ack }))
  await house.client.account(packetOf(sim, 'interim', { time: 60, up: 200_000_000 }))
  await house.client.account({ acct_status_type: 7 })
  house.clock.advance(minute)
  await house.client.account(packetOf(sim, 'interim', { time: 120, up: 260_000_000 }))
  await house.settle()
  expect(asked(received)).toEqual(['a1'])
  expect(await house.sessionsOf(sim)).toMatchObject([{ end_cause: 'Cut by Masthead', bytes_up: 260_000_000 }])
})

test('also when the SIM was deactivated while its session was believed closed', async () => {
  await using house = await openMeteredHouse()
  const { sim } = await openSession(house)
  const received = answerWith(house, () => ({ code: codes.disconnect_ack }))
  await house.client.account({ acct_status_type: 7 })
  await deactivate(house, sim)
  await house.settle()
  expect(received).toHaveLength(0)
  house.clock.advance(minute)
  await house.client.account(packetOf(sim, 'interim', { time: 120, up: 10, down: 20 }))
  await house.settle()
  expect(asked(received)).toEqual(['a1'])
  expect(await house.sessionsOf(sim)).toMatchObject([{ end_cause: 'Cut by Masthead' }])
})

test('a session that goes on after it was cut is asked about again, once in 30 s; one of a minute’s reports does not bring it back', async () => {
  await using house = await openMeteredHouse()
  const { sim } = await openSession(house)
  const received = answerWith(house, () => ({ code: codes.disconnect_ack }))
  await deactivate(house, sim)
  await house.settle()
  let time = 60
  const reportAfter = async (seconds: number, kind: 'start' | 'interim' = 'interim') => {
    house.clock.advance({ seconds })
    await house.client.account(packetOf(sim, kind, { time: (time += seconds), up: 10, down: 20 }))
    await house.settle()
    const [{ ended_at } = { ended_at: null }] = await house.sessionsOf(sim)
    return [received.length, ended_at !== null]
  }
  // What was on its way when the gateway was asked.
  expect(await reportAfter(5)).toEqual([1, true])
  expect(await reportAfter(26)).toEqual([2, true])
  expect(await reportAfter(29)).toEqual([2, true])
  expect(await reportAfter(1, 'start')).toEqual([3, true])
  expect(await reportAfter(61)).toEqual([4, true])
  // The last one was live again, and cut once more.
  expect(await cutsOf(house)).toEqual(['ack', 'ack'])
})

test('an idle session whose job was given up is cut at its next report', async () => {
  await using house = await openMeteredHouse()
  const { sim } = await openSession(house)
  await house.db.updateTable('sim').set({ state: 'inactive' }).where('id', '=', sim.id).execute()
  const received = answerWith(house, () => ({ code: codes.disconnect_ack }))
  // The same report once more, be it a duplicate.
  await house.client.account(packetOf(sim, 'interim', { time: 60, up: 10, down: 20 }))
  await house.client.account(packetOf(sim, 'interim', { time: 90, up: 15, down: 20 }))
  // What the meter knows of a session that it had asked about goes on being true.
  expect(house.meter.figures.count('masthead_meter_batch_failures_total{fault="again"')).toBe(0)
  await house.settle()
  expect(asked(received)).toEqual(['a1'])
  expect(await house.sessionsOf(sim)).toMatchObject([{ end_cause: 'Cut by Masthead', bytes_up: 15 }])
})

test('a session is asked about where it was last seen, then at the gateway’s others, and is gone only when all say so', async () => {
  await using house = await openMeteredHouse()
  const { sim, payload } = await openSession(house)
  await house.db.updateTable('sim').set({ state: 'inactive' }).where('id', '=', sim.id).execute()
  const order: string[] = []
  let first: { code: 41 | 42; error_cause?: number } | null = { code: codes.disconnect_nak, error_cause: 503 }
  answerWith(house, () => (order.push('first'), first))
  const second = await openSecondAddress(house, () => (order.push('second'), { code: codes.disconnect_nak, error_cause: 503 }))
  expect(await house.sessionsOf(sim)).toMatchObject([{ heard_from: '127.0.0.1' }])
  first = null
  await expect(cutSession(house.app, payload, [1])).rejects.toThrow('No answer from 127.0.0.1')
  expect(await house.sessionsOf(sim)).toMatchObject([{ ended_at: null, disconnect: { answer: 'timeout' } }])
  expect(order).toEqual(['first', 'second'])
  await house.db.updateTable('data_session').set({ heard_from: '127.0.0.3' }).execute()
  first = { code: codes.disconnect_nak, error_cause: 503 }
  await cutSession(house.app, payload)
  expect(order).toEqual(['first', 'second', 'second', 'first'])
  expect(await house.sessionsOf(sim)).toMatchObject([{ end_cause: 'Lost stop', disconnect: { answer: 'gone' } }])
  second.coa.close()
})

test('a reset ends the session of a SIM that has service, and is given up soon where the gateway refuses', async () => {
  await using house = await openMeteredHouse()
  const { sim } = await openSession(house)
  const of = { account_id: house.owner.account_id, sim_id: sim.id }
  const reset = async () => (await house.db.transaction().execute((tx) => resetSessions(tx, [of]))).get(sim.id) ?? 0
  answerWith(house, (received) => (received === 1 ? { code: codes.disconnect_ack } : { code: codes.disconnect_nak, error_cause: 504 }))
  expect(await reset()).toBe(1)
  await house.settle()
  expect(await house.sessionsOf(sim)).toMatchObject([{ end_cause: 'Cut by Masthead', disconnect: { answer: 'ack' } }])
  expect(await reset()).toBe(0)
  // The device attaches anew.
  await house.client.account(packetOf(sim, 'start', { id: 'a2' }))
  const [, second] = await house.sessionsOf(sim)
  const again = { account_id: house.owner.account_id, session_id: second!.id }
  await expect(cutSession(house.app, again)).resolves.toBeUndefined()
  expect((await house.sessionsOf(sim))[1], 'without a reset it is left alone').toMatchObject({ ended_at: null, disconnect: null })
  await expect(cutSession(house.app, { ...again, is_reset: true })).rejects.toThrow('The session was not cut')
  expect((await house.sessionsOf(sim))[1]).toMatchObject({ ended_at: null, disconnect: { answer: 'nak' } })
})
