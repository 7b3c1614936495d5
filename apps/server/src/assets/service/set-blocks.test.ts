import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BlockCode, SimBlock } from '@masthead/contract/assets/sim'
import { newId } from '@masthead/contract/kernel/id'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { hearStatements } from '@masthead/testkit/statements'
import { systemActor, type Tx } from '../../kernel/app.ts'
import { addAsset, addSession } from '../test-stock.ts'
import { addBlocks, blockScope, clearBlocks, clearScope, setSimStates, type SimOf } from './index.ts'
import { reconcileService } from './reconcile.ts'

let house: House
let ada: Person
let heard: ReturnType<typeof hearStatements>
beforeAll(async () => {
  house = await openHouse()
  heard = hearStatements(house.app.pool)
})
afterAll(() => house[Symbol.asyncDispose]())

const block = (code: BlockCode, words = 'why'): SimBlock => ({
  code,
  since: '2026-11-01T00:00:00.000Z',
  by: 'system',
  words,
  clears: 'how',
})

let fleets = 0
/** An owner with so many active SIMs, whose rows do not lie in the order of their keys. */
async function openFleet(count: number) {
  ada = await house.newOwner()
  const { account_id } = ada
  const ids = Array.from({ length: count }, () => newId('asset'))
  const first = 8_944_500_000_000_000_000n + BigInt(++fleets) * 1_000_000n
  await sql`insert into asset (account_id, id, type, serial, name)
    select ${account_id}, id, 'plastic_sim', id, 'Pump' from unnest(${ids}::text[]) as given (id)`.execute(house.db)
  await sql`insert into sim (account_id, id, asset_id, iccid, state)
    select ${account_id}, 'sim_' || id, id, (${first}::numeric + nth)::text, 'active'
    from unnest(${ids}::text[]) with ordinality as given (id, nth) order by id desc`.execute(house.db)
  return ids.map((id) => ({ account_id, sim_id: `sim_${id}` }))
}

/** What was done in a transaction, and in how many statements beside its beginning and its end. */
async function within<Answer>(work: (tx: Tx) => Promise<Answer>) {
  const { answer, statements } = await heard.during(() => house.db.transaction().execute(work))
  return { answer, statements: statements.length - 2 }
}
const blocksOf = async () => {
  const rows = await house.db
    .selectFrom('sim')
    .select(['id', 'state', 'status', 'blocks'])
    .where('account_id', '=', ada.account_id)
    .execute()
  const same = Map.groupBy(rows, ({ state, status, blocks }) => `${state} ${status}: ${blocks.map(({ code }) => code).join(', ')}`)
  return Object.fromEntries(Array.from(same, ([words, own]) => [words, own.length]))
}
const counted = async () => {
  const rows = await house.db.selectFrom('asset_count').selectAll().where('account_id', '=', ada.account_id).execute()
  return Object.fromEntries(rows.filter(({ count }) => count > 0).map(({ sim_status, count }) => [sim_status, count]))
}
type Payload = { sim_ids: string[] }
const jobs = async (name: string) => {
  const { rows } = await sql<{ payload: Payload }>`select payload from graphile_worker._private_jobs j
    join graphile_worker._private_tasks t on t.id = j.task_id where t.identifier = ${name} and payload ->> 'account_id' = ${ada.account_id}
    order by j.id`.execute(house.db)
  return rows.map(({ payload }) => payload)
}

test('a thousand SIMs are blocked and freed in a few statements, with one job', async () => {
  const sims = await openFleet(1000)
  const wanted = sims.map((sim, i) => ({ ...sim, block: block('data_limit', `${i} of all`) }))
  const { answer, statements } = await within((tx) => addBlocks(tx, wanted))
  expect(answer).toHaveLength(1000)
  expect(answer[0]).toMatchObject({ account_id: ada.account_id, asset_name: 'Pump', iccid: expect.stringMatching(/^8944500/) })
  expect(statements).toBe(2)
  expect(await blocksOf()).toEqual({ 'active blocked: data_limit': 1000 })
  expect(await counted()).toEqual({ blocked: 1000 })
  expect((await jobs('reconcile_service')).map(({ sim_ids }) => sim_ids.length)).toEqual([1000])
  const words = house.db.selectFrom('sim').select('blocks').where('id', '=', sims[7]!.sim_id)
  expect((await words.executeTakeFirstOrThrow()).blocks[0]!.words).toBe('7 of all')
  // Said again, nothing is changed and nobody is asked.
  expect((await within((tx) => addBlocks(tx, wanted))).answer).toEqual([])
  expect(await jobs('reconcile_service')).toHaveLength(1)
  const cleared = await within((tx) => clearBlocks(tx, sims, 'data_limit'))
  expect([cleared.answer.length, cleared.statements]).toEqual([1000, 1])
  expect(await blocksOf()).toEqual({ 'active active: ': 1000 })
  expect(await counted()).toEqual({ active: 1000 })
})

test('a decision about an account or an asset concerns all its SIMs and no others, some at a time; terminated ones have nothing to lose', async () => {
  const others = await openFleet(2)
  const other = ada
  const sims = await openFleet(5)
  const { account_id } = ada
  await house.db.updateTable('sim').set({ state: 'terminated' }).where('id', '=', sims[0]!.sim_id).execute()
  const lots: number[] = []
  for (let i = 0; i < 3; i++) lots.push((await within((tx) => blockScope(tx, { account_id }, block('account_suspended'), 3))).answer.length)
  expect(lots).toEqual([3, 1, 0])
  expect(await blocksOf()).toEqual({ 'terminated terminated: ': 1, 'active blocked: account_suspended': 4 })
  const asset_id = sims[1]!.sim_id.slice(4)
  expect((await within((tx) => blockScope(tx, { account_id, asset_id }, block('asset_off'), 100))).answer).toMatchObject([{ asset_id }])
  expect((await within((tx) => clearScope(tx, { account_id }, 'account_suspended', 100))).answer).toHaveLength(4)
  expect(await blocksOf()).toEqual({ 'terminated terminated: ': 1, 'active active: ': 3, 'active blocked: asset_off': 1 })
  expect(others).toHaveLength(2)
  ada = other
  expect(await blocksOf()).toEqual({ 'active active: ': 2 })
})

test('of two blocks, one cleared leaves the SIM without service, and the intended state is never touched', async () => {
  const sims = await openFleet(1)
  const actor = systemActor(ada.account_id, house.clock.now())
  await within((tx) => addBlocks(tx, [{ ...sims[0]!, block: block('staff') }]))
  await within((tx) => addBlocks(tx, [{ ...sims[0]!, block: block('data_limit') }]))
  expect(await blocksOf()).toEqual({ 'active blocked: staff, data_limit': 1 })
  await within((tx) => clearBlocks(tx, sims, 'staff'))
  expect(await blocksOf()).toEqual({ 'active blocked: data_limit': 1 })
  await within((tx) => setSimStates(tx, actor, [sims[0]!.sim_id], 'inactive'))
  expect(await blocksOf()).toEqual({ 'inactive inactive: data_limit': 1 })
  await within((tx) => clearBlocks(tx, sims, 'data_limit'))
  expect(await blocksOf()).toEqual({ 'inactive inactive: ': 1 })
})

test('two who block the same SIMs at once for different reasons lose neither', async () => {
  const sims = await openFleet(50)
  const codes = ['staff', 'data_limit', 'balance', 'imei_mismatch'] as const
  await Promise.all(
    codes.map((code, i) => {
      const wanted = sims.map((sim) => ({ ...sim, block: block(code) }))
      return house.db.transaction().execute((tx) => addBlocks(tx, i % 2 ? wanted : wanted.toReversed()))
    })
  )
  const rows = await house.db.selectFrom('sim').select('blocks').where('account_id', '=', ada.account_id).execute()
  for (const { blocks } of rows) expect(blocks.map(({ code }) => code).toSorted()).toEqual(codes.toSorted())
})

test('SIMs are locked in the order of their keys, so that two who block the same ones never wait in a ring', async () => {
  const sims = await openFleet(50)
  const [low, high] = [sims[0]!, sims[1]!].toSorted((a, b) => (a.sim_id < b.sim_id ? -1 : 1)) as [SimOf, SimOf]
  const waiting = sql<{
    n: number
  }>`select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  let other!: Promise<unknown>
  await house.db.transaction().execute(async (tx) => {
    await addBlocks(tx, [{ ...low, block: block('staff') }])
    other = house.db.transaction().execute((too) =>
      addBlocks(
        too,
        [high, low].map((sim) => ({ ...sim, block: block('balance') }))
      )
    )
    await expect.poll(async () => (await waiting.execute(house.db)).rows[0]!.n, { timeout: 10_000 }).toBe(1)
    await addBlocks(tx, [{ ...high, block: block('staff') }])
  })
  await other
  expect(await blocksOf()).toEqual({ 'active active: ': 48, 'active blocked: staff, balance': 2 })
})

test('what is open is cut only of SIMs without service, by a job for each session; what was rolled back asks nobody', async () => {
  ada = await house.newOwner()
  const [blocked, inactive, served] = [await addAsset(house, ada), await addAsset(house, ada), await addAsset(house, ada)]
  const { account_id } = ada
  const sessions: Record<string, string> = {}
  for (const asset of [blocked, inactive, served]) sessions[asset.id] = (await addSession(house, asset, account_id)).id
  await addSession(house, blocked, account_id, { ended_at: house.clock.now() })
  await house.db.updateTable('sim').set({ state: 'active' }).where('account_id', '=', account_id).execute()
  const actor = systemActor(account_id, house.clock.now())
  const both = async (tx: Tx) => {
    await addBlocks(
      tx,
      [blocked, served].map(({ sim }) => ({ account_id, sim_id: sim!.id, block: block('staff') }))
    )
    await setSimStates(tx, actor, [inactive.sim!.id], 'inactive')
  }
  await expect(within((tx) => both(tx).then(() => Promise.reject(new Error('killed'))))).rejects.toThrow('killed')
  expect(await jobs('reconcile_service')).toEqual([])
  await within(both)
  // By the time of the job this one has its service again.
  await within((tx) => clearBlocks(tx, [{ account_id, sim_id: served.sim!.id }], 'staff'))
  const asked = sql<{ key: string }>`select key from graphile_worker.jobs where key like 'cut_session:%'`
  expect((await asked.execute(house.db)).rows).toEqual([])
  for (const payload of await jobs('reconcile_service')) await reconcileService(house.app, { account_id, ...payload })
  const keys = (await asked.execute(house.db)).rows.map(({ key }) => key.split(':')[1])
  expect(keys.toSorted()).toEqual([sessions[blocked.id], sessions[inactive.id]].toSorted())
})
