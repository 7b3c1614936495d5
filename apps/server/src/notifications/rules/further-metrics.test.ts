import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listAlerts } from '@masthead/contract/notifications/operations'
import type { RuleFields } from '@masthead/contract/notifications/rule'
import * as ops from '@masthead/contract/notifications/rule-operations'
import { activateSim, deactivateSim, updateAsset } from '@masthead/contract/assets/operations'
import { createTag } from '@masthead/contract/tags/operations'
import { openHouse, type House } from '@masthead/testkit/house'
import { putGateway } from '../../gateways/test-gateway.ts'
import { newTrials, today } from './test-scene.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
  await sql`insert into network values ('260-06', 'Play', 'PL'), ('262-01', 'Telekom', 'DE') on conflict do nothing`.execute(house.db)
})
afterAll(() => house[Symbol.asyncDispose]())

const hour = (time: string, day = today) => new Date(`${day}T${time}:00:00Z`)

const openScene = () => newTrials(house)

test('the first day on which a SIM sends is found, and no later one', async () => {
  const { owner, asset, use, tried, fired } = await openScene()
  const [old, fresh, early, open] = [await asset('old'), await asset('fresh'), await asset('early'), await asset('open')]
  // Longer ago than its hours are known, and again.
  await use(old, 500, '2026-08-01')
  for (const sim of [old, fresh]) await use(sim, 700, today)
  await use(early, 300, '2026-11-19')
  await use(early, 900, today)
  await sql`insert into usage_hour (account_id, sim_id, hour, mccmnc, rat, bytes_up, bytes_down)
    values (${owner.account_id}, ${early.sim_id}, ${hour('10', '2026-11-19')}, '260-06', 'LTE', 300, 0),
      (${owner.account_id}, ${fresh.sim_id}, ${hour('10')}, '260-06', 'LTE', 700, 0)`.execute(house.db)
  await sql`insert into usage_open_hour values (${owner.account_id}, ${open.sim_id}, ${hour('11')}, '260-06', 'LTE', 400, 0)`.execute(
    house.db
  )
  const metric = 'first_day'
  const found = async (threshold: number) => (await tried({ metric, threshold })).toSorted()
  expect(await found(1)).toEqual([
    ['early', '2026-11-19', 300],
    ['fresh', today, 700],
    ['open', today, 400],
  ])
  expect(await found(500)).toEqual([['fresh', today, 700]])
  expect((await fired({ metric, threshold: 400 })).toSorted()).toEqual([
    ['fresh', today, 700],
    ['open', today, 400],
  ])
})

test('the data of the whole account in a month fires on the day on which it is reached, once', async () => {
  const { owner, tried, fired } = await openScene()
  const used = (day: string, bytes: number) =>
    sql`insert into account_usage_hour values (${owner.account_id}, ${hour('10', day)}, '260-06', 'LTE', ${bytes}, 0)`.execute(house.db)
  await used('2026-10-31', 90)
  await used('2026-11-02', 60)
  await used(today, 50)
  const metric = 'account_usage_month'
  expect(await tried({ metric, threshold: 100 })).toEqual([[null, today, 110]])
  expect(await tried({ metric, threshold: 111 })).toEqual([])
  expect(await tried({ metric, threshold: 60 })).toEqual([
    [null, '2026-11-02', 60],
    [null, '2026-10-31', 90],
  ])
  expect(await fired({ metric, threshold: 100 })).toEqual([[null, today, 110]])
})

test('the data of an hour fires for its day, with the most of an hour', async () => {
  const { owner, asset, use, tried, fired } = await openScene()
  const { account_id } = owner
  const [peak, even] = [await asset('peak'), await asset('even')]
  for (const [sim, bytes] of [
    [peak, [10, 900, 40]],
    [even, [500, 500, 500]],
  ] as const)
    for (const [n, up] of bytes.entries()) {
      if (n === 0) await use(sim, bytes[0] + bytes[1], today)
      const table = n === 2 ? sql`usage_open_hour` : sql`usage_hour`
      await sql`insert into ${table} (account_id, sim_id, hour, mccmnc, rat, bytes_up, bytes_down)
        values (${account_id}, ${sim.sim_id}, ${hour(`0${n}`)}, '260-06', 'LTE', ${up}, 0)`.execute(house.db)
    }
  const metric = 'usage_hour'
  expect(await tried({ metric, threshold: 501 })).toEqual([['peak', today, 900]])
  expect((await tried({ metric, threshold: 500 })).length).toBe(2)
  expect(await tried({ metric, threshold: 901 })).toEqual([])
  expect(await fired({ metric, threshold: 501 })).toEqual([['peak', today, 900]])
})

test('the data of several assets together fires for them on the day on which it is reached, whatever others use', async () => {
  const { owner, asset, use, tried, fired, fields } = await openScene()
  const { account_id } = owner
  const tag = (await owner.call(createTag, { body: { name: 'fleet' } })).body.id
  const [one, two, other] = [await asset('one', tag), await asset('two', tag), await asset('other')]
  const closed = async (sim: typeof one, bytes: number, day: string) => {
    await use(sim, bytes, day)
    await sql`insert into usage_month values (${account_id}, ${sim.sim_id}, '2026-11-01', '260-06', 'LTE', ${bytes}, 0)
      on conflict (account_id, month, sim_id, mccmnc, rat) do update set bytes_up = usage_month.bytes_up + excluded.bytes_up`.execute(
      house.db
    )
  }
  await closed(one, 90, '2026-11-02')
  await closed(one, 70, '2026-11-20')
  await closed(one, 60, today)
  await closed(two, 50, today)
  await closed(other, 900, today)
  await sql`insert into usage_open_hour values (${account_id}, ${two.sim_id}, ${hour('11')}, '260-06', 'LTE', 5, 0)`.execute(house.db)
  const [day, month] = [
    { metric: 'assets_usage_day', scope: 'tag:fleet' } as const,
    { metric: 'assets_usage_month', scope: 'tag:fleet' } as const,
  ]
  expect(await tried({ ...day, threshold: 115 })).toEqual([[null, today, 115]])
  expect(await tried({ ...day, threshold: 116 })).toEqual([])
  expect(await tried({ ...day, scope: '', threshold: 116 })).toEqual([[null, today, 1015]])
  expect(await tried({ ...month, threshold: 160 })).toEqual([[null, '2026-11-20', 160]])
  expect(await tried({ ...month, threshold: 275 })).toEqual([[null, today, 275]])
  expect(await tried({ ...month, threshold: 276 })).toEqual([])
  expect(await fired({ ...month, threshold: 270 })).toEqual([[null, today, 275]])
  const limited = await house.newMember(owner, ['notifications.view', 'assets.view'], [tag])
  for (const who of [owner, limited]) {
    const alerts = (await who.call(listAlerts, { query: {} })).body.items
    expect(alerts.map(({ words }) => words)).toEqual([
      'Data of several assets together in the month so far: 270 B or more, on 21 Nov 2026 (UTC).',
    ])
  }
  const ofAll = await owner.call(ops.createRule, { body: fields({ metric: 'account_usage_day', scope: 'tag:fleet' }) })
  expect(ofAll.body).toMatchObject({ fields: { scope: 'A rule of data pools or of the whole account asks for no assets' } })
})

test('connecting outside of the countries of a SIM, and beginning many sessions', async () => {
  const { owner, asset, tried, fired } = await openScene()
  const { account_id } = owner
  const truck = await asset('truck')
  await sql`select ensure_connection_partitions(${today}::date, ${today}::date)`.execute(house.db)
  for (const [key, mccmnc, count] of [
    ['a', '260-06', 4],
    ['b', '262-01', 2],
  ] as const)
    await sql`insert into connection_event (account_id, sim_id, asset_id, hour, kind, key, first_at, last_at, count, mccmnc)
      values (${account_id}, ${truck.sim_id}, ${truck.asset_id}, ${hour('10')}, 'accepted', ${key}, ${hour('10')}, ${hour('10')}, ${count}, ${mccmnc})`.execute(
      house.db
    )
  const abroad = (threshold: number, countries: string[]) => ({ metric: 'abroad_connect', threshold, countries }) as const
  expect(await tried(abroad(2, ['PL']))).toEqual([['truck', today, 2]])
  expect(await tried(abroad(3, ['PL']))).toEqual([])
  expect(await tried(abroad(1, ['PL', 'DE']))).toEqual([])
  expect(await fired(abroad(2, ['PL']))).toEqual([['truck', today, 2]])
  const within = (threshold: number, countries: string[]) => ({ metric: 'within_connect', threshold, countries }) as const
  expect(await tried(within(2, ['DE', 'FR']))).toEqual([['truck', today, 2]])
  expect(await tried(within(3, ['DE']))).toEqual([])
  expect(await tried(within(1, ['FR']))).toEqual([])
  expect(await fired(within(2, ['DE']))).toEqual([['truck', today, 2]])
  const nowhere = await owner.call(ops.createRule, { body: { name: 'x', ...abroad(2, []) } as unknown as RuleFields })
  expect(nowhere.body).toMatchObject({ code: 'invalid_request', fields: { countries: 'Name at least one country' } })

  const { gateway_id } = await putGateway(house.db, { name: 'pgw', address: '10.9.0.1' })
  for (const [id, nas, day] of [
    ['s1', 'pgw', today],
    ['s2', 'pgw', today],
    ['s3', 'pgw', '2026-11-20'],
    ['s4', gateway_id, today],
  ] as const)
    await sql`insert into data_session (account_id, id, sim_id, asset_id, gateway_id, nas, acct_session_id, started_at, updated_at, heard_at)
      values (${account_id}, ${id}, ${truck.sim_id}, ${truck.asset_id}, ${gateway_id}, ${nas}, ${id}, ${hour('09', day)}, ${hour('09', day)}, ${hour('09', day)})`.execute(
      house.db
    )
  expect(await tried({ metric: 'sessions_day', threshold: 2 })).toEqual([['truck', today, 2]])
  expect(await fired({ metric: 'sessions_day', threshold: 2 })).toEqual([['truck', today, 2]])
})

test('sessions of one hour are counted by the hour, and a day tells the most of one', async () => {
  const { owner, asset, tried, fired } = await openScene()
  const truck = await asset('truck')
  const { gateway_id } = await putGateway(house.db, { name: 'pgw hours', address: '10.9.0.2' })
  for (const [n, at] of ['09:10', '09:50', '10:05', '10:06', '10:59', '11:00'].entries())
    await sql`insert into data_session (account_id, id, sim_id, asset_id, gateway_id, nas, acct_session_id, started_at, updated_at, heard_at)
      values (${owner.account_id}, ${`h${n}`}, ${truck.sim_id}, ${truck.asset_id}, ${gateway_id}, 'pgw', ${`h${n}`}, ${`${today}T${at}:00Z`}, ${`${today}T${at}:00Z`},
        ${`${today}T${at}:00Z`})`.execute(house.db)
  const metric = 'sessions_hour'
  expect(await tried({ metric, threshold: 2 })).toEqual([['truck', today, 3]])
  expect(await tried({ metric, threshold: 4 })).toEqual([])
  expect(await fired({ metric, threshold: 3 })).toEqual([['truck', today, 3]])
})

test('sessions are counted by the APN, and in the month on the day on which it is as many', async () => {
  const { owner, asset, tried, fired } = await openScene()
  const truck = await asset('truck')
  const { gateway_id } = await putGateway(house.db, { name: 'pgw apns', address: '10.9.0.3' })
  for (const [n, [day, apn]] of (
    [
      ['2026-10-31', 'iot'],
      ['2026-11-02', 'iot'],
      ['2026-11-02', null],
      [today, 'iot'],
      [today, 'iot'],
      [today, 'mgmt'],
      [today, null],
      [today, null],
      [today, null],
    ] as const
  ).entries())
    await sql`insert into data_session (account_id, id, sim_id, asset_id, gateway_id, nas, acct_session_id, apn, started_at, updated_at, heard_at)
      values (${owner.account_id}, ${`m${n}`}, ${truck.sim_id}, ${truck.asset_id}, ${gateway_id}, 'pgw', ${`m${n}`}, ${apn}, ${hour('09', day)}, ${hour('09', day)},
        ${hour('09', day)})`.execute(house.db)
  const apn = 'apn_sessions_day'
  expect(await tried({ metric: apn, threshold: 2 })).toEqual([['truck', today, 2]])
  expect(await tried({ metric: apn, threshold: 3 })).toEqual([])
  expect(await fired({ metric: apn, threshold: 2 })).toEqual([['truck', today, 2]])
  const month = 'sessions_month'
  expect(await tried({ metric: month, threshold: 2 })).toEqual([['truck', '2026-11-02', 2]])
  expect(await tried({ metric: month, threshold: 8 })).toEqual([['truck', today, 8]])
  expect(await tried({ metric: month, threshold: 9 })).toEqual([])
  expect(await fired({ metric: month, threshold: 3 })).toEqual([['truck', today, 8]])
})

test('usage that is counted late fires for the account as it is now', async () => {
  const { tried, fired } = await openScene()
  const metric = 'usage_behind'
  const counted = (until: string) =>
    sql`insert into rollup_progress as p (name, xid, complete_until) values ('usage', '1'::xid8, ${until})
      on conflict (name) do update set complete_until = excluded.complete_until`.execute(house.db)
  await counted(`${today}T11:59:30Z`)
  expect(await tried({ metric, threshold: 1 })).toEqual([])
  await counted(`${today}T11:30:00Z`)
  expect(await tried({ metric, threshold: 30 })).toEqual([[null, today, 30]])
  expect(await tried({ metric, threshold: 31 })).toEqual([])
  expect(await fired({ metric, threshold: 30 })).toEqual([[null, today, 31]])
})

test('a move to another network group fires by what was recorded of it, and the rule does not move SIMs itself', async () => {
  const { owner, asset, make, look, firings, fields } = await openScene()
  const truck = await asset('truck')
  await asset('van')
  const metric = 'group_changed'
  const id = await make({ metric, threshold: 1 })
  const network_group = 'default_unlimited'
  expect((await owner.call(updateAsset, { params: { asset_id: truck.asset_id }, body: { supersim: { network_group } } })).status).toBe(200)
  await look()
  await look()
  expect((await firings(id)).map(({ asset_name, day, value }) => [asset_name, day, value])).toEqual([['truck', today, 1]])
  const acting = await owner.call(ops.createRule, { body: fields({ metric, action: 'set_network_group', network_group }) })
  expect(acting.body).toMatchObject({ fields: { action: 'It would fire for what it does itself: choose another action' } })
})

test('a change of the state of a SIM fires by what was recorded of it, and the rule does not change states itself', async () => {
  const { owner, asset, tried, make, look, firings, fields } = await openScene()
  const [truck, van] = [await asset('truck'), await asset('van')]
  const metric = 'state_changed'
  const id = await make({ metric, threshold: 1 })
  const change = async ({ asset_id }: { asset_id: string }, operation: typeof activateSim | typeof deactivateSim) =>
    expect((await owner.call(operation, { params: { asset_id } })).status).toBe(200)
  await change(truck, deactivateSim)
  await change(truck, activateSim)
  await change(van, deactivateSim)
  await look()
  await look()
  const found = [
    ['truck', today, 2],
    ['van', today, 1],
  ]
  expect((await firings(id)).map(({ asset_name, day, value }) => [asset_name, day, value]).toSorted()).toEqual(found)
  expect((await tried({ metric, threshold: 1 })).toSorted()).toEqual(found)
  expect(await tried({ metric, threshold: 2 })).toEqual([['truck', today, 2]])
  const acting = await owner.call(ops.createRule, { body: fields({ metric, action: 'activate_sim' }) })
  expect(acting.body).toMatchObject({ fields: { action: 'It would fire for what it does itself: choose another action' } })
  expect((await owner.call(ops.createRule, { body: fields({ metric, action: 'block_sim' }) })).status).toBe(200)
})

test('the data of a SIM in all fires once, also when it goes on', async () => {
  const { owner, asset, tried, make, look, firings } = await openScene()
  const [heavy, light, quiet] = [await asset('heavy'), await asset('light'), await asset('quiet')]
  const count = ({ sim_id }: typeof heavy, lifetime_up: number, day: string) =>
    sql`insert into sim_counter as c (account_id, sim_id, period_start, bytes_up, bytes_down, lifetime_up, lifetime_down, seen_at)
      values (${owner.account_id}, ${sim_id}, '2026-11-01', 0, 0, ${lifetime_up}, 1, ${hour('10', day)})
      on conflict (account_id, sim_id) do update set lifetime_up = excluded.lifetime_up, seen_at = excluded.seen_at`.execute(house.db)
  await count(heavy, 999, today)
  await count(light, 998, today)
  await count(quiet, 5000, '2026-10-01')
  const rule = { metric: 'usage_ever', threshold: 1000 } as const
  expect(await tried(rule)).toEqual([['heavy', today, 1000]])
  const id = await make(rule)
  await look()
  house.clock.set('2026-11-23T12:00:00Z')
  await count(heavy, 2000, '2026-11-23')
  await count(light, 999, '2026-11-23')
  await look()
  expect((await firings(id)).map(({ asset_name, value }) => [asset_name, value])).toEqual([
    ['light', 1000],
    ['heavy', 1000],
  ])
})
