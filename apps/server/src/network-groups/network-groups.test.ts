import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { getAsset, listAssets, updateAsset } from '@masthead/contract/assets/operations'
import { raiseSimLimit } from '@masthead/contract/assets/sim-operations'
import { getBulkChange, startBulkChange } from '@masthead/contract/assets/bulk/bulk-operations'
import * as ops from '@masthead/contract/network-groups/operations'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { addAsset, addSession, putCounter } from '../assets/test-stock.ts'

let house: House
let ada: Person
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house[Symbol.asyncDispose]())
beforeEach(async () => {
  ada = await house.newOwner()
})

const create = (body: object, who = ada) => who.call(ops.createNetworkGroup, { body: { name: 'Reefers', ...body } as never })
const list = async (who = ada) => (await who.call(ops.listNetworkGroups)).body.items
const move = (asset_id: string, network_group: string, who = ada) =>
  who.call(updateAsset, { params: { asset_id }, body: { supersim: { network_group } } })
const groupOf = async (asset_id: string) => (await ada.call(getAsset, { params: { asset_id } })).body.sim!.network_group

test('an account has a default group without limits and the built-in ones; what exists is in the default one', async () => {
  const asset = await addAsset(house, ada)
  expect((await list()).map(({ id, kind, limit_bytes, countries, rats, sims }) => [id, kind, limit_bytes, countries, rats, sims])).toEqual([
    ['default', 'default', null, null, null, 1],
    ['default_100mb', 'built_in', 100_000_000, null, null, 0],
    ['default_1gb', 'built_in', 1_000_000_000, null, null, 0],
    ['default_10gb', 'built_in', 10_000_000_000, null, null, 0],
    ['default_unlimited', 'built_in', null, null, null, 0],
  ])
  expect(asset.sim).toMatchObject({ network_group: { id: 'default', name: 'Default' }, usage: { limit_bytes: null } })
})

test('a SIM moves by the id or the name of a group, by id, serial or ICCID, and takes its limit with it', async () => {
  const asset = await addAsset(house, ada)
  await create({ limit_bytes: 5_000_000, limit_period: 'day' })
  expect((await move(asset.serial, 'default_1gb')).body.sim).toMatchObject({
    network_group: { id: 'default_1gb', name: '1 GB' },
    usage: { limit_bytes: 1_000_000_000, limit_period: 'month' },
  })
  expect((await move(asset.sim!.iccid, ' reefers ')).body.sim).toMatchObject({
    network_group: { name: 'Reefers' },
    usage: { limit_bytes: 5_000_000, limit_period: 'day' },
  })
  expect(await move(asset.id, 'nowhere')).toMatchObject({
    status: 400,
    body: { code: 'network_group_unknown', fields: { 'supersim.network_group': 'There is no network group "nowhere"' } },
  })
  await move(asset.id, 'default')
  expect(await groupOf(asset.id)).toMatchObject({ id: 'default' })
  const events = (await house.events(ada.account_id)).filter(({ name }) => name === 'network_groups.group_assigned')
  expect(events.map(({ detail }) => detail.network_group_name)).toEqual(['1 GB', 'Reefers', 'Default'])
})

test('the list finds assets by group, and a change of many moves them', async () => {
  const [a, b, c] = [await addAsset(house, ada), await addAsset(house, ada), await addAsset(house, ada, { iccid: null })]
  await create({})
  await move(a.id, 'Reefers')
  const ids = async (...network_group: string[]) =>
    (await ada.call(listAssets, { query: { network_group } })).body.items.map(({ id }) => id).toSorted()
  expect(await ids('reefers')).toEqual([a.id])
  expect(await ids('default')).toEqual([b.id])
  expect(await ids('default', 'Reefers')).toEqual([a.id, b.id].toSorted())
  const { body } = await ada.call(startBulkChange, {
    body: { action: 'set_network_group', network_group: 'default_10gb', asset_ids: [a.id, b.id, c.id] },
  })
  expect(body).toMatchObject({ changed: 2, network_group: { id: 'default_10gb', name: '10 GB' }, left: [{ reason: 'no_sim', count: 1 }] })
  expect((await ada.call(getBulkChange, { params: { bulk_id: body.id } })).body.network_group).toEqual({
    id: 'default_10gb',
    name: '10 GB',
  })
  expect(await ids('default_10gb')).toEqual([a.id, b.id].toSorted())
  const [last] = (await house.events(ada.account_id)).slice(-1)
  expect(last).toMatchObject({ name: 'assets.assets_changed', detail: { network_group_name: '10 GB', changed: 2 } })
  const again = { action: 'set_network_group' as const, network_group: 'default_10gb', asset_ids: [a.id] }
  expect((await ada.call(startBulkChange, { body: again })).body.left).toEqual([{ reason: 'already', count: 1 }])
  expect(await ada.call(startBulkChange, { body: { action: 'set_network_group', asset_ids: [a.id] } })).toMatchObject({
    status: 400,
    body: { fields: { network_group: 'Say which network group' } },
  })
})

test('what is saved is sorted, each once, and read back; a change says what it changed', async () => {
  const { body } = await create({
    countries: ['PL', 'DE', 'DE'],
    networks: ['208-01'],
    rats: ['NR', 'EUTRAN'],
    apn: 'iot.acme',
    imei_lock: true,
  })
  expect(body).toMatchObject({
    countries: ['DE', 'PL'],
    networks: ['208-01'],
    rats: ['EUTRAN', 'NR'],
    apn: 'iot.acme',
    imei_lock: true,
    kind: 'own',
  })
  const params = { network_group_id: body.id }
  const { body: after } = await ada.call(ops.updateNetworkGroup, {
    params,
    body: { name: 'Trucks', countries: null, limit_bytes: 2_000_000 },
  })
  expect(after).toMatchObject({ name: 'Trucks', countries: null, networks: [], limit_bytes: 2_000_000, updated_by: ada.email })
  await ada.call(ops.updateNetworkGroup, { params, body: { name: 'Trucks', limit_bytes: 2_000_000 } })
  expect((await house.events(ada.account_id)).map(({ name, detail }) => [name, detail.changed])).toEqual([
    ['network_groups.group_created', undefined],
    ['network_groups.group_renamed', undefined],
    ['network_groups.group_updated', ['countries', 'networks', 'limit_bytes']],
  ])
})

test('names are taken once, in any case; limits and countries are checked in words', async () => {
  await create({})
  expect(await create({ name: 'REEFERS' })).toMatchObject({
    status: 409,
    body: { code: 'network_group_name_taken', fields: { name: expect.any(String) } },
  })
  expect(await create({ name: '1 gb' })).toMatchObject({ status: 409 })
  // By this word the built-in one is meant.
  expect(await create({ name: 'Default_1GB' })).toMatchObject({ status: 409 })
  for (const [body, field] of [
    [{ limit_bytes: 999_999 }, 'limit_bytes'],
    [{ limit_bytes: 2_000_000_000_001 }, 'limit_bytes'],
    [{ countries: ['Germany'] }, 'countries.0'],
    [{ networks: ['26201'] }, 'networks.0'],
    [{ rats: [] }, 'rats'],
    [{ apn: 'no spaces' }, 'apn'],
  ] as const) {
    expect(await create({ name: 'New', ...body }), field).toMatchObject({ status: 400, body: { fields: { [field]: expect.any(String) } } })
  }
})

test('built-in groups stay as they are, and the default one can be limited but neither renamed nor deleted', async () => {
  const on = (network_group_id: string) => ({ params: { network_group_id } })
  for (const call of [
    () => ada.call(ops.updateNetworkGroup, { ...on('default_1gb'), body: { limit_bytes: 2_000_000 } }),
    () => ada.call(ops.updateNetworkGroup, { ...on('default'), body: { name: 'Other' } }),
    () => ada.call(ops.deleteNetworkGroup, on('default')),
    () => ada.call(ops.deleteNetworkGroup, on('default_1gb')),
  ]) {
    expect(await call()).toMatchObject({ status: 409, body: { code: 'network_group_built_in' } })
  }
  const asset = await addAsset(house, ada)
  await ada.call(ops.updateNetworkGroup, { ...on('default'), body: { limit_bytes: 3_000_000 } })
  expect((await ada.call(getAsset, { params: { asset_id: asset.id } })).body.sim!.usage.limit_bytes).toBe(3_000_000)
})

test('a group that is deleted leaves its SIMs to the default one, and what a SIM was allowed beyond its limit ends with it', async () => {
  const asset = await addAsset(house, ada)
  const { body } = await create({ limit_bytes: 1_000_000 })
  await move(asset.id, body.id)
  expect((await ada.call(raiseSimLimit, { params: { asset_id: asset.id }, body: { bytes: 2_000_000 } })).status).toBe(200)
  expect((await ada.call(ops.deleteNetworkGroup, { params: { network_group_id: body.id } })).status).toBe(200)
  expect(await groupOf(asset.id)).toMatchObject({ id: 'default' })
  const left = await house.db
    .selectFrom('usage_limit')
    .select('id')
    .where('account_id', '=', ada.account_id)
    .where('only_raise', '=', true)
    .execute()
  expect(left).toEqual([])
  const [last] = (await house.events(ada.account_id)).slice(-1)
  expect(last).toMatchObject({ name: 'network_groups.group_deleted', detail: { network_group_name: 'Reefers', sims: 1 } })
})

test('a preview counts who is cut, who finds no operator, and who has used up the limit; nothing is changed', async () => {
  const { body: group } = await create({})
  for (const [mccmnc, used] of [
    ['260-06', 1_500_000],
    ['260-03', 0],
    ['216-30', 0],
  ] as const) {
    const asset = await addAsset(house, ada)
    await move(asset.id, group.id)
    await addSession(house, asset, ada.account_id, { mccmnc, rat: 'EUTRAN' })
    await putCounter(house, { account_id: ada.account_id, sim_id: asset.sim!.id, bytes_up: used })
  }
  const preview = async (body: object) =>
    (await ada.call(ops.previewNetworkGroup, { params: { network_group_id: group.id }, body: body as never })).body
  const none = { cut: 0, stranded: 0, stranded_countries: [], blocked: 0, freed: 0, wrong_device: 0, device_freed: 0 }
  const all = { sims: 3, attached: 3, ...none }
  expect(await preview({})).toEqual(all)
  expect(await preview({ countries: ['DE'], networks: ['260-06'] })).toEqual({ ...all, cut: 2, stranded: 1, stranded_countries: ['HU'] })
  expect(await preview({ rats: ['NB-IoT'] })).toEqual({ ...all, cut: 3 })
  expect(await preview({ limit_bytes: 1_000_000 })).toEqual({ ...all, blocked: 1 })
  expect(await preview({ limit_bytes: 1_000_000, on_limit: 'alert' })).toEqual(all)
  expect((await list()).find(({ id }) => id === group.id)).toMatchObject({ countries: null, limit_bytes: null })
  const { attached } = (await ada.call(ops.getNetworkGroup, { params: { network_group_id: group.id } })).body
  expect(attached).toHaveLength(3)
})

test('what deleting a group does is previewed by the rules of the default one', async () => {
  const { body: group } = await create({})
  const [abroad, home] = [await addAsset(house, ada), await addAsset(house, ada)]
  for (const [asset, mccmnc] of [
    [abroad, '216-30'],
    [home, '262-01'],
  ] as const) {
    await move(asset.id, group.id)
    await addSession(house, asset, ada.account_id, { mccmnc, rat: 'EUTRAN' })
  }
  await ada.call(ops.updateNetworkGroup, { params: { network_group_id: 'default' }, body: { countries: ['DE'] } })
  const { countries, networks, rats, limit_bytes, limit_period, on_limit, imei_lock } = (await list()).find(({ id }) => id === 'default')!
  const rules = { countries, networks, rats, limit_bytes, limit_period, on_limit, imei_lock }
  const said = await ada.call(ops.previewNetworkGroup, { params: { network_group_id: group.id }, body: rules })
  expect(said.body).toMatchObject({ sims: 2, attached: 2, cut: 1, stranded: 1, stranded_countries: ['HU'], blocked: 0 })
  await ada.call(ops.deleteNetworkGroup, { params: { network_group_id: group.id } })
  await house.settle()
  const rows = await house.db
    .selectFrom('data_session')
    .select(['asset_id', 'forbidden'])
    .where('account_id', '=', ada.account_id)
    .execute()
  expect(rows.filter(({ forbidden }) => forbidden !== null)).toEqual([
    { asset_id: abroad.id, forbidden: 'Hungary is not allowed by the network group Default' },
  ])
})

test('a member limited by tags counts their SIMs alone and changes no group; another account has none of it', async () => {
  const { id: tag } = await house.db
    .insertInto('tag')
    .values({ account_id: ada.account_id, id: `tag_${ada.account_id}`, name: 'cold', color: 'blue' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await addAsset(house, ada, { tags: [tag] })
  await addAsset(house, ada)
  const member = await house.newMember(ada, ['network_groups.view', 'network_groups.edit'], [tag])
  expect((await list(member))[0]).toMatchObject({ id: 'default', sims: 1 })
  expect((await create({}, member)).status).toBe(403)
  const { body } = await create({})
  const other = await house.newOwner()
  expect(await other.call(ops.getNetworkGroup, { params: { network_group_id: body.id } })).toMatchObject({ status: 404 })
})

test('without the feature groups are seen and hold, and nobody changes them, in words', async () => {
  const flags = { feature_flags: JSON.stringify({ network_groups: false }) }
  await house.db.updateTable('account').set(flags).where('id', '=', ada.account_id).execute()
  expect(await list()).toHaveLength(5)
  expect(await create({})).toMatchObject({ status: 403, body: { code: 'network_groups_off' } })
})

test('SIMs follow the lock of their group, where they have none of their own', async () => {
  const [mine, other] = [await addAsset(house, ada), await addAsset(house, ada)]
  const group = (await create({ imei_lock: true })).body
  await move(mine.id, 'Reefers')
  const locks = async () => {
    const assets = await Promise.all([mine, other].map(({ id: asset_id }) => ada.call(getAsset, { params: { asset_id } })))
    return assets.map(({ body }) => body.sim!.imei_lock)
  }
  const none = { mode: 'off', own: null, imeis: [] }
  expect(await locks()).toEqual([{ ...none, mode: 'lock' }, none])
  await ada.call(ops.updateNetworkGroup, { params: { network_group_id: group.id }, body: { imei_lock: false } })
  await house.settle()
  expect(await locks()).toEqual([none, none])
})
