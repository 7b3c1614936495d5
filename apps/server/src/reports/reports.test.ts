import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { createApiKey } from '@masthead/contract/developers/operations'
import * as ops from '@masthead/contract/reports/operations'
import { getAsset } from '@masthead/contract/assets/operations'
import { addSession } from '../assets/test-stock.ts'
import { addAsset, addTag, addUsage } from '../usage/test-usage.ts'
import { inScene, type Scene } from './test-report.ts'
import { openBilling } from '../billing/ledger/test-ledger.ts'
import { putTariff } from '../billing/tariffs/test-tariffs.ts'

let { house, owner, north, pump, meter } = {} as Scene
const { makeAll, ask, get, download, rowsOf, made, grant } = inScene((scene) => ({ house, owner, north, pump, meter } = scene))
const today = () => house.clock.now().toISOString().slice(0, 10)
const hour = () => `${house.clock.now().toISOString().slice(0, 13)}:00:00Z`
const names = (rows: Record<string, string>[]) => rows.map((row) => row.asset_name ?? row.name).toSorted()
describe('what is in them', () => {
  test('usage per SIM: what each used in the days asked for, in bytes', async () => {
    await addUsage(house, owner, [
      { sim_id: pump.sim_id, hour: hour(), up: 100, down: 50 },
      { sim_id: pump.sim_id, hour: '2026-01-15T10:00:00Z', up: 7, down: 0 },
    ])
    const { report, rows, file } = await made(owner, { kind: 'usage', start: today(), end: today() })
    expect(report).toMatchObject({ state: 'complete', rows: 2, share: 1, name: 'Usage per SIM', timezone: 'UTC', bytes: file.text.length })
    expect(Object.fromEntries(rows.map((row) => [row.iccid, row.bytes]))).toEqual({ [pump.iccid]: '150', [meter.iccid]: '0' })
    // A name that a spreadsheet would take for a formula.
    expect(names(rows)).toEqual(["'=pump", 'meter'])
    expect(file.headers['content-disposition']).toContain(`filename="usage-per-sim-${today()}.csv"`)
    expect(file.headers['content-type']).toBe('text/csv; charset=utf-8')
    const of = await made(owner, { kind: 'usage', start: '2026-01-15', end: '2026-01-15', timezone: 'Pacific/Kiritimati' })
    // Ten in the morning in UTC is the 16th there.
    expect(of.rows.every((row) => row.bytes === '0')).toBe(true)
  })

  test('inventory, sessions, activities and silent SIMs', async () => {
    const asset = (await owner.call(getAsset, { params: { asset_id: pump.asset_id } })).body
    await addSession(house, asset, owner.account_id, { ip: '10.1.2.3' })
    await addUsage(house, owner, [{ sim_id: pump.sim_id, hour: hour(), up: 1, down: 1 }])
    const inventory = await made(owner, { kind: 'inventory' })
    expect(names(inventory.rows)).toEqual(["'=pump", 'meter'])
    expect(inventory.report).toMatchObject({ start: null, end: null })
    expect((await made(owner, { kind: 'sessions' })).rows).toMatchObject([{ asset_name: "'=pump", ip: '10.1.2.3', ended_at: '' }])
    expect(names((await made(owner, { kind: 'silent', start: today(), end: today() })).rows)).toEqual(['meter'])
    const { rows } = await made(owner, { kind: 'activities' })
    expect(rows.map((row) => row.action)).toContain('report_requested')
  })

  test('cost detail: a line for each charge with its records, price list and formula, and for each fee', async () => {
    const { account_id } = owner
    const tariff_id = await putTariff(house, { effective_from: '2026-01-01', block_bytes: 1024, kb: 1024, rounding_scope: 'session' })
    await openBilling(house, account_id)
    const at = house.clock.now().toISOString()
    const charge = (sim_id: string, day: string, bytes: number) =>
      sql`insert into charge (account_id, sim_id, day, tariff_id, number, from_day, zone_id, source, mccmnc,
        is_late, price_micros, bytes, billed_bytes, charged_micros, used_from, used_to, records)
      values (${account_id}, ${sim_id}, ${day}, ${tariff_id}, 1, '2026-01-01', 'EU1', 'payg', '262-01', false, 100000, ${bytes}, 3072, 293, ${at}, ${at}, ${day === today() ? 2 : null})`.execute(
        house.db
      )
    await charge(pump.sim_id, today(), 2100)
    await charge(meter.sim_id, '2026-01-15', 2100)
    await sql`insert into sim_fee values (${account_id}, ${`${today().slice(0, 7)}-01`}, 'sim_active', ${meter.sim_id}, 2000000, ${at})`.execute(
      house.db
    )
    const { rows } = await made(owner, { kind: 'costs', start: today(), end: today() })
    const data = rows.find(({ kind }) => kind === 'Data')
    expect(data).toMatchObject({
      iccid: pump.iccid,
      version: '1',
      zone: 'EU1',
      bytes: '2100',
      billed_bytes: '3072',
      amount_micros: '293',
      currency: 'USD',
    })
    expect(data).toMatchObject({ formula: '3072 bytes x 100000 micros / 1024^2, each session rounded up to 1024 bytes' })
    expect(rows.map(({ kind, iccid, records }) => [kind, iccid, records]).toSorted()).toEqual([
      ['Active SIM', meter.iccid, ''],
      ['Data', pump.iccid, '2'],
    ])
    expect(
      (await made(owner, { kind: 'costs', start: '2026-01-15', end: '2026-01-15' })).rows.map(({ iccid, records }) => [iccid, records])
    ).toEqual([[meter.iccid, '']])
    expect((await made(owner, { kind: 'costs', start: today(), end: today(), tags: ['north'] })).rows.map(({ kind }) => kind)).toEqual([
      'Data',
    ])
  })

  test('filters: a tag, a group, a line of the list of assets', async () => {
    expect(names((await made(owner, { kind: 'inventory', tags: ['NORTH'] })).rows)).toEqual(["'=pump"])
    expect(names((await made(owner, { kind: 'inventory', q: 'meter' })).rows)).toEqual(['meter'])
    const { report } = await made(owner, { kind: 'usage', network_groups: ['default'], tags: [north] })
    expect(report).toMatchObject({
      rows: 1,
      filter: { tags: [{ id: north, name: 'north' }], network_groups: [{ id: 'default' }], q: null },
    })
  })

  test('usage of SIMs that were removed comes at the end, so that sums are whole', async () => {
    await addUsage(house, owner, [{ sim_id: meter.sim_id, hour: `${today()}T00:00:00Z`, up: 9, down: 0 }])
    await sql`insert into usage_day (account_id, sim_id, day, mccmnc, rat, bytes_up, bytes_down) values (${owner.account_id}, 'sim_gone', ${today()}, '262-01', 'LTE', 4, 0)`.execute(
      house.db
    )
    const start = new Date(house.clock.now().getTime() - 86_400_000).toISOString().slice(0, 10)
    const { rows } = await made(owner, { kind: 'usage', start, end: today() })
    expect(rows.at(-1)).toMatchObject({ asset_name: 'Removed SIM', iccid: '', bytes: '4' })
    expect(names((await made(owner, { kind: 'usage', start, end: today(), tags: ['north'] })).rows)).toEqual(["'=pump"])
  })

  test('JSON and XLSX', async () => {
    const json = await ask(owner, { kind: 'inventory', format: 'json' })
    const xlsx = await ask(owner, { kind: 'inventory', format: 'xlsx', name: 'All "of" it' })
    await makeAll()
    expect(JSON.parse((await download(owner, json)).text)).toMatchObject([{ name: '=pump' }, { name: 'meter' }])
    const file = await download(owner, xlsx)
    expect(file.headers['content-type']).toBe('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet')
    expect(file.headers['content-disposition']).toMatch(/filename="all-of-it-[\d-]+\.xlsx"/)
    expect(file.text.slice(0, 2)).toBe('PK')
  })
})

describe('who gets them', () => {
  const member = (permissions: string[], tags: string[] = []) =>
    house.newMember(owner, ['reports.view', 'reports.edit', ...permissions], tags)

  test('a member limited to tags gets the rows that they see, by the tags they have when it is made', async () => {
    const mia = await member(['assets.view', 'usage.view'], [north])
    expect(names((await made(mia, { kind: 'usage' })).rows)).toEqual(["'=pump"])
    const report = await ask(mia, { kind: 'inventory' })
    const south = await addTag(house, owner, 'south')
    await addAsset(house, owner, { name: 'southern', tags: [south] })
    await grant(mia, ['reports.view', 'reports.edit', 'assets.view'], [south])
    await makeAll()
    expect(names(rowsOf((await download(mia, report)).text))).toEqual(['southern'])
  })

  test('each kind asks for what its screens ask for', async () => {
    const mia = await member(['assets.view'])
    const answer = await mia.call(ops.requestReport, { body: { kind: 'usage' } })
    expect(answer.status).toBe(403)
    expect(answer.body.detail).toBe('A report of the kind Usage per SIM also needs the permission to see data usage and cost summaries')
    const report = await ask(mia, { kind: 'inventory' })
    await makeAll()
    await grant(mia, ['reports.view', 'reports.edit'])
    expect((await download(mia, report)).status).toBe(403)
    await ask(owner, { kind: 'activities' })
    // What was asked for before the right was lost is not made after it.
    const lost = await ask(owner, { kind: 'inventory' })
    await house.db
      .updateTable('report')
      .set({ maker: sql`maker || ${JSON.stringify({ person_id: 'usr_gone', email: 'gone@example.test' })}::jsonb` })
      .where('id', '=', lost.id)
      .execute()
    await makeAll()
    expect(await get(owner, lost)).toMatchObject({ state: 'failed', failure: 'gone@example.test left the team', bytes: null })
  })

  test('who is limited to tags finds none of others, and another account none at all', async () => {
    const [mia, other] = [await member(['assets.view'], [north]), await house.newOwner()]
    const { report } = await made(owner, { kind: 'inventory' })
    for (const person of [mia, other]) {
      expect((await person.call(ops.listReports)).body.items).toEqual([])
      const params = { report_id: report.id }
      for (const op of [ops.getReport, ops.exportReport, ops.cancelReport, ops.retryReport, ops.deleteReport])
        expect((await person.call(op, { params } as never)).status, op.name).toBe(404)
    }
    expect((await made(mia, { kind: 'inventory' })).report.requested_by).toBe(mia.email)
    expect((await owner.call(ops.listReports)).body.items.map((one) => one.requested_by)).toEqual([mia.email, owner.email])
  })

  test('who is limited to tags since finds none that was made with more tags', async () => {
    const mia = await member(['assets.view'])
    const { report } = await made(mia, { kind: 'inventory' })
    await grant(mia, ['reports.view', 'reports.edit', 'assets.view'], [north])
    expect((await download(mia, report)).status).toBe(404)
    expect((await mia.call(ops.listReports)).body.total).toBe(0)
  })

  test('an API key makes them with its scopes and its tags', async () => {
    const body = { name: 'nightly', scopes: ['reports.view', 'reports.edit', 'assets.view'], tags: [north] }
    const { secret } = (await owner.call(createApiKey, { body } as never)).body as unknown as { secret: string }
    const key = { 'x-api-key': secret }
    expect((await house.anyone.call(ops.requestReport, { body: { kind: 'usage' } }, key)).status).toBe(403)
    const report = (await house.anyone.call(ops.requestReport, { body: { kind: 'inventory' } }, key)).body
    await makeAll()
    const file = await house.anyone.call(ops.exportReport, { params: { report_id: report.id } }, key)
    expect(names(rowsOf(file.text))).toEqual(["'=pump"])
    // What its maker asked for with more tags is not the key's.
    const { report: wide } = await made(owner, { kind: 'inventory' })
    expect((await house.anyone.call(ops.exportReport, { params: { report_id: wide.id } }, key)).status).toBe(404)
  })

  test('a mailed link works without a session, until it ends or its maker lost the right', async () => {
    const mia = await member(['assets.view'])
    const to = `finance-${mia.email}`
    const { file } = await made(mia, { kind: 'inventory', recipients: [to.toUpperCase(), to] })
    const mails = await house.mails(to)
    expect(mails).toHaveLength(1)
    const [, link = ''] = /\/v1\/report-links\/([\w-]{43})\s/.exec(mails[0]!.text) ?? []
    const open = (one = link) => house.anyone.call(ops.exportShared, { params: { link: one } })
    const shared = await open()
    expect(shared.text).toBe(file.text)
    expect((await house.events(owner.account_id)).at(-1)).toMatchObject({
      name: 'reports.report_downloaded',
      actor_email: 'system',
      detail: { to_email: to },
    })
    expect((await open(`${link}x`)).status).toBe(404)
    await grant(mia, ['reports.view', 'reports.edit'])
    expect((await open()).text).toContain('This link does not work any more')
    await grant(mia, ['reports.edit', 'assets.view'])
    expect((await open()).status).toBe(200)
    await grant(mia, ['reports.edit', 'assets.view'], [north])
    expect((await open()).status).toBe(404)
  })
})
