import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { joinGateways, updateGateway } from '@masthead/contract/backoffice/gateway-operations'
import { listQuarantine } from '@masthead/contract/backoffice/quarantine-operations'
import { listStaffLog } from '@masthead/contract/backoffice/staff-log-operations'
import { addQuarantined, addTestGateway, enterStaff, type Staff } from '../backoffice/test-backoffice.ts'
import { openMeteredHouse, packetOf, readingOf, stored, type MeteredHouse } from '../metering/test-network.ts'

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
    { sentence: expect.stringMatching(/^Joined the gateway gw-\d+ to gw-\d+$/), detail: { addresses: 1, sessions: 3 } },
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
