import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getOverview } from '@masthead/contract/overview/operations'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import type { Viewer } from '../viewer.ts'
import { addAsset, addNetworks, addUsage } from '../../usage/test-usage.ts'
import { countStatement } from './asset-count.ts'
import { foundInCopy, matching, type KnownFilter } from './asset-filter.ts'
import { copyNext, findCopy } from './moving-copy.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

const never: KnownFilter = { q: 'seen:never', tagsKnown: true }

/** Copies accounts of more than ten assets as those of more than 50,000 are copied. */
async function copyAll() {
  house.clock.advance({ seconds: 31 })
  while (await copyNext(house.app, 10));
}

const viewerOf = async ({ account_id }: Person) => {
  const viewer = { account_id, tags: [], at: house.clock.now() }
  return { ...viewer, ...(await findCopy(house.db, viewer)) }
}

/** Assets, each with a SIM, of which the first `seen` have reported. */
async function putAssets({ account_id }: Person, { count, seen }: { count: number; seen: number }) {
  await sql`insert into asset (account_id, id, type, serial, name, sim_id)
    select ${account_id}::text, ${account_id}::text || '_' || n, 'core', ${account_id}::text || n, 'copied', 'sim_copied' || n
    from generate_series(1, ${count}::int) n`.execute(house.db)
  await house.db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx) // counters without the rows of their SIMs
    await sql`insert into sim_counter (account_id, sim_id, period_start, bytes_up, bytes_down, lifetime_up, lifetime_down, seen_at)
      select ${account_id}, 'sim_copied' || n, date_trunc('month', ${house.clock.now()}::timestamptz)::date, n, n, n, n, ${house.clock.now()}::timestamptz
      from generate_series(1, ${seen}::int) n`.execute(tx)
  })
}

/** The numbers of the assets that match, as the list finds them. */
async function found(person: Person, filter: KnownFilter): Promise<number[]> {
  const viewer = await viewerOf(person)
  const { rows } = await sql<{ id: string }>`select asset.id from asset where ${matching(viewer, filter)}`.execute(house.db)
  return rows.map(({ id }) => Number(id.slice(person.account_id.length + 1))).sort((a, b) => a - b)
}

test('what was never seen is asked of rows of the copy: of assets without a SIM too, and of the SIM in use alone', async () => {
  const ada = await house.newOwner()
  await putAssets(ada, { count: 12, seen: 3 })
  await copyAll()
  expect(await viewerOf(ada)).toMatchObject({ of_all: true })
  expect(await found(ada, never)).toEqual([4, 5, 6, 7, 8, 9, 10, 11, 12])
  expect(await found(ada, { ...never, q: 'not (seen:never)' })).toEqual([1, 2, 3])

  const idOf = (n: number) => `${ada.account_id}_${n}`
  await sql`update asset set sim_id = 'sim_new' where account_id = ${ada.account_id} and id = ${idOf(3)}`.execute(house.db)
  await sql`update asset set sim_id = null where account_id = ${ada.account_id} and id = ${idOf(4)}`.execute(house.db)
  await copyAll()
  expect(await found(ada, never)).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
  const { rows: kept } = await sql<{ n: number }>`select count(*)::int as n from asset_moving
    where account_id = ${ada.account_id} and seen_at is null`.execute(house.db)
  expect(kept).toEqual([{ n: 10 }])
})

test('a copy that was made by a clock that was ahead is made again', async () => {
  const ada = await house.newOwner()
  await putAssets(ada, { count: 12, seen: 3 })
  await copyAll()
  const now = house.clock.now()
  await sql`update asset_moving_copy set copied_at = ${new Date(now.getTime() + 86_400_000)} where account_id = ${ada.account_id}`.execute(
    house.db
  )
  while (await copyNext(house.app, 10));
  expect(await viewerOf(ada)).toMatchObject({ copied_at: now })
})

test('a copy that a worker of the release before finished has no rows of what was never seen, and is asked in another way', async () => {
  const ada = await house.newOwner()
  await putAssets(ada, { count: 12, seen: 3 })
  await copyAll()
  // A SIM that was never seen comes in the place of one that was: such a worker leaves the row as it is. It says of when its copy is and nothing else.
  await sql`update asset set sim_id = 'sim_new' where account_id = ${ada.account_id} and id = ${`${ada.account_id}_3`}`.execute(house.db)
  house.clock.advance({ seconds: 31 })
  await sql`update asset_moving_copy set copied_at = ${house.clock.now()} where account_id = ${ada.account_id}`.execute(house.db)
  expect(await viewerOf(ada)).toMatchObject({ of_all: false, copied_at: house.clock.now() })
  expect(await found(ada, never)).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
  await sql`delete from asset_moving where account_id = ${ada.account_id} and seen_at is null`.execute(house.db)
  expect(await found(ada, never)).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
  await copyAll()
  expect(await viewerOf(ada)).toMatchObject({ of_all: true })
  expect(await found(ada, never)).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
})

test('the countries of a question are asked as the networks that they have', async () => {
  const ada = await house.newOwner()
  await putAssets(ada, { count: 12, seen: 12 })
  await copyAll()
  await sql`update asset_moving set mccmnc = case when sim_id in ('sim_copied2', 'sim_copied5') then '260-06' else '262-01' end
    where account_id = ${ada.account_id}`.execute(house.db)
  const viewer = { ...(await viewerOf(ada)), networks: [{ mccmnc: '260-06', country: 'PL' }] }
  const of = async (q: string) => {
    const { rows } = await sql<{ n: number }>`select substring(asset.sim_id from 11)::int as n from asset
      where ${matching(viewer, { q, tagsKnown: true })} order by 1`.execute(house.db)
    return rows.map(({ n }) => n)
  }
  expect(await of('country:PL')).toEqual([2, 5])
  expect(await of('country:PL,DK')).toEqual([2, 5])
  expect(await of('country:DK')).toEqual([])
  expect((await of('not (country:PL)')).length).toBe(10)
})

type PlanNode = { 'Actual Rows': number; 'Actual Loops': number; 'Rows Removed by Filter'?: number; Plans?: PlanNode[] }

/** How many rows a plan read, all steps together. */
const readBy = (node: PlanNode): number =>
  (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'] +
  (node.Plans ?? []).reduce((sum, step) => sum + readBy(step), 0)

test('what was never seen is found right after the first copy, when the planner knows nothing of it, without reading the copy for each asset', async () => {
  const ada = await house.newOwner()
  const count = 2000
  await putAssets(ada, { count, seen: 3 })
  await copyAll()
  const statement = countStatement(await viewerOf(ada), never)
  const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>`explain (analyze, format json) ${statement}`.execute(house.db)
  expect(readBy(rows[0]!['QUERY PLAN'][0].Plan)).toBeLessThan(20 * count)
})

test('what the copy says by itself is found in it alone, and is what the assets say', async () => {
  const ada = await house.newOwner()
  await putAssets(ada, { count: 12, seen: 8 })
  await copyAll()
  await sql`update asset_moving set mccmnc = case when sim_id in ('sim_copied2', 'sim_copied5') then '260-06' else '262-01' end
    where account_id = ${ada.account_id} and seen_at is not null`.execute(house.db)
  const viewer = { ...(await viewerOf(ada)), networks: [{ mccmnc: '260-06', country: 'PL' }] }
  const inCopyOf = async (filter: Partial<KnownFilter>, by: Viewer = viewer) => {
    const copied = foundInCopy(by, { ...filter, tagsKnown: true })
    if (!copied) return null
    const { rows } = await sql<{
      id: string
    }>`select c.asset_id as id from asset_moving c where c.account_id = ${ada.account_id} and ${copied}
      order by id`.execute(house.db)
    const { rows: matched } =
      await sql`select asset.id from asset where ${matching(by, { ...filter, tagsKnown: true })} order by id`.execute(house.db)
    expect(rows, filter.q).toEqual(matched)
    return rows.length
  }
  const found = [
    ['country:PL', 2],
    ['operator:260-06 usage:>5B', 1],
    ['operator:260-06,262-01', 8],
    ['usage:>4B silent:>0m', 6],
    ['seen:never', 4],
    ['seen:never,>1d', 4],
  ] as const
  for (const [q, count] of found) expect(await inCopyOf({ q }), q).toBe(count)
  // What is not so is so of assets of which nothing was counted as well, and the copy knows no other fields.
  for (const q of ['usage:<5B', 'not (country:PL)', 'country:PL type:core', 'country:PL or usage:>8B', 'silent:<1d', 'copied country:PL'])
    expect(await inCopyOf({ q }), q).toBeNull()
  expect(await inCopyOf({ q: 'country:PL', sim_status: ['active'] })).toBeNull()
  expect(await inCopyOf({ q: 'country:PL' }, { ...viewer, tags: ['tag_own'] })).toBeNull()
  expect(await inCopyOf({ q: 'seen:never' }, { ...viewer, of_all: false })).toBeNull()
})

test('the index of when assets were seen finds one asset of many that never were', async () => {
  const { rows } = await sql<{ column: string }>`select pg_get_indexdef(i.indexrelid, n, true) as column
    from pg_index i, generate_series(1, i.indnkeyatts) n
    where i.indrelid = 'asset_moving'::regclass and pg_get_indexdef(i.indexrelid, 2, true) = 'seen_at' order by n`.execute(house.db)
  expect(rows.map(({ column }) => column)).toEqual(['account_id', 'seen_at', 'asset_id'])
})

test('the largest consumers of this month of a large account are looked for among those that its copy says, with what they used until now', async () => {
  house.clock.set('2026-11-21T14:31:48Z')
  await addNetworks(house)
  const large = await house.newOwner()
  const { account_id } = large
  const [most, less] = [await addAsset(house, large, { name: 'most' }), await addAsset(house, large, { name: 'less' })]
  await house.db.insertInto('asset_count').values({ account_id, type: 'core', sim_status: '', count: 10_001 }).execute()
  for (const [{ sim_id }, bytes] of [
    [most, 900],
    [less, 100],
  ] as const)
    await sql`insert into sim_counter (account_id, sim_id, period_start, bytes_up, bytes_down, lifetime_up, lifetime_down, seen_at)
      values (${account_id}, ${sim_id}, '2026-11-01', ${bytes}, 0, ${bytes}, 0, ${house.clock.now()})`.execute(house.db)
  await copyAll()
  const use = (sim: typeof most, up: number) => addUsage(house, large, [{ sim_id: sim.sim_id, hour: '2026-11-21T14:00:00Z', up, down: 0 }])
  await use(most, 900)
  await use(less, 100)
  const consumers = async () => {
    const { top_consumers, as_of } = (await large.call(getOverview)).body
    return [as_of, top_consumers.map(({ name, bytes }) => [name, bytes])]
  }
  expect(await consumers()).toEqual([
    null,
    [
      ['most', 900],
      ['less', 100],
    ],
  ])
  house.clock.advance({ seconds: 9 })
  await use(less, 1000)
  const now = [
    null,
    [
      ['less', 1100],
      ['most', 900],
    ],
  ]
  expect(await consumers()).toEqual(now)
  // Before the first copy of a month.
  await sql`update asset_moving set period_start = '2026-10-01' where account_id = ${account_id}`.execute(house.db)
  expect(await consumers()).toEqual(now)
})
