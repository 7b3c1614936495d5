import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Asset } from '@masthead/contract/assets/asset'
import { exportAssets, listAssets } from '@masthead/contract/assets/operations'
import { newId } from '@masthead/contract/kernel/id'
import { openHouse, type House } from '@masthead/testkit/house'
import { addSession, list, type Query } from '../test-stock.ts'
import { copyNext } from './moving-copy.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

test('a total is exact to 10,000, then says that there are more, but is always exact without a filter', async () => {
  const ada = await house.newOwner()
  await sql`insert into asset (account_id, id, type, serial, name)
    select ${ada.account_id}, 'ast_many' || n, 'core', 'MANY' || n, 'many' from generate_series(1, 10003) n`.execute(house.db)
  expect(await list(ada)).toMatchObject({ total: 10_003, total_capped: false })
  for (const query of [{ type: 'core' }, { search: 'many' }, { online: 'false' }]) {
    expect(await list(ada, query)).toMatchObject({ total: 10_000, total_capped: true })
  }
  expect(await list(ada, { search: 'many1000' })).toMatchObject({ total: 5, total_capped: false })
})

test('nothing is put in order by what moves with every packet among more than 50,000; narrowed it is', async () => {
  const ada = await house.newOwner()
  await sql`insert into asset (account_id, id, type, serial, name)
    select ${ada.account_id}, 'ast_wide' || n, case when n <= 3 then 'core' else 'picolte' end, 'WIDE' || n, 'wide' from generate_series(1, 50001) n`.execute(
    house.db
  )
  const ask = (query: Query) => ada.call(listAssets, { query } as never)
  for (const sort of ['usage', '-usage', 'last_seen_at', '-last_seen_at'])
    expect(await ask({ sort }), sort).toMatchObject({ status: 400, body: { fields: { sort: expect.stringContaining('50,000') } } })
  // All of them can be turned to by the number of a page; what is left out by a search only to 10,000.
  const last = await list(ada, { page_size: '100', page: '501' })
  expect(last).toMatchObject({ total: 50_001, next: null, items: [{ id: 'ast_wide9999' }] })
  for (const beyond of [{ search: 'wide', page: '1001' }, { page: '20001' }])
    expect(await ask(beyond)).toMatchObject({ status: 400, body: { fields: { page: expect.stringContaining('00 rows') } } })
  expect(await ask({ online: 'false' })).toMatchObject({ status: 400, body: { fields: { online: expect.stringContaining('50,000') } } })
  // Said in the line it is the same.
  expect(await ask({ q: 'connection:offline' })).toMatchObject({
    status: 400,
    body: { detail: expect.stringContaining('find what is offline') },
  })
  expect(await ask({ q: 'connection:offline type:core' })).toMatchObject({ status: 200, body: { total: 3 } })
  for (const narrow of [{ type: 'core' }, { search: 'wide500' }])
    for (const wide of [{ sort: '-usage' }, { online: 'false' }]) expect(await ask({ ...narrow, ...wide })).toMatchObject({ status: 200 })
  // Of them 11,111 on line, in the middle of the order: further from its beginning than the list walks, and not far from its end.
  const { gateway_id, heard_at } = await addSession(house, { id: 'ast_wide', sim: { id: 'sim_wide' } } as Asset, newId('account'))
  await house.db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx) // no triggers: they would take their time
    await sql`insert into sim (account_id, id, asset_id, iccid, state) select account_id, id, id, 10::numeric ^ 18 + substr(id, 9)::bigint, 'active'
      from asset where account_id = ${ada.account_id} and id like 'ast_wide4%'`.execute(tx)
    await sql`insert into data_session (account_id, id, sim_id, asset_id, gateway_id, nas, acct_session_id, started_at, updated_at, heard_at)
      select account_id, 'ses_' || id, id, id, ${gateway_id}, 'wide', id, ${heard_at}, ${heard_at}, ${heard_at}
      from sim where account_id = ${ada.account_id}`.execute(tx)
  })
  for (const filter of [{ online: 'true' }, { search: 'wide4' }]) {
    const ids = async (query: Record<string, string>) =>
      (await list(ada, { page_size: '2', ...filter, ...query })).items.map(({ id }) => id)
    const many = await list(ada, { page_size: '2', ...filter })
    expect(many).toMatchObject({ total: 10_000, total_capped: true, items: [{ id: 'ast_wide4' }, { id: 'ast_wide40' }] })
    expect(await ids({ after: many.next! })).toEqual(['ast_wide400', 'ast_wide4000'])
    expect(await ids({ sort: '-name' })).toEqual(['ast_wide49999', 'ast_wide49998'])
    const last = await list(ada, {
      page_size: '2',
      ...filter,
      after: (await list(ada, { page_size: '100', ...filter, page: '100' })).next!,
    })
    expect(last).toMatchObject({ total: 10_000, items: [{}, {}] })
    if (filter.online) expect(await ids({ sort: '-usage', page: '2' })).toEqual(['ast_wide49997', 'ast_wide49996'])
  }
  await sql`update data_session set ended_at = heard_at where account_id = ${ada.account_id} and sim_id >= 'ast_wide41'`.execute(house.db)
  expect(await list(ada, { online: 'true' })).toMatchObject({ total: 1112, total_capped: false })
}, 60_000)

test('what moves with every packet is asked of more than 50,000 assets from a copy, which says of when it is', async () => {
  const ada = await house.newOwner()
  const { gateway_id, heard_at } = await addSession(house, { id: 'ast_move', sim: { id: 'sim_move' } } as Asset, newId('account'))
  await house.db.transaction().execute(async (tx) => {
    await sql`insert into network (mccmnc, name, country) values ('260-06', 'Play', 'PL') on conflict do nothing`.execute(tx)
    await sql`insert into asset (account_id, id, type, serial, name, sim_id)
      select ${ada.account_id}, 'ast_move' || n, 'core', 'MOVE' || n, 'move', 'sim_move' || n from generate_series(1, 50001) n`.execute(tx)
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql`insert into sim_counter (account_id, sim_id, period_start, bytes_up, bytes_down, lifetime_up, lifetime_down, seen_at)
      select ${ada.account_id}, 'sim_move' || n, date_trunc('month', ${heard_at}::timestamptz)::date, n, n, n, n, ${heard_at}::timestamptz - n * interval '1 hour'
      from generate_series(1, 5) n`.execute(tx)
    await sql`insert into data_session (account_id, id, sim_id, asset_id, gateway_id, nas, acct_session_id, mccmnc, started_at, updated_at, heard_at)
      select ${ada.account_id}, 'ses_move' || n, 'sim_move' || n, 'ast_move' || n, ${gateway_id}, 'move', 'move' || n, '260-06', ${heard_at}, ${heard_at}, ${heard_at}
      from generate_series(1, 2) n`.execute(tx)
  })
  const asked: [q: string, ids: number[]][] = [
    ['usage:>5B', [3, 4, 5]],
    ['silent:>150m', [3, 4, 5]],
    ['silent:<150m', [1, 2]],
    ['country:PL', [1, 2]],
    ['operator:260-06 usage:>3B', [2]],
    ['connection:offline usage:>5B', [3, 4, 5]],
  ]
  const refused = await ada.call(listAssets, { query: { q: 'usage:>5B' } })
  expect(refused).toMatchObject({ status: 400, body: { fields: { q: expect.stringContaining('50,000') } } })
  const file = () => ada.call(exportAssets, { query: { q: 'usage:>5B' } })
  expect(await file()).toMatchObject({ status: 400, body: { fields: { q: expect.stringContaining('50,000') } } })
  while (await copyNext(house.app));
  expect((await file()).text.trim().split('\n')).toHaveLength(4)
  const ids = async (q: string) => (await list(ada, { q })).items.map(({ id }) => Number(id.slice(8)))
  for (const [q, found] of asked) expect(await ids(q), q).toEqual(found)
  const never = await list(ada, { q: 'seen:never', page_size: '2' })
  expect(never).toMatchObject({ total: 10_000, total_capped: true, items: [{ id: 'ast_move10' }, { id: 'ast_move100' }] })
  expect((await list(ada, { q: 'seen:never', page_size: '2', after: never.next! })).items.map(({ id }) => id)).toEqual([
    'ast_move1000',
    'ast_move10000',
  ])
  expect(await list(ada, { q: 'usage:>5B' })).toMatchObject({ total: 3, copied_at: house.clock.now().toISOString() })
  // Open sessions are in no copy.
  const offline = await ada.call(listAssets, { query: { q: 'not connection:online' } })
  expect(offline).toMatchObject({ status: 400, body: { fields: { q: expect.stringContaining('50,000') } } })
  // Narrowed by what does not move, it is asked as it is now.
  expect(await list(ada, { q: 'usage:>5B', search: 'move50001' })).toMatchObject({ total: 0, copied_at: null })
  // What changed is copied; a SIM that was swapped shows its asset no more.
  await sql`update sim_counter set bytes_up = 900 where account_id = ${ada.account_id} and sim_id = 'sim_move1'`.execute(house.db)
  await sql`update asset set sim_id = 'sim_new' where account_id = ${ada.account_id} and id = 'ast_move4'`.execute(house.db)
  expect(await ids('usage:>5B')).toEqual([3, 5])
  house.clock.advance({ seconds: 31 })
  while (await copyNext(house.app));
  expect(await ids('usage:>5B')).toEqual([1, 3, 5])
  // Whoever makes it is away: better no answer than one of long ago.
  house.clock.advance({ minutes: 11 })
  expect(await ada.call(listAssets, { query: { q: 'usage:>5B' } })).toMatchObject({ status: 400 })
}, 60_000)
