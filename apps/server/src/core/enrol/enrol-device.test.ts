import { request as ask } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { listActivities } from '@masthead/contract/activities/operations'
import { getAsset, registerAsset } from '@masthead/contract/assets/operations'
import * as ops from '@masthead/contract/core/operations'
import { enrolDevice as giveCredentials } from '@masthead/contract/devices/operations'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { sql } from 'kysely'
import { addAsset, addStock } from '../../assets/test-stock.ts'
import { cutDevice } from '../../devices/index.ts'
import { addTag } from '../../usage/test-usage.ts'

let house: House
let begun: Date
let owner: Person
let address: URL
beforeAll(async () => {
  house = await openHouse()
  begun = house.clock.now()
  address = new URL(await house.server.listen({ host: '127.0.0.1', port: 0 }))
})
afterAll(() => house[Symbol.asyncDispose]())
beforeEach(async () => {
  house.clock.set(begun)
  owner = await house.newOwner('Acme')
})

type Answer = { status: number; text: string; device_token?: string; code?: string; detail?: string; message?: string }

/** As python-requests 2 sends it with `data=` a text: no content type, and nothing that a browser brings. */
function post(body: string, headers: Record<string, string> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = address
    const sent = ask({
      hostname,
      port,
      path: '/v1/core/deploy',
      method: 'POST',
      headers: {
        Host: 'api.sixfab.com',
        'User-Agent': 'python-requests/2.28.1',
        'Accept-Encoding': 'gzip, deflate',
        Accept: '*/*',
        Connection: 'keep-alive',
        'Content-Length': String(Buffer.byteLength(body)),
        ...headers,
      },
    })
    sent.on('error', reject)
    sent.on('response', (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (part: string) => (text += part))
      answer.on('end', () => resolve({ status: answer.statusCode!, text, ...(JSON.parse(text) as object) }))
    })
    sent.end(body)
  })
}
/** `json.dumps` puts a blank after each comma and colon. */
const enrol = (token: string, iccid: string) => post(`{"deployment_token": "${token}", "iccid": "${iccid}"}`)

const create = async (body: object = {}, who = owner) => {
  const answer = await who.call(ops.createDeployment, { body: { name: 'weirs', ...body } })
  expect(answer.status, answer.text).toBe(200)
  return answer.body
}
const on = ({ id }: { id: string }) => ({ params: { deployment_id: id } })
const get = async (deployment: { id: string }) => (await owner.call(ops.getDeployment, on(deployment))).body
const list = async (deployment: { id: string }, query = {}) =>
  (await owner.call(ops.listEnrolments, { ...on(deployment), query })).body.items
const later = (days: number) => house.clock.set(new Date(house.clock.now().getTime() + days * 86_400_000))
const stockOf = async (type: 'core' | 'plastic_sim' | 'alpon_x4' = 'core') => {
  const { serial, iccid } = await addStock(house, { type })
  return { serial, iccid: iccid! }
}
const sentences = async () => (await owner.call(listActivities, { query: {} })).body.items.map(({ sentence }) => sentence)

test('a device from stock becomes an asset with the tags and the group of its deployment', async () => {
  await addTag(house, owner, 'water')
  const group = (
    await sql<{ id: string }>`select id from network_group where account_id = ${owner.account_id} and kind = 'built_in' limit 1`.execute(
      house.db
    )
  ).rows[0]!
  const deployment = await create({ tags: ['water'], network_group: group.id })
  const { iccid } = await stockOf()
  const answer = await enrol(deployment.token, iccid)
  expect(answer.status).toBe(201)
  expect(JSON.parse(answer.text)).toEqual({ device_token: answer.device_token })
  // It stands in topics of MQTT.
  expect(answer.device_token).toMatch(/^[\w-]{20,}$/)
  const asset = (await owner.call(getAsset, { params: { asset_id: iccid } })).body
  expect(asset).toMatchObject({ type: 'core', tags: [{ name: 'water' }], sim: { network_group: { id: group.id } } })
  expect(await list(deployment)).toMatchObject([
    { iccid, result: 'enrolled', refusal: null, asset: { id: asset.id, name: asset.name }, asked: 1, ip: '127.0.0.1' },
  ])
  expect(await get(deployment)).toMatchObject({ enrolled: 1, refused: 0, last_enrolled_at: begun.toISOString() })
  expect(await sentences()).toEqual(expect.arrayContaining([`Enrolled ${asset.name} by CORE deployment weirs`]))
})

test('a SIM that was sold alone becomes a CORE device; one that the account has already keeps its tags', async () => {
  const deployment = await create({ tags: [await addTag(house, owner, 'water')] })
  const { iccid } = await stockOf('plastic_sim')
  expect((await enrol(deployment.token, iccid)).status).toBe(201)
  expect((await owner.call(getAsset, { params: { asset_id: iccid } })).body.type).toBe('core')
  const { serial, iccid: own } = await stockOf('plastic_sim')
  await owner.call(registerAsset, { body: { token: serial, name: 'Mine' } })
  expect((await enrol(deployment.token, own)).status).toBe(201)
  expect((await owner.call(getAsset, { params: { asset_id: own } })).body).toMatchObject({ name: 'Mine', type: 'core', tags: [] })
})

test('a token that a limited member had made reaches no asset that they do not see', async () => {
  const mine = await addTag(house, owner, 'mine')
  const limited = await house.newMember(owner, ['core.edit', 'core.view', 'assets.register'], [mine])
  const deployment = await create({}, limited)
  const [seen, hidden] = [await stockOf(), await stockOf()]
  await owner.call(registerAsset, { body: { token: seen.serial, tags: [mine] } })
  await owner.call(registerAsset, { body: { token: hidden.serial } })
  expect((await enrol(deployment.token, seen.iccid)).status).toBe(201)
  expect(await enrol(deployment.token, hidden.iccid)).toMatchObject({ status: 400, code: 'iccid_not_yours' })
  // Nor one that its deployment enrolled with a token that reached more.
  const { token } = (await owner.call(ops.rotateToken, { ...on(deployment), body: { overlap_hours: 0 } })).body
  expect((await enrol(token, hidden.iccid)).status).toBe(201)
  const again = (await limited.call(ops.rotateToken, { ...on(deployment), body: { overlap_hours: 0 } })).body.token
  expect((await enrol(again, hidden.iccid)).code).toBe('iccid_not_yours')
  expect((await enrol(again, (await stockOf()).iccid)).status).toBe(201)
})

test('a token of somebody who may not register assets takes SIMs of the account and none from stock', async () => {
  const member = await house.newMember(owner, ['core.edit', 'core.view'])
  const deployment = await create({}, member)
  expect(deployment.registers).toBe(false)
  const [own, stock] = [await stockOf(), await stockOf()]
  await owner.call(registerAsset, { body: { token: own.serial } })
  expect((await enrol(deployment.token, own.iccid)).status).toBe(201)
  // What is in stock and what is not are answered alike.
  for (const iccid of [stock.iccid, '8944500000000000000'])
    expect(await enrol(deployment.token, iccid)).toMatchObject({ status: 400, code: 'core_token_registers_none' })
  expect((await list(deployment, { result: 'refused' }))[0]!.refusal!.words).toContain('may not register assets')
  // By a token of the owner's it does, and the member's next one does not again.
  const { token, registers } = (await owner.call(ops.rotateToken, { ...on(deployment), body: { overlap_hours: 0 } })).body
  expect(registers).toBe(true)
  expect((await enrol(token, stock.iccid)).status).toBe(201)
  const again = (await member.call(ops.rotateToken, { ...on(deployment), body: { overlap_hours: 0 } })).body.token
  expect((await enrol(again, (await stockOf()).iccid)).code).toBe('core_token_registers_none')
})

test('a device whose answer was lost gets the same again; one that asks a week later something new', async () => {
  const deployment = await create({ max_devices: 1 })
  const { iccid } = await stockOf()
  const first = await enrol(deployment.token, iccid)
  const again = await enrol(deployment.token, iccid)
  expect([again.status, again.device_token]).toEqual([200, first.device_token])
  // Many at once, as from a device that is started again and again.
  const many = await Promise.all(Array.from({ length: 8 }, () => enrol(deployment.token, iccid)))
  expect(new Set(many.map(({ device_token }) => device_token))).toEqual(new Set([first.device_token]))
  // Without its check digit it is the same SIM.
  expect((await enrol(deployment.token, iccid.slice(0, -1))).device_token).toBe(first.device_token)
  expect(await list(deployment)).toMatchObject([{ iccid, result: 'enrolled', asked: 11 }])
  later(8)
  const renewed = await enrol(deployment.token, iccid)
  expect(renewed.status).toBe(200)
  expect(renewed.device_token).not.toBe(first.device_token)
  expect((await enrol(deployment.token, iccid)).device_token).toBe(renewed.device_token)
  expect((await get(deployment)).enrolled).toBe(1)
  expect((await sentences()).filter((words) => words.includes('has a new device token'))).toHaveLength(1)
})

test('many at once are no more than it takes', async () => {
  const deployment = await create({ max_devices: 3 })
  const stock = await Promise.all(Array.from({ length: 6 }, () => stockOf()))
  const answers = await Promise.all(stock.map(({ iccid }) => enrol(deployment.token, iccid)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 201, 400, 400, 400])
  expect(answers.filter(({ status }) => status === 400).map(({ code }) => code)).toEqual(Array(3).fill('core_deployment_full'))
  expect(await get(deployment)).toMatchObject({ enrolled: 3, refused: 3, state: 'full' })
  const assets = await house.db.selectFrom('asset').select('id').where('account_id', '=', owner.account_id).execute()
  expect(assets).toHaveLength(3)
})

describe('a device is refused, with a reason that stands in the list', () => {
  const refused = async (deployment: { id: string; token: string }, iccid: string, code: string, token = deployment.token) => {
    const answer = await enrol(token, iccid)
    expect([answer.status, answer.code], answer.text).toEqual([400, code])
    expect(answer.message).toBe(answer.detail)
    const latest = (await list(deployment, { result: 'refused' })).find((one) => one.iccid === iccid)
    expect(latest).toMatchObject({ iccid, refusal: { code, words: answer.detail } })
  }

  test('by what became of the deployment', async () => {
    const deployment = await create({ expires_at: new Date(begun.getTime() + 86_400_000).toISOString() })
    const enrolled = (await stockOf()).iccid
    const { device_token } = await enrol(deployment.token, enrolled)
    const { iccid } = await stockOf()
    await owner.call(ops.pauseDeployment, on(deployment))
    await refused(deployment, iccid, 'core_deployment_paused')
    // One that has enrolled gets its answer all the same.
    expect((await enrol(deployment.token, enrolled)).device_token).toBe(device_token)
    await owner.call(ops.resumeDeployment, on(deployment))
    later(1)
    await refused(deployment, iccid, 'core_deployment_expired')
    await owner.call(ops.updateDeployment, { ...on(deployment), body: { expires_at: null } })
    const { token } = (await owner.call(ops.rotateToken, { ...on(deployment), body: { overlap_hours: 1 } })).body
    const { iccid: between } = await stockOf()
    expect((await enrol(deployment.token, between)).status).toBe(201)
    later(1)
    await refused(deployment, iccid, 'core_token_ended')
    expect((await enrol(token, iccid)).status).toBe(201)
    expect(await list(deployment, { result: 'refused' })).toEqual([])
    await owner.call(ops.revokeDeployment, on(deployment))
    await refused(deployment, enrolled, 'core_deployment_revoked', token)
    await sql`update account set suspended_at = now() where id = ${owner.account_id}`.execute(house.db)
    expect((await enrol(token, enrolled)).code).toBe('account_suspended')
  })

  test('by its SIM', async () => {
    const deployment = await create()
    await refused(deployment, '8944500000000000000', 'iccid_unknown')
    await refused(deployment, 'None', 'iccid_invalid')
    await refused(deployment, (await stockOf('alpon_x4')).iccid, 'asset_not_core')
    const other = await house.newOwner()
    const taken = await addAsset(house, other, { type: 'core' })
    await refused(deployment, taken.sim!.iccid, 'iccid_not_yours')
    const reserved = await addStock(house, { type: 'core', released_at: null as never })
    await refused(deployment, reserved.iccid!, 'iccid_reserved')
    const second = await create({ name: 'second' })
    const { iccid } = await stockOf()
    expect((await enrol(second.token, iccid)).status).toBe(201)
    await refused(deployment, iccid, 'iccid_already_bound')
    // What was begun is undone: nothing of what was refused is in the account.
    const assets = await house.db.selectFrom('asset').select('id').where('account_id', '=', owner.account_id).execute()
    expect(assets).toHaveLength(1)
    expect((await owner.call(ops.listEnrolments, { ...on(deployment), query: { search: '89445000000' } })).body.items).toHaveLength(1)
  })

  test('by who cut it off, until somebody gives it a new token', async () => {
    const deployment = await create()
    const { iccid } = await stockOf()
    await enrol(deployment.token, iccid)
    const device = await house.db.selectFrom('device').select('id').where('account_id', '=', owner.account_id).executeTakeFirstOrThrow()
    const cut = { account_id: owner.account_id, device_id: device.id, by: 'staff@example.test', at: begun }
    await house.db.transaction().execute((tx) => cutDevice(tx, cut))
    await refused(deployment, iccid, 'device_cut')
    later(8)
    await refused(deployment, iccid, 'device_cut')
    expect((await owner.call(giveCredentials, { params: { asset_id: iccid } })).status).toBe(200)
    expect((await enrol(deployment.token, iccid)).status).toBe(200)
  })

  test('each ICCID is one line, however often it asks, and there are no more than can be looked through', async () => {
    const deployment = await create()
    for (const _ of Array(3)) await enrol(deployment.token, '8944500000000000000')
    expect(await list(deployment)).toMatchObject([{ asked: 3, enrolled_at: null, asset: null }])
    await sql`insert into core_enrolment (account_id, deployment_id, iccid, refused_code, first_at, last_at)
      select ${owner.account_id}, ${deployment.id}, 'x' || n, 'iccid_invalid', ${begun}::timestamptz - interval '1 day', ${begun}::timestamptz - interval '1 day'
      from generate_series(1, 1200) n`.execute(house.db)
    await enrol(deployment.token, 'None')
    const { total } = (await owner.call(ops.listEnrolments, { ...on(deployment), query: {} })).body
    expect(total).toBe(1000)
    const { text } = await owner.call(ops.exportEnrolments, { ...on(deployment), query: { result: 'refused' } })
    const lines = text.trimEnd().split('\r\n')
    expect(lines[0]).toBe('iccid,result,refusal,words,asset_id,asset_name,enrolled_at,first_at,last_at,asked,ip')
    expect(lines[1]).toMatch(/^None,refused,iccid_invalid,This is no ICCID,,,,2/)
    expect(new Set(lines.slice(1)).size).toBe(1000)
    expect((await owner.call(ops.exportEnrolments, { ...on(deployment), query: { result: 'enrolled' } })).text.trimEnd()).toBe(lines[0])
  })

  test('what is no such request, or has no such token, is answered so', async () => {
    const deployment = await create()
    for (const body of ['', 'no JSON', '[]', '{"iccid":"89445"}', `{"deployment_token":"${deployment.token}","iccid":5}`])
      expect([(await post(body)).status, (await post(body)).code]).toEqual([400, 'invalid_request'])
    expect((await post('x'.repeat(5000))).status).toBe(413)
    expect([(await enrol('mhd_nowhere', '8944500000000000000')).status, (await enrol('x', '1')).code]).toEqual([400, 'core_token_unknown'])
    await owner.call(ops.deleteDeployment, on(deployment))
    expect((await enrol(deployment.token, '8944500000000000000')).code).toBe('core_token_unknown')
  })
})

test('it is answered whatever its content type says, by the names that devices call, and too many are asked to wait', async () => {
  const deployment = await create()
  const { iccid } = await stockOf()
  const body = JSON.stringify({ deployment_token: deployment.token, iccid, agent: 'a later one sends more' })
  for (const type of ['application/json', 'text/plain', 'application/x-www-form-urlencoded', 'application/octet-stream'])
    expect((await post(body, { 'Content-Type': type })).device_token, type).toBeDefined()
  expect((await post(body, { Host: `127.0.0.1:${address.port}` })).status).toBe(200)
  expect((await post(body, { Host: 'rebound.evil.test' })).status).toBe(421)
  await sql`update attempt set count = 100000`.execute(house.db)
  const limited = await post(body)
  expect([limited.status, limited.code]).toEqual([429, 'too_many_requests'])
})
