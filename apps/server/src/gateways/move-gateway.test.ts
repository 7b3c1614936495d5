import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listAssetSessions } from '@masthead/contract/assets/operations'
import { joinGateways, listGateways, removeGateway, updateGateway } from '@masthead/contract/backoffice/gateway-operations'
import { listQuarantine } from '@masthead/contract/backoffice/quarantine-operations'
import { listStaffLog } from '@masthead/contract/backoffice/staff-log-operations'
import { addQuarantined, addTestGateway, enterStaff, type Staff } from '../backoffice/test-backoffice.ts'
import type { Reading } from '../metering/index.ts'
import { openMeteredHouse, packetOf, readingOf, stored, type MeteredHouse, type TestSim } from '../metering/test-network.ts'
import { moveEndedSessions } from './move-gateway.ts'

let house: MeteredHouse
let staff: Staff
beforeAll(async () => {
  house = await openMeteredHouse()
  staff = await enterStaff(house)
})
afterAll(() => house[Symbol.asyncDispose]())

const join = (gateway_id: string, other_id: string) => staff.call(joinGateways, { params: { gateway_id }, body: { other_id } })

/** A session as a meter leaves it, seen some minutes ago. */
async function putSession(gateway_id: string, acct_session_id: string, minutes: number, changes = {}) {
  const at = new Date(house.clock.now().getTime() - minutes * 60_000)
  const { account_id } = house.owner
  const id = `ses_${gateway_id}_${acct_session_id}`
  const times = { started_at: at, updated_at: at, heard_at: at, ended_at: null, end_cause: null }
  const key = { account_id, id, sim_id: 'sim_1', asset_id: 'ast_1', gateway_id, nas: 'pgw', acct_session_id }
  await house.db
    .insertInto('data_session')
    .values({ ...key, ...times, imsi: null, apn: null, ip: null, rat: null, mccmnc: null, imei: null, cell: null, ...changes })
    .execute()
}

test('addresses, sessions and quarantine follow; of two sessions of one name the one last seen goes on', async () => {
  const [one, other] = [await addTestGateway(house), await addTestGateway(house)]
  await putSession(one, 'both', 5)
  await putSession(other, 'both', 1)
  await putSession(one, 'again', 1)
  await putSession(other, 'again', 5, { ended_at: house.clock.now(), end_cause: 'User request' })
  await putSession(other, 'alone', 9)
  const answer = await join(one, other)
  expect(answer.status).toBe(200)
  expect(answer.body.addresses).toHaveLength(2)
  await house.settle()
  const rows = await house.db
    .selectFrom('data_session')
    .select(['id', 'gateway_id', 'superseded', 'end_cause', 'revision'])
    .where('nas', '=', 'pgw')
    .orderBy('id')
    .execute()
  const row = (gateway: string, name: string) => rows.find(({ id }) => id === `ses_${gateway}_${name}`)
  expect(rows.every(({ gateway_id }) => gateway_id === one)).toBe(true)
  expect(row(one, 'both')).toMatchObject({ superseded: true, end_cause: 'Lost stop', revision: 1 })
  expect(row(other, 'both')).toMatchObject({ superseded: false, end_cause: null, revision: 1 })
  expect(row(one, 'again')).toMatchObject({ superseded: false, end_cause: null, revision: 0 })
  expect(row(other, 'again')).toMatchObject({ superseded: true, end_cause: 'User request' })
  expect(row(other, 'alone')).toMatchObject({ superseded: false, revision: 1 })
  expect(await house.db.selectFrom('gateway').select('id').where('id', '=', other).execute()).toEqual([])
  const { items } = (await staff.call(listStaffLog, { query: { action: ['backoffice.gateways_joined'] } })).body
  expect(items).toMatchObject([
    { sentence: expect.stringMatching(/^Joined the gateway gw-\d+ to gw-\d+$/), detail: { addresses: 1, sessions: 2 } },
  ])
})

test('what both have in quarantine of one session becomes one row, and what staff said of it holds', async () => {
  const [one, other] = [await addTestGateway(house), await addTestGateway(house)]
  const [imsi, session] = ['901700000000001', 'q']
  const ids = [
    await addQuarantined(house, one, { imsi, session, down: 9000 }),
    await addQuarantined(house, other, { imsi, session, down: 100 }),
  ]
  const alone = await addQuarantined(house, other, { session: 'alone' })
  await sql`update quarantine set nas = 'pgw' where id in (${sql.join(ids)})`.execute(house.db)
  await sql`update quarantine set state = 'discarded', resolved_at = now(), resolved_by = 's', resolve_reason = 'r' where id = ${ids[1]}`.execute(
    house.db
  )
  expect((await join(one, other)).status).toBe(200)
  const rows = await house.db.selectFrom('quarantine').selectAll().where('gateway_id', '=', one).orderBy('id').execute()
  expect(rows).toMatchObject([
    { id: ids[0], packets: 2, counter_down: 9000, state: 'discarded', resolve_reason: 'r', last_packet: { gateway_id: one } },
    { id: alone, packets: 1, state: 'open', last_packet: { gateway_id: one } },
  ])
  expect(await house.db.selectFrom('quarantine').select('id').where('gateway_id', '=', other).execute()).toEqual([])
})

test('a session goes on by the joined gateway, and counts what is new of it', async () => {
  const sim = await house.newSim()
  await house.client.account(packetOf(sim, 'interim', { time: 60, down: 1000 }))
  const into = await addTestGateway(house)
  expect((await join(into, house.gateway_id)).status).toBe(200)
  await expect.poll(() => house.meter.gateways.byAddress('127.0.0.1')?.id).toBe(into)
  await house.client.account(packetOf(sim, 'interim', { time: 120, down: 1500 }))
  expect(await house.counter(sim)).toMatchObject({ bytes_down: 1500 })
  expect(await house.sessionsOf(sim)).toMatchObject([{ gateway_id: into, bytes_down: 1500 }])
})

test('what one reported of a session that was open at the other counts once they are joined, and once', async () => {
  const [one, other] = [await addTestGateway(house), await addTestGateway(house)]
  const sim = await house.newSim()
  const report = (gateway_id: string, session_time: number, counter_up: number) =>
    stored(house, readingOf(house, sim, { acct_session_id: 'pair', gateway_id, session_time, counter_up }))
  await report(one, 60, 100)
  await report(other, 90, 300)
  expect(await house.counter(sim)).toMatchObject({ bytes_up: 100 })
  const { name } = await house.db.selectFrom('gateway').select('name').where('id', '=', one).executeTakeFirstOrThrow()
  const { items } = (await staff.call(listQuarantine, { query: { search: 'pair' } })).body
  expect(items).toMatchObject([{ kind: 'elsewhere', counted_by: name, bytes_up: 300 }])
  expect((await join(one, other)).status).toBe(200)
  await house.settle()
  expect(await house.counter(sim)).toMatchObject({ bytes_up: 300 })
  await report(one, 120, 350)
  expect(await house.counter(sim)).toMatchObject({ bytes_up: 350 })
  const kept = await house.db.selectFrom('quarantine').select(['state', 'resolve_reason']).where('acct_session_id', '=', 'pair').execute()
  expect(kept).toEqual([{ state: 'matched', resolve_reason: 'The two gateways were joined' }])
})

test('sessions of a gateway, and its open ones in their order, are found without those of others', async () => {
  const planOf = (statement: string) =>
    house.db.transaction().execute(async (tx) => {
      await sql`set local enable_seqscan = off`.execute(tx)
      await sql`set local enable_sort = off`.execute(tx)
      return JSON.stringify((await sql.raw(`explain ${statement}`).execute(tx)).rows)
    })
  const all = `select from data_session where gateway_id = 'gtw_1'`
  expect(await planOf(`${all} for update`)).toContain('data_session_gateway')
  expect(await planOf(`${all} and ended_at is null and id > 'ses_1' order by id limit 9`)).toContain('data_session_open_gateway')
})

test('a gateway is not joined to itself, to none, nor while one of the two is off', async () => {
  const [one, other] = [await addTestGateway(house), await addTestGateway(house)]
  expect(await join(one, one)).toMatchObject({ status: 404, body: { code: 'gateway_unknown' } })
  expect(await join(one, 'gtw_none')).toMatchObject({ status: 404, body: { code: 'gateway_unknown' } })
  expect(await join('gtw_none', one)).toMatchObject({ status: 404, body: { code: 'not_found' } })
  await staff.call(updateGateway, { params: { gateway_id: other }, body: { disabled: true } })
  for (const [a, b] of [
    [one, other],
    [other, one],
  ] as const)
    expect(await join(a, b)).toMatchObject({
      status: 409,
      body: { code: 'gateway_off', detail: expect.stringContaining('is switched off') },
    })
})

test('two who join the same gateways both ways round leave one', async () => {
  const [one, other] = [await addTestGateway(house), await addTestGateway(house)]
  const answers = await Promise.all([join(one, other), join(other, one)])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 404])
  const left = await house.db.selectFrom('gateway_address').select('gateway_id').where('gateway_id', 'in', [one, other]).execute()
  expect(new Set(left.map(({ gateway_id }) => gateway_id)).size).toBe(1)
  expect(left).toHaveLength(2)
})

describe('ended sessions follow by a job, and until then', () => {
  const nameOf = async (id: string) =>
    (await house.db.selectFrom('gateway').select('name').where('id', '=', id).executeTakeFirstOrThrow()).name
  const gatewaysOf = async (sim: TestSim) => (await house.sessionsOf(sim)).map(({ gateway_id, superseded }) => ({ gateway_id, superseded }))

  /** Two gateways that are joined, and what the one that went reported before: a session that ended with 300 bytes. */
  async function joined(acct_session_id: string) {
    const [one, other, sim] = [await addTestGateway(house), await addTestGateway(house), await house.newSim()]
    const report = (gateway_id: string, changes: Partial<Reading>) =>
      stored(house, readingOf(house, sim, { acct_session_id, gateway_id, ...changes }))
    const stop = { kind: 'stop', session_time: 60, counter_up: 300, event_at: house.clock.now().getTime() } as const
    await report(other, stop)
    house.clock.advance({ minutes: 1 })
    expect((await join(one, other)).status).toBe(200)
    expect(await gatewaysOf(sim)).toEqual([{ gateway_id: other, superseded: false }])
    return { one, other, sim, report, stop }
  }

  test('lists show the one gateway, by its name alone', async () => {
    const { one, other, sim } = await joined('listed')
    const name = await nameOf(one)
    const { items } = (await house.owner.call(listAssetSessions, { params: { asset_id: sim.asset_id } })).body
    expect(items).toMatchObject([{ gateway: name, bytes_up: 300 }])
    const listed = async () => (await staff.call(listGateways)).body.items.map(({ id }) => id)
    expect(await listed()).toContain(one)
    expect(await listed()).not.toContain(other)
    expect(await staff.call(removeGateway, { params: { gateway_id: other } })).toMatchObject({ status: 404 })
    await staff.call(updateGateway, { params: { gateway_id: one }, body: { name: 'Amsterdam' } })
    expect(await nameOf(other)).toBe('Amsterdam')
    await house.settle()
    expect(await gatewaysOf(sim)).toEqual([{ gateway_id: one, superseded: false }])
    expect(await house.db.selectFrom('gateway').select('id').where('id', '=', other).execute()).toEqual([])
  })

  test('what comes late of one counts nothing, also what a meter had before it knew', async () => {
    const { one, other, sim, report, stop } = await joined('late')
    await report(one, stop)
    await report(other, { ...stop, kind: 'interim', session_time: 30, counter_up: 100 })
    await report(other, { ...stop, session_time: 90, counter_up: 350 })
    expect(await house.counter(sim)).toMatchObject({ bytes_up: 350 })
    expect(await gatewaysOf(sim)).toEqual([{ gateway_id: other, superseded: false }])
  })

  test('its key is used again, also where the two had one of that name each', async () => {
    const { one, other, sim, report, stop } = await joined('again')
    await putSession(one, 'again', 90, { nas: 'pgw-1', sim_id: sim.id, ended_at: new Date(house.clock.now().getTime() - 80 * 60_000) })
    house.clock.advance({ minutes: 1 })
    await report(one, { kind: 'start', session_time: 0, counter_up: 0 })
    house.clock.advance({ minutes: 1 })
    await report(one, { session_time: 60, counter_up: 40 })
    expect(await house.counter(sim)).toMatchObject({ bytes_up: 340 })
    await report(one, stop)
    expect(await house.counter(sim)).toMatchObject({ bytes_up: 340 })
    await house.settle()
    expect((await house.sessionsOf(sim)).filter(({ superseded }) => !superseded)).toMatchObject([{ gateway_id: one, bytes_up: 40 }])
    expect(await house.db.selectFrom('data_session').select('id').where('gateway_id', '=', other).execute()).toEqual([])
  })

  test('one that goes on is closed by an On of the gateway', async () => {
    const { one, other, sim, report } = await joined('goes on')
    await house.db
      .updateTable('data_session')
      .set({ live_after: sql`ended_at` })
      .where('gateway_id', '=', other)
      .execute()
    await report(one, { session_time: 120, counter_up: 400 })
    expect(await house.sessionsOf(sim)).toMatchObject([{ gateway_id: other, ended_at: null, bytes_up: 400 }])
    house.clock.advance({ minutes: 1 })
    const at = house.clock.now().getTime()
    const on = { ...readingOf(house, sim, { gateway_id: one }), kind: 'on', acct_session_id: '', event_at: at, received_at: at } as Reading
    await stored(house, on)
    expect(await house.sessionsOf(sim)).toMatchObject([{ gateway_id: other, end_cause: 'Gateway restarted' }])
  })

  test('one that goes on is among the open sessions of the gateway, which is silent by it', async () => {
    const { one, other, report } = await joined('counted')
    const left = house.db.updateTable('data_session').where('gateway_id', '=', other)
    await left.set({ live_after: sql`ended_at` }).execute()
    await report(one, { session_time: 120, counter_up: 400 })
    const heard_at = new Date(house.clock.now().getTime() - 20 * 60_000)
    await house.db.updateTable('gateway_address').set({ heard_at }).where('gateway_id', '=', one).execute()
    await left.set({ interim_seconds: 1800 }).execute()
    const listed = async () => (await staff.call(listGateways)).body.items.find(({ id }) => id === one)
    expect(await listed()).toMatchObject({ open_sessions: 1, state: 'hearing' })
    await left.set({ interim_seconds: 300 }).execute()
    expect(await listed()).toMatchObject({ open_sessions: 1, state: 'silent' })
  })

  test('they are moved part by part, also where those of other gateways lie between', async () => {
    const [one, other, third] = [await addTestGateway(house), await addTestGateway(house), await addTestGateway(house)]
    const accounts = [house.owner, await house.newOwner('parts'), await house.newOwner('more parts')]
    for (const { account_id } of accounts)
      for (const gateway_id of [other, third])
        for (const n of [1, 2, 3])
          await putSession(gateway_id, `${account_id} ${n}`, 9, { account_id, ended_at: house.clock.now(), end_cause: 'User request' })
    expect((await join(one, other)).status).toBe(200)
    const sessionsOf = async (gateway_id: string) =>
      (await house.db.selectFrom('data_session').select('id').where('gateway_id', '=', gateway_id).execute()).length
    expect([await sessionsOf(one), await sessionsOf(other), await sessionsOf(third)]).toEqual([0, 9, 9])
    await moveEndedSessions(house.app, { gateway_id: other }, 2)
    expect([await sessionsOf(one), await sessionsOf(other), await sessionsOf(third)]).toEqual([9, 0, 9])
    expect(await house.db.selectFrom('gateway').select('id').where('id', '=', other).execute()).toEqual([])
  })

  test('that one may be joined to a third', async () => {
    const { one, sim } = await joined('third')
    const third = await addTestGateway(house)
    expect((await join(third, one)).status).toBe(200)
    await house.settle()
    expect(await gatewaysOf(sim)).toEqual([{ gateway_id: third, superseded: false }])
    expect(await house.db.selectFrom('gateway').select('id').where('id', '=', one).execute()).toEqual([])
  })
})
