import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dictionary } from '@masthead/radius/dictionary'
import { codes, find } from '@masthead/radius/packet'
import * as ops from '@masthead/contract/assets/sim-operations'
import { setImeiLockDefaults } from '../assets/service/index.ts'
import { openMeteredHouse, packetOf, type MeteredHouse, type TestSim } from './test-network.ts'

const right = '490154203237518'
const wrong = '356938035643809'
const another = '353490069873319'

let house: MeteredHouse
beforeAll(async () => {
  house = await openMeteredHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

const simOf = async (sim: TestSim) => (await house.owner.call(ops.getSim, { params: { asset_id: sim.asset_id } })).body
const lock = (sim: TestSim, body: { mode: 'off' | 'watch' | 'lock' | null; imeis?: string[] }) =>
  house.owner.call(ops.setImeiLock, { params: { asset_id: sim.asset_id }, body })
const accept = (sim: TestSim, alone = false) => house.owner.call(ops.acceptDevice, { params: { asset_id: sim.asset_id }, body: { alone } })
const access = async (sim: TestSim, imeisv?: string) => {
  const reply = await house.client.access({ imsi: sim.imsi, ...(imeisv && { imeisv }) })
  return reply.code === codes.access_accept ? 'in' : find(reply, dictionary.reply_message)
}
let ids = 0
const start = (sim: TestSim, imeisv: string, id = `dev-${++ids}`) => house.client.account(packetOf(sim, 'start', { id, imeisv }))
const eventsOf = async (sim: TestSim) =>
  (await house.events(house.owner.account_id)).filter(({ detail }) => detail.sim_id === sim.id).map(({ name }) => name.slice(7))
const blocksOf = async (sim: TestSim) => (await simOf(sim)).blocks.map(({ code }) => code)

test('a lock refuses another device, blocks with words, and is lifted when the right one returns', async () => {
  const sim = await house.newSim()
  await lock(sim, { mode: 'lock', imeis: [right] })
  expect(await access(sim, right)).toBe('in')
  expect(await access(sim)).toBe('in')
  expect(await access(sim, wrong)).toBe(`This SIM is blocked: Used in a device that is not accepted, IMEI ${wrong}`)
  expect(await simOf(sim)).toMatchObject({
    status: 'blocked',
    imei: wrong,
    blocks: [{ code: 'imei_mismatch', by: 'system', clears: 'When it is back in an accepted device, or when this device is accepted' }],
  })
  // Whoever does not say which device asks is refused while the block stands.
  expect(await access(sim)).toContain('This SIM is blocked')
  expect(await access(sim, right)).toBe('in')
  expect(await blocksOf(sim)).toEqual([])
  await start(sim, right)
  expect(await blocksOf(sim)).toEqual([])
  expect(await eventsOf(sim)).toEqual(['imei_lock_set', 'device_changed', 'sim_blocked', 'device_changed', 'sim_unblocked'])
})

test('a session that begins in another device is cut; accepting the device lifts the block', async () => {
  const sim = await house.newSim()
  await lock(sim, { mode: 'lock', imeis: [right] })
  await start(sim, wrong)
  expect(await blocksOf(sim)).toEqual(['imei_mismatch'])
  expect((await accept(sim)).body.sim).toMatchObject({ blocks: [], imei_lock: { mode: 'lock', own: 'lock', imeis: [right, wrong] } })
  expect(await access(sim, wrong)).toBe('in')
  expect((await accept(sim, true)).body.sim!.imei_lock.imeis).toEqual([wrong])
  expect(await access(sim, right)).toContain('not accepted')
})

test('a lock without devices takes the first that comes, once a session begins', async () => {
  const sim = await house.newSim()
  await lock(sim, { mode: 'lock' })
  expect(await access(sim, right)).toBe('in')
  expect((await simOf(sim)).imei_lock.imeis).toEqual([])
  await start(sim, right)
  expect((await simOf(sim)).imei_lock.imeis).toEqual([right])
  expect(await access(sim, wrong)).toContain('not accepted')
  expect(await eventsOf(sim)).toContain('device_learned')
})

test('watching refuses nobody, and notifies of a change with an alert', async () => {
  const sim = await house.newSim()
  await lock(sim, { mode: 'watch' })
  await start(sim, right)
  await start(sim, wrong)
  expect(await access(sim, another)).toBe('in')
  expect(await simOf(sim)).toMatchObject({ blocks: [], imei: wrong })
  await house.settle()
  const alerts = await house.db.selectFrom('alert').select(['title', 'severity']).where('asset_id', '=', sim.asset_id).execute()
  expect(alerts).toEqual([{ title: expect.stringContaining('moved to another device'), severity: 'warn' }])
})

test('a change of the device that nobody watches is recorded, and no job follows', async () => {
  const sim = await house.newSim()
  await start(sim, right)
  await house.settle()
  await start(sim, wrong)
  expect(await eventsOf(sim)).toEqual(['device_changed'])
  const { rows } = await sql`select from graphile_worker.jobs where task_identifier = 'notifications.update_alerts'`.execute(house.db)
  expect(rows).toHaveLength(0)
})

test('a change of the device within a session is seen as well, and no lock is no block', async () => {
  const sim = await house.newSim()
  await start(sim, right, 'moves')
  await house.client.account(packetOf(sim, 'interim', { id: 'moves', time: 60, up: 5, imeisv: wrong }))
  expect(await simOf(sim)).toMatchObject({ imei: wrong, blocks: [] })
  // Locked to another one than is in use: that one is cut at once.
  await lock(sim, { mode: 'lock', imeis: [right] })
  expect(await blocksOf(sim)).toEqual(['imei_mismatch'])
  await lock(sim, { mode: 'off' })
  expect(await blocksOf(sim)).toEqual([])
})

test('the device that was read is accepted, and no other that came meanwhile', async () => {
  const sim = await house.newSim()
  await lock(sim, { mode: 'lock', imeis: [right] })
  await access(sim, wrong)
  const { imei } = await simOf(sim)
  await access(sim, another)
  const meant = (read: string | null) =>
    house.owner.call(ops.acceptDevice, { params: { asset_id: sim.asset_id }, body: { alone: true, imei: read! } })
  expect(await meant(imei)).toMatchObject({ status: 409, body: { code: 'device_not_seen', detail: expect.stringContaining(another) } })
  expect((await simOf(sim)).imei_lock.imeis).toEqual([right])
  expect((await meant(another)).body.sim!.imei_lock.imeis).toEqual([another])
})

test("a group's default holds for SIMs without a mode of their own", async () => {
  const [own, grouped] = [await house.newSim(), await house.newSim()]
  await lock(own, { mode: 'off' })
  const sims = [own, grouped].map(({ id }) => ({ account_id: house.owner.account_id, sim_id: id }))
  await house.db.transaction().execute((tx) => setImeiLockDefaults(tx, sims, 'lock', house.clock.now()))
  for (const sim of [own, grouped]) await start(sim, right)
  expect(await access(own, wrong)).toBe('in')
  expect(await access(grouped, wrong)).toContain('not accepted')
  expect((await lock(own, { mode: null })).body.sim!.imei_lock).toMatchObject({ mode: 'lock', own: null })
})

test('no device, no acceptance; a wrong IMEI is refused in words', async () => {
  const sim = await house.newSim()
  expect(await accept(sim)).toMatchObject({ status: 409, body: { code: 'device_not_seen' } })
  expect(await lock(sim, { mode: 'lock', imeis: ['490154203237519'] })).toMatchObject({ status: 400, body: { fields: expect.anything() } })
})

test('a ready SIM is free until its test allowance is used up, and then active', async () => {
  const sim = await house.newSim({ state: 'ready' })
  await house.db.updateTable('sim').set({ test_bytes: 1_000_000 }).where('id', '=', sim.id).execute()
  await house.client.account(packetOf(sim, 'interim', { id: 'test', time: 60, up: 400_000 }))
  expect(await simOf(sim)).toMatchObject({ state: 'ready', test: { allowance_bytes: 1_000_000, used_bytes: 400_000 } })
  const { endTests } = await import('../assets/service/end-tests.ts')
  await endTests(house.app)
  expect((await simOf(sim)).state).toBe('ready')
  await house.client.account(packetOf(sim, 'interim', { id: 'test', time: 120, up: 1_000_000 }))
  await endTests(house.app)
  expect(await simOf(sim)).toMatchObject({ state: 'active', state_changed_by: 'system', activated_at: expect.any(String), test: null })
  expect(await eventsOf(sim)).toEqual(['sim_test_ended'])
})
