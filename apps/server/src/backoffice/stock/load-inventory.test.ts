import { luhnDigit } from '@masthead/contract/assets/iccid'
import { getAsset, listAssets, registerAsset } from '@masthead/contract/assets/operations'
import { loadInventory as loadInventoryOp } from '@masthead/contract/backoffice/operations'
import { openHouse, type House } from '@masthead/testkit/house'
import { sql } from 'kysely'
import { setImmediate as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { enter, newScene } from '../../test-samples.ts'
import { loadInventory } from './load-inventory.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

let made = 0
/** A line of its own: type, serial number, ICCID, IMSI, MSISDN. */
function newLine(changes: Partial<Record<'type' | 'serial' | 'iccid' | 'imsi' | 'msisdn', string>> = {}) {
  const number = String(++made).padStart(7, '0')
  const values = {
    type: 'alpon_x4',
    serial: `LD-${number}`,
    iccid: `8944500077${number}12`,
    imsi: `26203100${number}`,
    msisdn: `4916${number}`,
    ...changes,
  }
  return { ...values, text: [values.type, values.serial, values.iccid, values.imsi, values.msisdn].join(',') }
}
const fileOf = (lines: { text: string }[]) => `type,serial,iccid,imsi,msisdn\n${lines.map((line) => line.text).join('\n')}\n`
async function* streamed(text: string) {
  yield text
}
const load = (lines: { text: string }[], options?: Parameters<typeof loadInventory>[3]) =>
  loadInventory(house.app, 'command', streamed(fileOf(lines)), options)
const inStock = (serial: string) => house.db.selectFrom('inventory').selectAll().where('serial', '=', serial).executeTakeFirst()

test('stock is loaded, and loading it again changes nothing', async () => {
  const lines = [
    newLine(),
    newLine({ imsi: '262030000000001;262030000000002' }),
    newLine({ type: 'core', iccid: '', imsi: '', msisdn: '' }),
  ]
  expect(await load(lines)).toEqual({ rows: 3, loaded: 3, unchanged: 0, failed: 0, errors: [] })
  const before = await inStock(lines[1]!.serial)
  expect(before).toMatchObject({
    type: 'alpon_x4',
    iccid: lines[1]!.iccid,
    imsis: ['262030000000001', '262030000000002'],
    account_id: null,
    asset_id: null,
  })
  expect(await load(lines)).toEqual({ rows: 3, loaded: 0, unchanged: 3, failed: 0, errors: [] })
  expect(await inStock(lines[1]!.serial)).toEqual(before)
  const ada = await house.newOwner()
  expect(await ada.call(registerAsset, { body: { token: lines[1]!.serial } })).toMatchObject({
    status: 200,
    body: { sim: { imsis: ['262030000000001', '262030000000002'] } },
  })
  // Registered now, but the same stock.
  expect(await load(lines)).toMatchObject({ unchanged: 3, failed: 0 })
})

test('what contradicts the stock is reported by line, and the rest is loaded', async () => {
  const [a, b] = [newLine(), newLine()]
  await load([a, b])
  const luhn = luhnDigit(a.iccid)
  const report = await load([
    newLine(),
    newLine({ serial: a.serial.toLowerCase() }),
    newLine({ iccid: a.iccid }),
    newLine({ iccid: a.iccid + luhn }),
    newLine({ imsi: `999999999999999;${b.imsi}` }),
    newLine({ msisdn: b.msisdn }),
    newLine({ type: 'toaster' }),
    { text: [a.type, a.serial.toLowerCase(), a.iccid, a.imsi, a.msisdn].join(',') },
    newLine(),
  ])
  expect(report).toEqual({
    rows: 9,
    loaded: 2,
    unchanged: 1,
    failed: 6,
    errors: [
      { line: 3, words: `Serial number ${a.serial} is there already, with another ICCID, IMSI, MSISDN` },
      { line: 4, words: `ICCID ${a.iccid} belongs to serial number ${a.serial}` },
      { line: 5, words: `ICCID ${a.iccid}${luhn} belongs to serial number ${a.serial}` },
      { line: 6, words: `IMSI ${b.imsi} belongs to serial number ${b.serial}` },
      { line: 7, words: `MSISDN ${b.msisdn} belongs to serial number ${b.serial}` },
      { line: 8, words: expect.stringMatching(/^"toaster" is not a type: picolte, /) },
    ],
  })
})

test('so is what contradicts an earlier line of the file', async () => {
  const first = newLine()
  const report = await load([first, first, newLine({ serial: first.serial }), newLine({ imsi: first.imsi })])
  expect(report).toMatchObject({ loaded: 1, unchanged: 1, failed: 2 })
  expect(report.errors.map((error) => error.line)).toEqual([4, 5])
})

test('with an account, the stock is registered to it at once', async () => {
  const ada = await house.newOwner()
  const lines = [
    newLine(),
    newLine({ type: 'core', iccid: '', imsi: '', msisdn: '' }),
    newLine({ imsi: '262030000000011;262030000000012' }),
  ]
  await load([lines[0]!])
  expect(await load(lines, { account: ada.email.toUpperCase() })).toMatchObject({ loaded: 3, failed: 0 })
  const { body } = await ada.call(listAssets, { query: { sort: '-name' } })
  expect(body).toMatchObject({ total: 3 })
  expect((await ada.call(listAssets, { query: { search: '262030000000012' } })).body.items).toMatchObject([
    {
      serial: lines[2]!.serial,
      name: `ALPON X4 ${lines[2]!.serial.slice(-6)}`,
      sim: { state: 'ready', iccid: lines[2]!.iccid, imsis: ['262030000000011', '262030000000012'] },
    },
  ])
  expect(await house.events(ada.account_id)).toEqual([
    { name: 'backoffice.inventory_loaded', actor_email: 'system', detail: { loaded: 3, failed: 0, account: ada.email } },
  ])
  expect(await load(lines, { account: ada.email })).toMatchObject({ loaded: 0, unchanged: 3 })
  const bob = await house.newOwner()
  expect((await load([lines[0]!, newLine()], { account: bob.email })).errors).toEqual([
    { line: 2, words: `Serial number ${lines[0]!.serial} belongs to another account` },
  ])
  expect(await bob.call(registerAsset, { body: { token: lines[0]!.serial } })).toMatchObject({ status: 409, body: { code: 'asset_taken' } })
})

test('after a load into an account the planner knows how many there are, also where its figures were of before', async () => {
  const [other, ada] = [await house.newOwner(), await house.newOwner()]
  await load(
    Array.from({ length: 3 }, () => newLine()),
    { account: other.email }
  )
  await sql`analyze`.execute(house.db)
  await load(
    Array.from({ length: 600 }, () => newLine()),
    { account: ada.email }
  )
  for (const table of ['asset', 'sim']) {
    const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>`explain (format json)
      select from ${sql.table(table)} where account_id = ${ada.account_id}`.execute(house.db)
    expect(rows[0]!['QUERY PLAN'][0].Plan['Plan Rows'], table).toBe(600)
  }
})

test('the triggers and the load agree on what an asset is found by', async () => {
  const ada = await house.newOwner()
  const lines = [newLine({ imsi: '262030000000021;262030000000022' }), newLine({ imsi: '', msisdn: '' }), newLine()]
  await load(lines, { account: ada.email, active: true })
  const rows = () =>
    house.db
      .selectFrom('asset')
      .select(['id', 'sim_id', 'sim_status', 'sim_search'])
      .where('account_id', '=', ada.account_id)
      .orderBy('id')
      .execute()
  const loaded = await rows()
  await house.db
    .updateTable('sim')
    .set((eb) => ({ msisdn: eb.ref('msisdn') }))
    .where('account_id', '=', ada.account_id)
    .execute()
  expect(await rows()).toEqual(loaded)
  expect(loaded.every((row) => row.sim_id && row.sim_status === 'active')).toBe(true)
  expect((await ada.call(getAsset, { params: { asset_id: lines[0]!.iccid } })).body.sim).toMatchObject({
    state: 'active',
    activated_at: house.clock.now().toISOString(),
  })
})

test('many rows: chunk by chunk, bad ones counted, the first thousand reported', async () => {
  const lines = Array.from({ length: 12_000 }, (_, i) => (i % 8 === 0 ? newLine({ msisdn: 'x' }) : newLine()))
  const report = await load(lines)
  expect(report).toMatchObject({ rows: 12_000, loaded: 10_500, unchanged: 0, failed: 1500 })
  expect(report.errors).toHaveLength(1000)
  expect(report.errors.map((error) => error.line)).toEqual(Array.from({ length: 1000 }, (_, i) => i * 8 + 2))
  expect(await load(lines)).toMatchObject({ loaded: 0, unchanged: 10_500, failed: 1500 })
})

test('a number that is in use outside of the stock costs its own line only', async () => {
  const ada = await house.newOwner()
  const lines = Array.from({ length: 9 }, () => newLine())
  await house.db
    .insertInto('asset')
    .values({
      account_id: ada.account_id,
      id: 'ast_made',
      type: 'core',
      serial: lines[4]!.serial,
      name: 'x',
      sim_id: null,
      sim_status: null,
    })
    .execute()
  expect(await load(lines, { account: ada.email })).toEqual({
    rows: 9,
    loaded: 8,
    unchanged: 0,
    failed: 1,
    errors: [{ line: 6, words: 'A number of this line is in use already' }],
  })
  expect(await inStock(lines[4]!.serial)).toBeUndefined()
  expect(await inStock(lines[5]!.serial)).toMatchObject({ account_id: ada.account_id })
})

test('two loads of the same file and people who register from it: each piece is there once, and somebody’s once', async () => {
  const [ada, bob] = [await house.newOwner(), await house.newOwner()]
  const lines = Array.from({ length: 300 }, () => newLine())
  await load(lines)
  const [first, second, ...registered] = await Promise.all([
    load(lines, { account: ada.email }),
    load(lines, { account: ada.email }),
    ...lines.slice(0, 40).map((line) => bob.call(registerAsset, { body: { token: line.serial } })),
  ])
  const bobs = registered.filter((answer) => answer.status === 200).length
  expect(registered.every(({ status, body }) => status === 200 || body.code === 'asset_taken')).toBe(true)
  expect(first.loaded + second.loaded).toBe(300 - bobs)
  expect((await ada.call(listAssets)).body.total).toBe(300 - bobs)
  expect((await bob.call(listAssets)).body.total).toBe(bobs)
})

test('what was loaded before the file broke off stays, and is reported', async () => {
  const ada = await house.newOwner()
  const lines = Array.from({ length: 5001 }, () => newLine())
  async function* broken() {
    yield fileOf(lines)
    throw new Error('cable pulled')
  }
  await expect(loadInventory(house.app, 'command', broken(), { account: ada.email })).rejects.toThrow('cable pulled')
  expect((await ada.call(listAssets)).body.total).toBe(5000)
  expect(await house.events(ada.account_id)).toMatchObject([{ name: 'backoffice.inventory_loaded', detail: { loaded: 5000 } }])
})

test('the next rows are read while a chunk is written', async () => {
  const asked = Promise.withResolvers<void>()
  async function* file() {
    yield fileOf(Array.from({ length: 5001 }, () => newLine()))
    asked.resolve()
  }
  let loading: ReturnType<typeof loadInventory>
  await house.db.transaction().execute(async (tx) => {
    // As another load does while it writes.
    await sql`select pg_advisory_xact_lock(hashtext('masthead.inventory'))`.execute(tx)
    loading = loadInventory(house.app, 'command', file())
    await asked.promise
  })
  expect(await loading!).toMatchObject({ rows: 5001, loaded: 5001 })
})

test('a chunk that cannot be written ends the load, also where the file is slow', async () => {
  const full = () => {
    throw new Error('disk full')
  }
  let read = 0
  async function* file() {
    yield fileOf(Array.from({ length: 5001 }, () => newLine()))
    await pause() // a failure that nobody waits for would end the process here
    for (; read < 9; read++) yield `${Array.from({ length: 5000 }, () => newLine().text).join('\n')}\n`
  }
  const app = { ...house.app, db: { transaction: full } as never }
  await expect(loadInventory(app, 'command', file())).rejects.toThrow('disk full')
  expect(read).toBe(0)
})

test('over the API: staff with a token, a file of any size, wrong questions refused', async () => {
  const { owner } = await newScene(house)
  const headers = { 'x-backoffice-token': await enter(house, owner, ['backoffice']) }
  const call = (body: string, query: Record<string, string> = {}) => owner.call(loadInventoryOp, { body, query } as never, headers)
  const lines = Array.from({ length: 30_000 }, (_, i) => (i < 3 ? newLine() : { text: 'core,bad serial number with some length to it,,,' }))
  const big = fileOf(lines)
  expect(big.length).toBeGreaterThan(1_100_000)
  expect(await call(big)).toMatchObject({ status: 200, body: { rows: 30_000, loaded: 3, failed: 29_997 } })
  const loads = (await house.events(owner.account_id)).filter(({ name }) => name === 'backoffice.inventory_loaded')
  expect(loads).toMatchObject([{ actor_email: owner.email, detail: { loaded: 3, account: null } }])
  const one = fileOf([newLine()])
  for (const [body, query, field] of [
    [one, { active: 'true' }, 'active'],
    [one, { account: 'nobody@example.test' }, 'account'],
    [one, { active: 'yes' }, 'active'],
  ] as const) {
    expect(await call(body, query)).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', fields: { [field]: expect.any(String) } },
    })
  }
  for (const body of ['', 'a,b\n1,2\n']) expect(await call(body)).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
})
