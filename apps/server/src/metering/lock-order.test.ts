import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Asset } from '@masthead/contract/assets/asset'
import { startBulkChange } from '@masthead/contract/assets/bulk/bulk-operations'
import { updateAsset } from '@masthead/contract/assets/operations'
import type { Sim } from '@masthead/contract/assets/sim'
import { swapSim } from '@masthead/contract/assets/sim-operations'
import { discardQuarantine, listQuarantine, matchQuarantine } from '@masthead/contract/backoffice/quarantine-operations'
import { setPoolTags } from '@masthead/contract/datapools/operations'
import { createTag } from '@masthead/contract/tags/operations'
import { grantWishes } from '../assets/bulk/grant-wishes.ts'
import { getSimForUpdate } from '../assets/index.ts'
import { addAsset, addStock } from '../assets/test-stock.ts'
import { enterStaff } from '../backoffice/test-backoffice.ts'
import { putPool } from '../datapools/test-pools.ts'
import { systemActor, type Actor, type Tx } from '../kernel/app.ts'
import { type MeteredHouse, openMeteredHouse, readingOf, stored, type TestSim } from './test-network.ts'

// Who locks the same rows in another order waits in a circle, and every packet of both batches with it.

let house: MeteredHouse
beforeAll(async () => {
  house = await openMeteredHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

/** Two SIMs in the order of their keys. */
const newSims = async (high: 'ready' | 'active' = 'active') => {
  const sims = [await house.newSim(), await house.newSim()].toSorted((a, b) => (a.id < b.id ? -1 : 1)) as [TestSim, TestSim]
  await house.db.updateTable('sim').set({ state: high }).where('id', '=', sims[1].id).execute()
  return sims
}

/** Both readings in one batch. */
const storedTogether = (...readings: Parameters<typeof stored>[1][]) => Promise.all(readings.map((reading) => stored(house, reading)))

/** Resolves once a statement waits for a row. */
const untilWaiting = () =>
  expect
    .poll(async () => {
      const { rows } = await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
        house.db
      )
      return rows.length
    })
    .toBe(1)

const lockSession = (id: string) => (tx: Tx) => sql`select from data_session where id = ${id} for no key update nowait`.execute(tx)

/** While a batch waits for what `hold` has locked, nobody has locked what `free` asks for without waiting. */
async function expectFree(hold: (tx: Tx) => Promise<unknown>, batch: () => Promise<boolean[]>, free: (tx: Tx) => Promise<unknown>) {
  const answered = await house.db.transaction().execute(async (tx) => {
    await hold(tx)
    const answers = batch()
    await untilWaiting()
    await free(tx)
    return { answers }
  })
  expect(await answered.answers).toEqual([true, true])
}

const lockSim = (sim: { id: string }) => (tx: Tx) => sql`select from sim where id = ${sim.id} for no key update nowait`.execute(tx)
const lockCounter = (sim: TestSim) => (tx: Tx) => sql`select from sim_counter where sim_id = ${sim.id} for update nowait`.execute(tx)

test('sessions are locked in the order of their ids, in whatever order they report', async () => {
  const sims = await newSims()
  const begun = sims.map((sim, i) => readingOf(house, sim, { acct_session_id: `ordered${i}` }))
  for (const reading of begun) await stored(house, reading)
  const rows = await house.db
    .selectFrom('data_session')
    .select(['id', 'sim_id'])
    .where('acct_session_id', 'like', 'ordered%')
    .orderBy('id')
    .execute()
  const later = rows.map(({ sim_id }) => ({ ...begun[sims.findIndex(({ id }) => id === sim_id)]!, session_time: 120, counter_up: 20 }))
  await expectFree(lockSession(rows[0]!.id), () => storedTogether(later[1]!, later[0]!), lockSession(rows[1]!.id))
})

test('a session whose end is asked for is locked before counters, though its report moved nothing', async () => {
  const [served, refused] = [await house.newSim(), await house.newSim()]
  const [moves, repeated] = [
    readingOf(house, served, { acct_session_id: 'moves' }),
    readingOf(house, refused, { acct_session_id: 'repeated' }),
  ]
  await storedTogether(moves, repeated)
  await house.db.updateTable('sim').set({ state: 'inactive' }).where('id', '=', refused.id).execute()
  const [session] = await house.sessionsOf(refused)
  const batch = () => storedTogether({ ...moves, session_time: 120, counter_up: 20 }, repeated)
  await expectFree(lockSession(session!.id), batch, lockCounter(served))
  expect((await house.sessionsOf(refused))[0]!.cut_asked_at).not.toBe(null)
})

test.each(['match', 'discard'] as const)('staff who %s what was left out of several sessions lock all of those first', async (what) => {
  const staff = await enterStaff(house)
  const sim = await house.newSim()
  const sessions = [`${what} 1`, `${what} 2`]
  for (const acct_session_id of sessions) {
    const reading = readingOf(house, sim, { acct_session_id })
    await stored(house, reading)
    await stored(house, { ...reading, session_time: 120, counter_down: 10 * 2 ** 32, has_gigawords: true })
  }
  const { items } = (await staff.call(listQuarantine, { query: { search: sim.imsi } })).body
  const rows = await house.db.selectFrom('quarantine').select(['id', 'session_id']).where('imsi', '=', sim.imsi).orderBy('id').execute()
  expect([items.length, rows.length]).toEqual([2, 2])
  const asked = { params: { quarantine_id: rows[0]!.id } }
  const [reason, all_sessions] = ['A batch of bad counters', true]
  const settled = await house.db.transaction().execute(async (tx) => {
    await lockSession(rows[1]!.session_id!)(tx)
    const answer =
      what === 'match'
        ? staff.call(matchQuarantine, { ...asked, body: { sim: sim.iccid, reason, all_sessions } })
        : staff.call(discardQuarantine, { ...asked, body: { reason, all_sessions } })
    await untilWaiting()
    await lockCounter(sim)(tx)
    await lockSim(sim)(tx)
    await sql`select from quarantine where id = ${rows[0]!.id} for update nowait`.execute(tx)
    return { answer }
  })
  expect(await settled.answer).toMatchObject({ status: 200, body: { sessions: 2 } })
})

test('counters are locked in the order of their SIMs, whether they were known to be there or not', async () => {
  const [low, high] = await newSims()
  await storedTogether(readingOf(house, low, { acct_session_id: 'low' }), readingOf(house, high, { acct_session_id: 'high' }))
  // The counter of a session that is new may be missing, for all that is known.
  const batch = () =>
    storedTogether(
      readingOf(house, low, { acct_session_id: 'low', session_time: 120, counter_up: 20 }),
      readingOf(house, high, { acct_session_id: 'another', session_time: 60, counter_up: 5 })
    )
  await expectFree(lockCounter(low), batch, lockCounter(high))
  expect(await house.counter(low)).toMatchObject({ bytes_up: 20, lifetime_up: 20 })
  expect(await house.counter(high)).toMatchObject({ bytes_up: 15, lifetime_up: 15, day_up: 15 })
})

test('SIMs are locked in the order of their keys, for whatever reason a batch changes them', async () => {
  const [low, high] = await newSims('ready')
  const batch = () =>
    storedTogether(
      readingOf(house, low, { acct_session_id: 'with-imei', imei: '490154203237518' }),
      readingOf(house, high, { acct_session_id: 'goes-live' })
    )
  await expectFree(lockSim(low), batch, lockSim(high))
  const { state } = await house.db.selectFrom('sim').select('state').where('id', '=', high.id).executeTakeFirstOrThrow()
  expect(state).toBe('active')
})

const lockAsset = ({ id }: { id: string }) => sql`select from asset where id = ${id} for no key update nowait`

/** While a change waits for a SIM that is locked, what `free` asks for is locked by nobody. */
async function expectFreeBeside(sim: { id: string }, change: () => Promise<{ status: number }>, free: (tx: Tx) => Promise<unknown>) {
  const changed = await house.db.transaction().execute(async (tx) => {
    await sql`select from sim where id = ${sim.id} for no key update`.execute(tx)
    const answer = change()
    await untilWaiting()
    await free(tx)
    return { answer }
  })
  expect((await changed.answer).status).toBe(200)
}

test.each<[string, (asset: Asset) => Promise<{ status: number }>]>([
  ['in full', ({ id }) => house.owner.call(updateAsset, { params: { asset_id: id }, body: { name: 'Renamed', tags: ['pooled'] } })],
  ['as many', ({ id }) => house.owner.call(startBulkChange, { body: { action: 'remove_tags', tags: ['before'], asset_ids: [id] } })],
])('whose tags are changed %s has its SIMs locked before it, which follow their pools', async (_, change) => {
  for (const name of ['pooled', 'before']) await house.owner.call(createTag, { body: { name } })
  const pool_id = await putPool(house, house.owner)
  await house.owner.call(setPoolTags, { params: { pool_id }, body: { tags: ['pooled', 'before'] } })
  const asset = await addAsset(house, house.owner, { tags: ['before'] })
  await expectFreeBeside(
    asset.sim!,
    () => change(asset),
    (tx) => lockAsset(asset).execute(tx)
  )
})

test.each<[string, (asset: Asset) => Promise<{ status: number }>]>([
  ['switched', ({ id }) => house.owner.call(updateAsset, { params: { asset_id: id }, body: { status: 'inactive' } })],
  ['switched with others', ({ id }) => house.owner.call(startBulkChange, { body: { action: 'switch_off', asset_ids: [id] } })],
  ['given another SIM', swap],
])('an asset that had another SIM before and is %s has both locked in their order', async (_, change) => {
  const asset = await addAsset(house, house.owner)
  const { body } = await swap(asset)
  const [low, high] = body.sims!.toSorted((a, b) => (a.id < b.id ? -1 : 1)) as [Sim, Sim]
  // The one in use comes after the one before.
  await house.db.updateTable('asset').set({ sim_id: high.id }).where('id', '=', asset.id).execute()
  await expectFreeBeside(low, () => change(asset), lockSim(high))
})

async function swap({ id }: Asset) {
  const { serial } = await addStock(house, { type: 'plastic_sim' })
  return house.owner.call(swapSim, { params: { asset_id: id }, body: { token: serial } })
}

test.each<[string, (tx: Tx, actor: Actor, asset_id: string) => Promise<unknown>]>([
  ['one by one', getSimForUpdate],
  ['many at once', (tx, actor, asset_id) => grantWishes(tx, actor, [{ asset_id, wish: { limit: null } }])],
])('sessions begin while somebody changes their SIMs %s', async (_, change) => {
  const sim = await house.newSim()
  const begun = await house.db.transaction().execute(async (tx) => {
    await change(tx, systemActor(house.owner.account_id, house.clock.now()), sim.asset_id)
    const answer = stored(house, readingOf(house, sim, { acct_session_id: `begins ${sim.id}` }))
    return { answer, first: await Promise.race([answer, pause(60_000, 'it waits')]) }
  })
  expect([begun.first, await begun.answer]).toEqual([true, true])
})
