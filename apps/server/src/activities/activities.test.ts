import { afterAll, beforeAll, expect, test } from 'vitest'
import { exportActivities, getActivity, listActivities } from '@masthead/contract/activities/operations'
import { assetRenamed, simBlocked } from '@masthead/contract/assets/events'
import { newId } from '@masthead/contract/kernel/id'
import { tagCreated } from '@masthead/contract/tags/events'
import { systemActor, type Actor } from '@masthead/server/kernel/app'
import { record } from '@masthead/server/kernel/record'
import { openHouse, type House, type Person } from '@masthead/testkit/house'

let house: House
let owner: Person
const asset_id = newId('asset')
const hidden_id = newId('asset')
const tag_id = newId('tag')

beforeAll(async () => {
  house = await openHouse()
  house.clock.set('2026-11-20T10:00:00Z')
  owner = await house.newOwner()
  const { account_id } = owner
  await house.db.insertInto('tag').values({ account_id, id: tag_id, name: 'north', color: 'blue' }).execute()
  for (const id of [asset_id, hidden_id]) {
    const names = { serial: id, name: id, type: 'core' as const, sim_id: null, sim_status: null }
    await house.db
      .insertInto('asset')
      .values({ account_id, id, ...names })
      .execute()
  }
  await house.db.insertInto('asset_tag').values({ account_id, asset_id, tag_id }).execute()
  const by = (): Actor => ({ ...systemActor(account_id, house.clock.now()), kind: 'member', email: owner.email, ip: '192.0.2.7' })
  const happen = async (write: (tx: Parameters<typeof record>[0]) => Promise<unknown>) => {
    await house.db.transaction().execute(write)
    house.clock.advance({ hours: 8 })
  }
  await happen((tx) => record(tx, by(), tagCreated, { tag_id, tag_name: 'north' }))
  await happen((tx) => record(tx, by(), assetRenamed, { asset_id, asset_name: 'b', old_name: 'a', new_name: 'b' }))
  const sim = { asset_id: hidden_id, asset_name: 'hidden', sim_id: 'sim_1', iccid: '8931000000000000001', code: 'data_limit' as const }
  await happen((tx) => record(tx, systemActor(account_id, house.clock.now()), simBlocked, { ...sim, words: 'Used 1 GB of 1 GB' }))
  const unknown = { id: newId('event', house.clock.now().getTime()), category: 'weather', action: 'rained', detail: '{"asset_id":"x"}' }
  await house.db
    .insertInto('event')
    .values({
      account_id,
      at: house.clock.now(),
      actor_kind: 'staff',
      actor_email: 's@x.test',
      asset_id: null,
      ip: null,
      request_id: null,
      ...unknown,
    })
    .execute()
})
afterAll(() => house[Symbol.asyncDispose]())

const sentences = async (query: object = {}, person = owner) => {
  const { status, body } = await person.call(listActivities, { query })
  expect(status, body.detail).toBe(200)
  return body.items.map(({ sentence }) => sentence)
}
const weather = 'Performed action weather.rained'
const blocked = 'Blocked the SIM of hidden: data limit reached'
const renamed = 'Renamed a to b'
const created = 'Created tag north'

test('newest first, in sentences, with who did it', async () => {
  const { body } = await owner.call(listActivities)
  expect(body).toMatchObject({ total: 4, total_capped: false, next: null })
  expect(body.items.map(({ sentence }) => sentence)).toEqual([weather, blocked, renamed, created])
  expect(body.items[2]).toMatchObject({
    id: expect.stringMatching(/^evt_/),
    timestamp: Date.parse('2026-11-20T18:00:00Z') / 1000,
    at: '2026-11-20T18:00:00.000Z',
    metadata: { category: 'assets', action: 'asset_renamed' },
    detail: { asset_id, asset_name: 'b', old_name: 'a', new_name: 'b' },
    sentence: renamed,
    actor: { kind: 'member', email: owner.email, key: null, robot: null },
    ip: '192.0.2.7',
    request_id: null,
    asset_id,
    entry: null,
  })
})

test('as CSV, with the same filters and the same limits', async () => {
  const { text, headers } = await owner.call(exportActivities, { query: { category: 'assets' } })
  expect(headers['content-disposition']).toBe('attachment; filename="activities.csv"')
  const [head, ...lines] = text.trimEnd().split('\r\n')
  expect(head).toBe('at,category,action,sentence,actor_kind,actor,api_key,robot,ip,asset_id,request_id,entry,hash,detail')
  expect(lines).toHaveLength(2)
  expect(lines[0]).toMatch(
    /^2026-11-21T02:00:00\.000Z,assets,sim_blocked,Blocked the SIM of hidden: data limit reached,system,system,,,,ast_/
  )
  const member = await house.newMember(owner, ['assets.view'], [tag_id])
  expect((await member.call(exportActivities)).text).toContain('Renamed a to b')
  expect((await member.call(exportActivities)).text).not.toContain('hidden')
  expect((await house.anyone.call(exportActivities)).status).toBe(401)
})

test('what a kind of event no longer says does not break the list', async () => {
  const other = await house.newOwner()
  const old = { category: 'assets', action: 'sim_blocked', detail: '{"asset_name":"x","code":"gone"}', actor_kind: 'system' as const }
  await house.db
    .insertInto('event')
    .values({ account_id: other.account_id, id: newId('event'), actor_email: 'system', asset_id: null, ip: null, request_id: null, ...old })
    .execute()
  expect(await sentences({}, other)).toEqual(['Performed action assets.sim_blocked'])
})

test('page by page, by number and by place', async () => {
  const { body } = await owner.call(listActivities, { query: { page_size: 3 } })
  expect(body.items).toHaveLength(3)
  expect(await sentences({ page_size: 3, page: 2 })).toEqual([created])
  expect(await sentences({ page_size: 3, after: body.next! })).toEqual([created])
  expect((await owner.call(listActivities, { query: { after: 'evt' } })).status).toBe(400)
})

test('filters', async () => {
  expect(await sentences({ category: 'tags' })).toEqual([created])
  expect(await sentences({ category: ['tags', 'weather'] })).toEqual([weather, created])
  expect(await sentences({ actor: owner.email.toUpperCase() })).toEqual([renamed, created])
  expect(await sentences({ actor: 'system' })).toEqual([blocked])
  expect(await sentences({ actor: 'staff' })).toEqual([weather])
  expect(await sentences({ asset_id })).toEqual([renamed])
  expect(await sentences({ start: '2026-11-20T18:00:00Z', end: '2026-11-21T02:00:00Z' })).toEqual([renamed])
  expect(await sentences({ end: '2026-11-20T10:00:00Z' })).toEqual([])
  expect(await sentences({ start: '1970-01-01T00:00:00Z' })).toHaveLength(4)
})

test('a member limited by tags does not read of other assets', async () => {
  const member = await house.newMember(owner, ['assets.view'], [tag_id])
  expect(await sentences({}, member)).toEqual([renamed, created])
  expect(await sentences({ asset_id: hidden_id }, member)).toEqual([])
  expect((await member.call(listActivities)).body.total).toBe(2)
})

test('one of them, by its id', async () => {
  const { body } = await owner.call(listActivities)
  const [, of_hidden, renaming] = body.items
  const ask = async (person: Person, id: string) => (await person.call(getActivity, { params: { activity_id: id } })).status
  expect((await owner.call(getActivity, { params: { activity_id: renaming!.id } })).body).toEqual(renaming)
  const member = await house.newMember(owner, ['assets.view'], [tag_id])
  expect([await ask(member, renaming!.id), await ask(member, of_hidden!.id)]).toEqual([200, 404])
  expect(await ask(await house.newOwner(), renaming!.id)).toBe(404)
})

test('another account reads nothing of it', async () => {
  expect(await sentences({}, await house.newOwner())).toEqual([])
  expect((await house.anyone.call(listActivities)).status).toBe(401)
})
