import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listAssets } from '@masthead/contract/assets/operations'
import { getStrip, getVerdict } from '@masthead/contract/overview/glance-operations'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { putFeed } from '../../feeds/test-feed.ts'
import type { Tx } from '../../kernel/app.ts'
import { addAsset, addNetworks } from '../test-usage.ts'
import { judgeAwaited } from './judge-awaited.ts'
import { judgeNext } from './judge-hours.ts'

const hourMs = 3_600_000
const now = Date.parse('2026-11-21T14:31:48Z')
const thisHour = Date.parse('2026-11-21T14:00:00Z')
const ago = (hours: number) => new Date(thisHour - hours * hourMs)

let house: House
let owner: Person
let feed_id: string
const sims = new Map<string, string>()

beforeAll(async () => {
  house = await openHouse()
  house.clock.set(new Date(now).toISOString())
  owner = await house.newOwner()
  await addNetworks(house)
  feed_id = (await putFeed(house.db)).id
  for (const name of ['steady', 'stopped', 'paused', 'refused']) sims.set(name, (await addAsset(house, owner, { name })).sim_id)
  // Each hour of five weeks, as far as the file of the night before said.
  for (const name of sims.keys()) await reported(name, 35 * 24, 26)
  await judgeTo(4)
})
afterAll(() => house[Symbol.asyncDispose]())

/** The feed reports data in the hours from one to another, both included. */
async function reported(name: string, from: number, to: number) {
  const hours = Array.from({ length: from - to + 1 }, (_, h) => ago(to + h))
  const of = { account_id: owner.account_id, sim_id: sims.get(name)! }
  await sql`insert into usage_hour (account_id, sim_id, hour, mccmnc, rat, bytes_up, bytes_down)
    select ${of.account_id}, ${of.sim_id}, hour, '262-01', 'LTE', 5, 5 from unnest(${hours}::timestamptz[]) hour`.execute(house.db)
  await sql`insert into sim_feed (account_id, sim_id, feed_id, counted_to) values (${of.account_id}, ${of.sim_id}, ${feed_id}, ${ago(to - 1)})
    on conflict (account_id, sim_id) do update set counted_to = excluded.counted_to`.execute(house.db)
}

async function judgeTo(hoursAgo: number) {
  while (await judgeNext(house.app, ago(hoursAgo)));
}

const runs = async () => {
  const { body } = await owner.call(getStrip)
  return Object.fromEntries(body.lines.name.map((name, i) => [name, body.lines.runs[i]]))
}
const silent = async () => (await owner.call(listAssets, { query: { attention: 'quiet' } })).body.items.map(({ name }) => name)

test('a SIM whose data comes by a file of the night is silent once the file says so, from the hour on in which it stopped', async () => {
  expect(await silent()).toEqual([])
  // A file that came at night: up to four hours ago.
  await reported('steady', 25, 5)
  await reported('stopped', 25, 13)
  await reported('paused', 25, 17)
  await reported('paused', 12, 5)
  await reported('refused', 25, 9)
  const day = ago(7).toISOString().slice(0, 10)
  await sql`select ensure_connection_partitions(${day}::date, ${day}::date)`.execute(house.db)
  await sql`insert into connection_event (account_id, sim_id, asset_id, hour, kind, key, first_at, last_at, count)
    select account_id, id, asset_id, ${ago(7)}, 'rejected', '', ${ago(7)}, ${ago(7)}, 3 from sim where id = ${sims.get('refused')}`.execute(
    house.db
  )
  // While it is read nobody is silent: some of its last rows are of other SIMs.
  const reading = (state: 'reading' | 'done') => house.db.updateTable('feed_file').set({ state }).where('feed_id', '=', feed_id).execute()
  await reading('reading')
  await judgeTo(1)
  expect(await silent()).toEqual([])
  await reading('done')
  await judgeTo(0)
  expect(await silent()).toEqual(['refused', 'stopped'])
  expect((await owner.call(getVerdict)).body).toMatchObject({
    should: 4,
    works: 2,
    silent: 2,
    awaited: { sims: 4, until: ago(4).toISOString() },
  })
  expect(await runs()).toEqual({ steady: 'u25', stopped: 'u12s13', paused: 'u8s4u13', refused: 'u16s1r1s7' })
  const { rows } = await sql<{ works: number }>`select works from account_work_hour where account_id = ${owner.account_id}
    and hour >= ${ago(18)} order by hour`.execute(house.db)
  expect(rows.map(({ works }) => works)).toEqual([4, 4, 3, 3, 3, 3, 3, 3, 3, 3, 2, 2, 2, 2, 4, 4, 4, 4])
})

test('a SIM that sends again is as usual from the next file on', async () => {
  house.clock.advance({ seconds: 24 * 3600 })
  for (const name of ['steady', 'paused', 'refused', 'stopped']) await reported(name, name === 'stopped' ? -10 : 4, -19)
  await judgeTo(-24)
  expect(await silent()).toEqual([])
  const { rows } = await sql<{ start: Date; until: Date }>`select start, until from sim_lapse
    where account_id = ${owner.account_id} and sim_id = ${sims.get('stopped')}`.execute(house.db)
  expect(rows).toEqual([{ start: ago(12), until: ago(-10) }])
})

test('while calls of the feed follow each other nobody is silent, even once the first has come up to the present', async () => {
  house.clock.advance({ seconds: 24 * 3600 })
  await judgeTo(-46)
  expect(await silent()).toEqual([])
  const calls = async (last: number, first: number) => {
    const minutesAgo = (minutes: number) => new Date(house.clock.now().getTime() - minutes * 60_000)
    const set = { called_at: minutesAgo(last), calls_since: minutesAgo(first) }
    await house.db.updateTable('feed').set(set).where('id', '=', feed_id).execute()
  }
  for (const name of ['steady', 'refused']) await reported(name, -20, -47)
  await calls(2, 20)
  await judgeTo(-47)
  expect(await silent()).toEqual([])
  // Another call brings one more; the last of them has nothing to report.
  await reported('stopped', -20, -47)
  house.clock.advance({ seconds: 3600 })
  await calls(20, 80)
  await judgeTo(-48)
  expect(await silent()).toEqual(['paused'])
})

test('a feed that calls all day is no delivery of the night: a SIM is silent as soon as its hour is judged', async () => {
  house.clock.advance({ seconds: 2 * 3600 })
  for (const name of ['steady', 'refused', 'paused']) await reported(name, -48, -50)
  const now = house.clock.now().getTime()
  const set = { called_at: new Date(now - 60_000), calls_since: new Date(now - 5 * 3_600_000) }
  await house.db.updateTable('feed').set(set).where('id', '=', feed_id).execute()
  await judgeTo(-50)
  expect(await silent()).toEqual(['stopped'])
})

test('what is noted of SIMs is locked in the order of their keys, as feeds write it', async () => {
  const other = await house.newOwner()
  const { account_id } = other
  const feed = await putFeed(house.db)
  const ids = [await addAsset(house, other, { name: 'one' }), await addAsset(house, other, { name: 'two' })]
    .map(({ sim_id }) => sim_id)
    .toSorted()
  const at = house.clock.now()
  const hour = new Date(Math.floor(at.getTime() / hourMs) * hourMs - hourMs)
  const counted_to = new Date(hour.getTime() - hourMs)
  // The later one first, as they stand in the table.
  for (const sim_id of ids.toReversed())
    await house.db.insertInto('sim_feed').values({ account_id, sim_id, feed_id: feed.id, counted_to }).execute()
  const lock = (tx: Tx, sim_id: string) =>
    sql`select from sim_feed where account_id = ${account_id} and sim_id = ${sim_id} for update nowait`.execute(tx)
  const waiting = sql<{ n: number }>`select count(*)::int as n from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`
  const { judging } = await house.db.transaction().execute(async (tx) => {
    await lock(tx, ids[0]!)
    const judging = house.db.transaction().execute((own) => judgeAwaited(own, account_id, hour, { at, after: '', most: 10 }))
    await expect.poll(async () => (await waiting.execute(house.db)).rows[0]!.n, { timeout: 10_000 }).toBe(1)
    await lock(tx, ids[1]!)
    return { judging }
  })
  await judging
  const rows = await house.db.selectFrom('sim_feed').select('unjudged_from').where('account_id', '=', account_id).execute()
  expect(rows).toEqual([{ unjudged_from: hour }, { unjudged_from: hour }])
})
