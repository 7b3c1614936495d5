import { expect, test } from 'vitest'
import { encodeReply, requestFault } from '@masthead/radius/authenticator'
import { dictionary } from '@masthead/radius/dictionary'
import { codes, decode, find, type Packet } from '@masthead/radius/packet'
import { readRequest } from '@masthead/radius/records'
import { simDeactivated } from '@masthead/contract/assets/events'
import { systemActor } from '../kernel/app.ts'
import { record } from '../kernel/record.ts'
import { cutSession } from './cut-session.ts'
import { openMeteredHouse, packetOf, type MeteredHouse, type TestSim } from './test-network.ts'

/** The gateway's side: answers each Disconnect-Request with what `decide` says, or not at all. Gives what it heard. */
function answerWith(house: MeteredHouse, decide: (heard: number) => { code: 41 | 42; error_cause?: number } | null) {
  const heard: Packet[] = []
  house.coa.on('message', (datagram, from) => {
    const packet = decode(datagram) as Packet
    expect(requestFault(packet, Buffer.from('secret'))).toBe(null)
    expect(packet.messageAuthenticatorAt).toBeGreaterThan(0)
    heard.push(packet)
    const answer = decide(heard.length)
    if (!answer) return
    const { code, error_cause } = answer
    house.coa.send(encodeReply(packet, code, error_cause ? { error_cause } : {}, Buffer.from('secret')), from.port, from.address)
  })
  return heard
}

async function deactivate(house: MeteredHouse, { id, asset_id, iccid }: TestSim) {
  const { account_id } = house.owner
  await house.db.transaction().execute(async (tx) => {
    await tx.updateTable('sim').set({ state: 'inactive' }).where('id', '=', id).execute()
    await record(tx, systemActor(account_id, house.clock.now()), simDeactivated, { asset_id, asset_name: 'Tracker', sim_id: id, iccid })
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
  const heard = answerWith(house, () => ({ code: codes.disconnect_ack }))
  await deactivate(house, sim)
  await house.settle()
  const asked = readRequest(heard[0]!)
  expect(heard[0]!.code).toBe(codes.disconnect_request)
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

  const heard = answerWith(house, (times) =>
    times === 1 ? { code: codes.disconnect_nak, error_cause: 506 } : { code: codes.disconnect_ack }
  )
  await expect(cutSession(house.app, payload)).rejects.toThrow('Resources unavailable (506)')
  expect(await house.sessionsOf(sim)).toMatchObject([
    { ended_at: null, disconnect: { answer: 'nak', words: 'Resources unavailable (506)' } },
  ])
  await cutSession(house.app, payload)
  expect(await house.sessionsOf(sim)).toMatchObject([{ end_cause: 'Cut by Masthead', disconnect: { answer: 'ack', attempts: 4 } }])
  await cutSession(house.app, payload)
  expect(heard).toHaveLength(2)
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
  const heard = answerWith(house, () => ({ code: codes.disconnect_ack }))
  await cutSession(house.app, payload)
  await deactivate(house, sim)
  await house.client.account(packetOf(sim, 'stop', { time: 90, up: 15, down: 20, acct_terminate_cause: 1 }))
  await cutSession(house.app, payload)
  await house.settle()
  expect(heard).toHaveLength(0)
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
  // This one is over by the time we hear of it.
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
