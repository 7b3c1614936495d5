import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { encodeRequest } from '@masthead/radius/authenticator'
import { type Attributes, dictionary } from '@masthead/radius/dictionary'
import { codes, find } from '@masthead/radius/packet'
import { addStock } from '../../assets/test-stock.ts'
import { interimInterval } from './access-rules.ts'
import { openMeteredHouse, packetOf } from '../test-network.ts'

test('a SIM with service comes in, with an interval and a time limit', async () => {
  await using house = await openMeteredHouse()
  for (const state of ['active', 'ready', 'standby'] as const) {
    const reply = await house.client.access({ imsi: (await house.newSim({ state })).imsi })
    expect(reply.code).toBe(codes.access_accept)
    expect(reply.messageAuthenticatorAt, 'first in the reply').toBe(22)
    expect([find(reply, dictionary.acct_interim_interval), find(reply, dictionary.session_timeout)]).toEqual([300, 86_400])
  }
  // No account asks for a password: one that is given is ignored.
  const { imsi } = await house.newSim()
  for (const given of [{ user_password: Buffer.alloc(16, 7) }, { chap_password: Buffer.alloc(17, 7) }])
    expect((await house.client.access({ imsi, ...given })).code).toBe(codes.access_accept)
  const limited = await house.newSim({ limit_bytes: 1000 })
  await house.client.account(packetOf(limited, 'stop', { time: 60, up: 800 }))
  await house.client.account(packetOf(limited, 'start', { id: 'b' }))
  expect(find(await house.client.access({ imsi: limited.imsi }), dictionary.acct_interim_interval)).toBe(240)
  expect((await house.sessionsOf(limited)).map((session) => session.interim_seconds)).toEqual([300, 240])
})

test('others are refused in words', async () => {
  await using house = await openMeteredHouse()
  const inactive = await house.newSim({ state: 'inactive' })
  const limited = await house.newSim({ limit_bytes: 1000 })
  await house.client.account(packetOf(limited, 'interim', { time: 1, up: 600, down: 600 }))
  await addStock(house, { imsis: ['204087777777777'] })
  const ruled = await house.newSim()
  const blocks = JSON.stringify([{ code: 'rule', since: '', by: 'system', words: 'The alert rule Thief, see file 7, fired', clears: '' }])
  await house.db.updateTable('sim').set({ blocks }).where('id', '=', ruled.id).execute()
  const refusals = [
    ['204081111111111', 'No SIM has this number'],
    ['204087777777777', 'This SIM is in stock and not registered yet'],
    [inactive.imsi, 'This SIM is inactive'],
    [limited.imsi, 'This SIM is blocked: Used 1.2 KB of 1 KB this month'],
    // What a customer calls the rule stays with them.
    [ruled.imsi, 'This SIM is blocked: held by an alert rule of its account'],
  ] as const
  for (const [imsi, words] of refusals) {
    const reply = await house.client.access({ imsi, nas_identifier: 'pgw-1' })
    expect([reply.code, find(reply, dictionary.reply_message)]).toEqual([codes.access_reject, words])
    expect(reply.messageAuthenticatorAt).toBe(22)
  }
  // They themselves read in the history of the SIM which rule it was.
  const kept = async () => (await sql`select kind, words from connection_event where sim_id = ${ruled.id}`.execute(house.db)).rows
  await expect.poll(kept).toEqual([{ kind: 'rejected', words: 'This SIM is blocked: The alert rule Thief, see file 7, fired' }])
})

test('EAP is refused, whoever asks by it; without Message-Authenticator there is silence, from a legacy address too', async () => {
  await using house = await openMeteredHouse({ legacy: true })
  const { imsi } = await house.newSim()
  const eap_message = Buffer.from([2, 0, 0, 5, 1])
  const reply = await house.client.access({ imsi, eap_message })
  expect([reply.code, find(reply, dictionary.reply_message)]).toEqual([codes.access_reject, 'EAP is not spoken here'])
  const unsigned = (more: Attributes) => () => house.client.access({ imsi, ...more }, { message_authenticator: false })
  expect((await unsigned({})()).code).toBe(codes.access_accept)
  expect(await house.client.isSilent(unsigned({ eap_message }), unsigned({}))).toBe(true)
})

test('words that are longer than an attribute are cut, and hold nobody else up', async () => {
  await using house = await openMeteredHouse()
  const [held, other] = [await house.newSim(), await house.newSim()]
  const blocks = JSON.stringify([{ code: 'staff', since: '', by: 'staff', words: 'ü'.repeat(300), clears: '' }])
  await house.db.updateTable('sim').set({ blocks }).where('id', '=', held.id).execute()
  const [refused, accepted] = await Promise.all([house.client.access({ imsi: held.imsi }), house.client.access({ imsi: other.imsi })])
  expect(find(refused, dictionary.reply_message)).toBe(`This SIM is blocked: ${'ü'.repeat(116)}`)
  expect(accepted.code).toBe(codes.access_accept)
})

test('nobody is answered while the database is away, and that is counted', async () => {
  await using house = await openMeteredHouse()
  const sim = await house.newSim()
  await house.database.away()
  const request = { code: codes.access_request, identifier: 200, attributes: { imsi: sim.imsi } }
  house.client.send(encodeRequest(request, Buffer.from('secret')), 'auth')
  const unanswered = () => house.meter.figures.count('masthead_meter_dropped_total{port="auth",cause="database away"')
  await expect.poll(unanswered, { timeout: 20_000 }).toBe(1)
  await house.database.back()
  expect((await house.client.access({ imsi: sim.imsi })).code).toBe(codes.access_accept)
})

test('many Access-Requests at once are each answered as their SIM deserves', async () => {
  await using house = await openMeteredHouse()
  const sims = await Promise.all(Array.from({ length: 20 }, (_, i) => house.newSim({ state: i % 2 ? 'inactive' : 'active' })))
  const replies = await Promise.all(
    sims.map((sim) => house.client.access({ user_name: `${sim.imsi}@apn`, user_password: Buffer.alloc(16) }))
  )
  expect(replies.map((reply) => reply.code)).toEqual(sims.map((_, i) => (i % 2 ? codes.access_reject : codes.access_accept)))
})

test.each([
  [null, 0, 300],
  [1000, 0, 300],
  [1000, 740, 300],
  [1000, 800, 240],
  [1000, 870, 180],
  [1000, 960, 60],
  [1000, 1000, 60],
  [1000, 5000, 60],
])('the interval of a SIM with limit %s that used %s is %s s', (limit, used, seconds) => {
  expect(interimInterval({ limit, used })).toBe(seconds)
})
