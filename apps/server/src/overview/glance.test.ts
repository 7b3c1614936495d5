import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listAssets } from '@masthead/contract/assets/operations'
import { getPlaces, getStrip, getVerdict } from '@masthead/contract/overview/glance-operations'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { putFeed } from '../feeds/test-feed.ts'
import { judgeNext } from '../usage/index.ts'
import { addAsset, addNetworks, addTag, type SeededAsset } from '../usage/test-usage.ts'
import type { Actor } from '../kernel/app.ts'
import { getStrip as stripOf, runsOf, statesOf } from './get-strip.ts'

const hourMs = 3_600_000
const now = Date.parse('2026-11-21T14:31:48Z') // a Saturday
const thisHour = Date.parse('2026-11-21T14:00:00Z')
const ago = (hours: number) => new Date(thisHour - hours * hourMs)

let house: House
let owner: Person
let member: Person
const sims: Record<string, SeededAsset> = {}

beforeAll(async () => {
  house = await openHouse()
  house.clock.set(new Date(now).toISOString())
  owner = await house.newOwner()
  await addNetworks(house)
  const tag = await addTag(house, owner, 'north')
  for (const name of ['steady', 'stopped', 'late', 'back', 'nightly', 'lost', 'jitter', 'weekday', 'refused', 'blocked', 'fresh'])
    sims[name] = await addAsset(house, owner, { name, tags: ['steady', 'stopped'].includes(name) ? [tag] : [] })
  await addAsset(house, owner, { name: 'waiting', state: 'ready' })
  // Every hour of five weeks, up to the hour before this one.
  await sent('steady', (h) => h >= 1)
  await sent('stopped', (h) => h >= 6)
  await sent('late', (h) => h >= 4)
  await sent('back', (h) => h >= 6)
  await sent('refused', (h) => h >= 3, '208-01')
  await sent('blocked', (h) => h >= 3)
  // Once a day; the other one was last seen three days ago.
  await sent('nightly', (h) => h % 24 === 12)
  await sent('lost', (h) => h % 24 === 12 && h > 72)
  // At that hour of this weekday in each of the last weeks, but else at others; today two hours later.
  await sent('jitter', (h) => h % 24 === (h < 24 ? 10 : h % 168 < 24 ? 12 : 11 + (Math.floor(h / 24) % 3)))
  // It rests at weekends: this is one.
  await sent('weekday', (h) => ![0, 6].includes(ago(h).getUTCDay()))
  await sent('fresh', (h) => h >= 1 && h <= 30)
  await openHour('back', 0)
  await house.db
    .updateTable('sim')
    .set({ blocks: JSON.stringify([{ code: 'staff', since: ago(2.5), by: 'staff', words: '', clears: '' }]) })
    .where('id', '=', sims['blocked']!.sim_id)
    .execute()
  for (const h of [2, 1, 0]) await rejected('refused', h)
  while (await judgeNext(house.app, ago(0)));
  // Counted after its hours were judged.
  await sent('late', (h) => h >= 1 && h < 4)
  member = await house.newMember(owner, ['overview.view', 'assets.view'], [tag])
})
afterAll(() => house[Symbol.asyncDispose]())

const sent = (name: string, when: (hoursAgo: number) => boolean, mccmnc = '262-01') => {
  const hours = Array.from({ length: 35 * 24 }, (_, h) => h)
    .filter(when)
    .map((h) => ago(h))
  return sql`insert into usage_hour (account_id, sim_id, hour, mccmnc, rat, bytes_up, bytes_down)
    select ${owner.account_id}, ${sims[name]!.sim_id}, hour, ${mccmnc}, 'LTE', 5, 5 from unnest(${hours}::timestamptz[]) hour
    on conflict do nothing`.execute(house.db)
}

const openHour = (name: string, h: number) =>
  sql`insert into usage_open_hour values (${owner.account_id}, ${sims[name]!.sim_id}, ${ago(h)}, '262-01', 'LTE', 1, 1)`.execute(house.db)

const rejected = async (name: string, h: number) => {
  const day = ago(h).toISOString().slice(0, 10)
  await sql`select ensure_connection_partitions(${day}::date, ${day}::date)`.execute(house.db)
  await sql`insert into connection_event (account_id, sim_id, asset_id, hour, kind, key, first_at, last_at, count)
    values (${owner.account_id}, ${sims[name]!.sim_id}, ${sims[name]!.asset_id}, ${ago(h)}, 'rejected', '', ${ago(h)}, ${ago(h)}, 3)`.execute(
    house.db
  )
}

const ask = async (person = owner) => {
  const { status, body } = await person.call(getVerdict)
  expect(status, body.detail).toBe(200)
  return body
}
const runs = async (person = owner) => {
  const { body } = await person.call(getStrip)
  return Object.fromEntries(body.lines.name.map((name, i) => [name, body.lines.runs[i]]))
}

test('how many of the SIMs that should work do, and why the others do not', async () => {
  expect(await ask()).toMatchObject({
    judged_until: '2026-11-21T14:00:00.000Z',
    should: 11,
    works: 7,
    blocked: 1,
    refused: 1,
    silent: 2,
    not_counted: [{ status: 'ready', count: 1 }],
  })
})

// One had never been used by then, so it did not work.
test('what is usual is what worked at this hour and weekday in the weeks before', async () => {
  expect((await ask()).usual).toEqual({ from: 10, to: 10, weeks: 2 })
  await sql`update account_work_hour set works = 5 where account_id = ${owner.account_id} and hour = ${ago(168)}`.execute(house.db)
  expect((await ask()).usual).toEqual({ from: 5, to: 10, weeks: 2 })
})

test('each SIM is judged against its own last weeks', async () => {
  expect(await runs()).toEqual({
    steady: 'u25',
    // Its last hour was five hours before the judged end.
    stopped: 'u19s6',
    late: 'u25',
    back: 'u19s5u1',
    nightly: 'u25',
    lost: 's25',
    jitter: 'u25',
    weekday: 'u25',
    refused: 'u22r3',
    blocked: 'u21b4',
    fresh: 'u25',
  })
})

test('what is off now is what the assets list finds', async () => {
  const found = async (attention: 'quiet' | 'refused', person = owner) =>
    (await person.call(listAssets, { query: { attention } })).body.items.map(({ name }) => name)
  expect(await found('quiet')).toEqual(['lost', 'stopped'])
  expect(await found('refused')).toEqual(['refused'])
  expect(await found('quiet', member)).toEqual(['stopped'])
})

test('a member limited by tags sees the sums and lines of those SIMs alone', async () => {
  expect(await ask(member)).toMatchObject({
    should: 2,
    works: 1,
    silent: 1,
    blocked: 0,
    refused: 0,
    usual: { from: 2, to: 2 },
    not_counted: [],
  })
  expect(await runs(member)).toEqual({ steady: 'u25', stopped: 'u19s6' })
  expect((await member.call(getPlaces)).body).toMatchObject({ networks: [{ sims: 2, off: 1 }], unknown: 0 })
})

test('where SIMs are, by the network that they last used data on', async () => {
  const { body } = await owner.call(getPlaces)
  expect(body.networks).toEqual([
    { network: { mccmnc: '262-01', name: 'Telekom DE', country: 'DE' }, sims: 10, off: 3 },
    { network: { mccmnc: '208-01', name: 'Orange F', country: 'FR' }, sims: 1, off: 1 },
  ])
  for (const { network, sims } of body.networks)
    expect((await owner.call(listAssets, { query: { q: `network:${network.mccmnc} state:active` } })).body.total).toBe(sims)
})

test('what is not judged, or was too long ago, is not known', async () => {
  const other = await house.newOwner()
  await addAsset(house, other, { name: 'one' })
  expect(await ask(other)).toMatchObject({ judged_until: null, should: 1, works: null, silent: null, usual: null })
  expect((await other.call(getStrip)).body).toMatchObject({ start: null, groups: [] })
  house.clock.advance({ seconds: 3 * 3600 })
  try {
    expect(await ask()).toMatchObject({ judged_until: null, works: null, blocked: 1 })
  } finally {
    house.clock.set(new Date(now).toISOString())
  }
})

test('a SIM that was never seen is not as usual, is not drawn, and raises nothing that is usual', async () => {
  const other = await house.newOwner()
  const { account_id } = other
  const steady = await addAsset(house, other, { name: 'steady' })
  const hours = Array.from({ length: 35 * 24 }, (_, h) => ago(h))
  await sql`insert into usage_hour (account_id, sim_id, hour, mccmnc, rat, bytes_up, bytes_down)
    select ${account_id}, ${steady.sim_id}, hour, '262-01', 'LTE', 5, 5 from unnest(${hours}::timestamptz[]) hour`.execute(house.db)
  const loaded = [await addAsset(house, other, { name: 'one' }), await addAsset(house, other, { name: 'two' })]
  await sql`update sim set state_changed_at = ${new Date(now - 3 * 60_000)} where account_id = ${account_id} and id <> ${steady.sim_id}`.execute(
    house.db
  )
  while (await judgeNext(house.app, ago(0)));
  expect(await ask(other)).toMatchObject({ should: 3, works: 1, silent: 0, unseen: 2, usual: { from: 1, to: 1 } })
  const { body } = await other.call(getStrip)
  expect([body.lines.name, body.groups.map(({ sims }) => sims)]).toEqual([['steady'], [1]])
  await sql`insert into sim_counter (account_id, sim_id, period_start, bytes_up, bytes_down, lifetime_up, lifetime_down, seen_at)
    values (${account_id}, ${loaded[0]!.sim_id}, '2026-11-01', 1, 1, 1, 1, ${house.clock.now()})`.execute(house.db)
  expect(await ask(other)).toMatchObject({ should: 3, works: 2, unseen: 1, usual: { from: 2, to: 2 } })
  expect(await runs(other)).toEqual({ steady: 'u25', one: 'n24u1' })
})

test('hours before a SIM was meant to work are not shown, and a late report is no silence', () => {
  const start = thisHour - 24 * hourMs
  const lapses = [{ state: 'silent' as const, start: ago(3).toISOString(), until: ago(1).toISOString() }]
  const row = { since: ago(20.5), lapses, now: null, now_since: null, sent: `${'0'.repeat(22)}10` }
  expect(runsOf(statesOf(row, start))).toBe('n3u18s1u3')
})

test('of more SIMs than have lines those that are off now come first, and each group says how many have none', async () => {
  const actor = { account_id: owner.account_id, tags: [] as string[], at: house.clock.now() } as unknown as Actor
  const { lines, groups, more } = await stripOf(house.app.db, actor, 3)
  expect(lines.runs).toHaveLength(3)
  for (const run of lines.runs) expect(run).not.toMatch(/u\d+$/)
  expect(more).toBe(8)
  expect(groups.map(({ sims, hidden }, group) => [sims, hidden + lines.group.filter((each) => each === group).length])).toEqual([
    [10, 10],
    [1, 1],
  ])
  expect((await stripOf(house.app.db, actor)).groups.map(({ hidden }) => hidden)).toEqual([0, 0])
})

test('a SIM of a feed that has not reported so far is not silent, until that is two days ago', async () => {
  const fed = await house.newOwner()
  const add = async (name: string, last: number, isFed: boolean) => {
    const { sim_id } = await addAsset(house, fed, { name })
    const hours = Array.from({ length: 35 * 24 - last }, (_, h) => ago(h + last))
    await sql`insert into usage_hour (account_id, sim_id, hour, mccmnc, rat, bytes_up, bytes_down)
      select ${fed.account_id}, ${sim_id}, hour, '262-01', 'LTE', 5, 5 from unnest(${hours}::timestamptz[]) hour`.execute(house.db)
    if (!isFed) return
    const { id: feed_id } = await putFeed(house.db)
    await house.db
      .insertInto('sim_feed')
      .values({ account_id: fed.account_id, sim_id, feed_id, counted_to: ago(last - 1) })
      .execute()
  }
  await add('by gateways', 3, false)
  await add('by a nightly file', 3, true)
  await add('by a feed of before', 51, true)
  while (await judgeNext(house.app, ago(0)));
  expect(await ask(fed)).toMatchObject({ silent: 2, works: 1, awaited: { sims: 1, until: ago(2).toISOString() } })
  expect((await ask()).awaited).toBeNull()
  expect(await runs(fed)).toEqual({ 'by gateways': 'u22s3', 'by a nightly file': 'u25', 'by a feed of before': 'u22s3' })
})
