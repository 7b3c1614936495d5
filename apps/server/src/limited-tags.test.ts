import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deactivateSim, updateAsset } from '@masthead/contract/assets/operations'
import { getCustomer, listCustomerAssets } from '@masthead/contract/backoffice/account-operations'
import { usageMatched } from '@masthead/contract/backoffice/events'
import { getStaffAsset, holdSim, releaseSim } from '@masthead/contract/backoffice/home-operations'
import { assignStock, transferStock } from '@masthead/contract/backoffice/stock-operations'
import { addPoolAssets } from '@masthead/contract/datapools/operations'
import { createApiKey, createWebhook } from '@masthead/contract/developers/operations'
import { isWrite, type Operation } from '@masthead/contract/kernel/operation'
import { permissions } from '@masthead/contract/kernel/permission'
import { acknowledgeAlerts, setPreference } from '@masthead/contract/notifications/operations'
import { createTag, deleteTag } from '@masthead/contract/tags/operations'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { putTry } from './alpon-fleets/test-fleet.ts'
import { addEnforcement } from './assets/network/test-enforcement.ts'
import { addAsset, addSession, addStock } from './assets/test-stock.ts'
import { enterStaff } from './backoffice/test-backoffice.ts'
import { postAll, putPending, usageEntry } from './billing/ledger/test-ledger.ts'
import { systemActor } from './kernel/app.ts'
import { sendDue as sendMails } from './notifications/send-due.ts'
import { record } from './kernel/record.ts'
import { routes } from './routes.ts'
import { isStaffCall, newScene, samples, type Scene } from './test-samples.ts'
import { putSupport } from './terminal/support/test-support-rows.ts'
import { putTerminals } from './terminal/test-terminal-rows.ts'
import { putTunnel } from './terminal/tunnels/test-tunnel-rows.ts'
import { addUsage } from './usage/test-usage.ts'
import { sendDue } from './developers/webhooks/webhook-sender.ts'

// Whoever is limited to tags reads of no other asset, wherever one could be named: generated over every call that answers something.
const reads: Operation[] = routes.map(({ op }) => op).filter((op) => !isWrite(op) && op.access !== 'public' && !isStaffCall(op))

/** Words and numbers that stand nowhere but on assets that the member does not see. */
const foreign = ['zorblax', 'quuxser', '894999999777', '99988777', '48555777', '86999777', '8904977777']
let serials = 0
const stock = () => {
  const n = String(++serials).padStart(3, '0')
  const serial = `QUUXSER-${n}`
  return {
    serial,
    iccid: `8949999997770000${n}`,
    imsis: [`999887770000${n}`],
    msisdn: `48555777${n}`,
    imei: `869997770000${n}`,
    eid: `89049777770000000000000000000${n}`,
  }
}

let house: House
let scene: Scene
let owner: Person
let member: Person
let heard = ''
let stop: AbortController
/** What the addresses of calls can name: everything there is on the account. */
const named: Record<string, string[]> = {}

beforeAll(async () => {
  house = await openHouse({ config: { webhookPrivate: true } })
  scene = await newScene(house)
  owner = scene.owner
  const north = (await owner.call(createTag, { body: { name: 'their own' } })).body.id
  const south = (await owner.call(createTag, { body: { name: 'another' } })).body.id
  const mine = await addAsset(house, owner, { name: 'visible one', tags: [north] })
  member = await house.newMember(owner, Object.keys(permissions), [north])
  const url = 'http://127.0.0.1:9/x'
  for (const tags of [[], [north]]) await owner.call(createWebhook, { body: { name: 'all', url, events: ['*'], tags } })
  for (const person of [owner, member]) {
    const severities = ['info', 'warn', 'critical'] as const
    const body = {
      in_app: severities,
      mail: severities,
      webhook: severities,
      muted: [],
      quiet_from: null,
      quiet_to: null,
      timezone: 'UTC',
      urgent: false,
      cooldown_minutes: 0,
    }
    expect((await person.call(setPreference, { body: body as never })).status).toBe(200)
  }
  await listen()
  const theirs = await addAsset(house, owner, { name: 'Zorblax one', tags: [south], ...stock() })
  const pooled = { params: { pool_id: scene.pool_id }, body: { assets: [mine.id, theirs.id] } }
  expect((await owner.call(addPoolAssets, pooled)).status).toBe(200)
  await happenTo(theirs)
  await owner.call(deleteTag, { params: { tag_id: south } })
  // The alert whose name they must not read is acknowledged by name.
  await house.settle()
  const alerts = await house.db.selectFrom('alert').select(['id', 'title']).where('account_id', '=', owner.account_id).execute()
  expect(JSON.stringify(alerts)).toMatch(/Zorblax/)
  for (const { id } of alerts) await owner.call(acknowledgeAlerts, { body: { alert_ids: [id] } })
  await house.settle()
  await sendDue(house.app)
  await addSession(house, mine, owner.account_id)
  await addSession(house, theirs, owner.account_id)
  const hour = `${new Date(house.clock.now().getTime() - 86_400_000).toISOString().slice(0, 13)}:00:00Z`
  await addUsage(house, owner, [
    { sim_id: theirs.sim!.id, hour, up: 5e9, down: 1e6 },
    { sim_id: mine.sim!.id, hour, up: 1e3, down: 1e3 },
  ])
  await owner.call(createApiKey, { body: { name: 'theirs', scopes: ['assets.view'], tags: [north] } })
  const all = async (table: 'event' | 'alert' | 'webhook' | 'webhook_delivery' | 'api_key') =>
    (await house.db.selectFrom(table).select('id').where('account_id', '=', owner.account_id).execute()).map(({ id }) => id)
  named.activity_id = await all('event')
  named.alert_id = await all('alert')
  named.webhook_id = await all('webhook')
  named.delivery_id = await all('webhook_delivery')
  named.api_key_id = await all('api_key')
  named.enforcement_id = [await addEnforcement(house, owner.account_id, theirs.id), await addEnforcement(house, owner.account_id, mine.id)]
  for (const { id: asset_id } of [theirs, mine]) await putTerminals(house, owner, { asset_id, device_id: 'dev_any' })
  named.terminal_id = (await house.db.selectFrom('terminal_session').select('id').execute()).map(({ id }) => id)
  for (const { id: asset_id } of [theirs, mine]) await putSupport(house, { account_id: owner.account_id, asset_id }, scene.colleague)
  named.support_id = (await house.db.selectFrom('support_access').select('id').execute()).map(({ id }) => id)
  for (const { id: asset_id } of [theirs, mine]) await putTunnel(house, owner, { asset_id, device_id: 'dev_any' })
  named.tunnel_id = (await house.db.selectFrom('tunnel').select('id').execute()).map(({ id }) => id)
  for (const { id, name } of [theirs, mine]) await putTry(house, { ...owner, ...scene.fleet, asset_id: id, words: `${name} ends at once` })
  const entries = [theirs, mine].map(({ id: asset_id }) => usageEntry(house, { ...owner, tariff_id: scene.prices.tariff_id, asset_id }))
  named.transaction_id = (await postAll(house, entries)).map(({ id }) => id)
  named.pending_id = []
  for (const { id: asset_id } of [theirs, mine])
    named.pending_id.push(await putPending(house, { ...owner, tariff_id: scene.prices.tariff_id, asset_id }))
  named.asset_id = [theirs.id, theirs.serial, theirs.sim!.iccid, mine.id]
}, 120_000)
afterAll(async () => {
  stop?.abort()
  await house[Symbol.asyncDispose]()
})

/** The member's console is open all the while. */
async function listen() {
  stop = new AbortController()
  const address = await house.server.listen({ host: '127.0.0.1', port: 0 })
  const answer = await fetch(`${address}/v1/live`, { headers: { cookie: member.cookie }, signal: stop.signal })
  void (async () => {
    for await (const piece of answer.body!.pipeThrough(new TextDecoderStream())) heard += piece
  })().catch(() => {})
}

/** Everything that people, staff and the network do to an asset, as far as it is reported. */
async function happenTo(theirs: Awaited<ReturnType<typeof addAsset>>) {
  const params = { asset_id: theirs.id }
  expect((await owner.call(updateAsset, { params, body: { name: 'Zorblax two' } })).status).toBe(200)
  expect((await owner.call(deactivateSim, { params })).status).toBe(200)
  const staff = await enterStaff(house)
  const any = { any_asset_id: theirs.id }
  const done: { status: number; text: string }[] = [
    await staff.call(getCustomer, { params: { email: owner.email } }),
    await staff.call(listCustomerAssets, { params: { email: owner.email } }),
    await staff.call(getStaffAsset, { params: any }),
    await staff.call(holdSim, { params: any, body: { reason: 'A test' } }),
  ]
  await house.settle()
  done.push(await staff.call(releaseSim, { params: any, body: { reason: 'A test' } }))
  const given = [stock(), stock(), stock()]
  for (const each of given) await addStock(house, each)
  const body = { account: owner.email, reason: 'A test' }
  const [one, ...more] = given.map(({ serial }) => serial)
  done.push(await staff.call(assignStock, { body: { ...body, serials: [one!] } }))
  done.push(await staff.call(assignStock, { body: { ...body, serials: more } }))
  const taken = await addAsset(house, owner, { name: 'Zorblax three', ...stock() })
  done.push(await staff.call(transferStock, { params: { serial: taken.serial }, body: { reason: 'A test' } }))
  expect(done.map(({ status, text }) => [status, text])).toEqual(done.map(({ text }) => [200, text]))
  const actor = { ...systemActor(owner.account_id, house.clock.now()), kind: 'staff' as const, email: staff.email }
  const counted = { identity: '999887770000001', sessions: 1, bytes: 1, imsi_added: false, reason: 'A test' }
  await house.db.transaction().execute((tx) => record(tx, actor, usageMatched, { asset_id: null, asset_name: 'Zorblax four', ...counted }))
}

/** Changes of many assets, and reports, are seen by who asked for them, an export of everything by the owner of the account. */
const ofOnesOwn = new Set([
  'assets.getBulkChange',
  'assets.listLeftAssets',
  'assets.exportBulkResults',
  'account.getExportLines',
  'reports.getReport',
  'reports.exportReport',
  // Deployments are seen by who made them, lines of a log by who asked for them, those of one that is followed where its container is.
  'core.getDeployment',
  'core.listEnrolments',
  'core.exportEnrolments',
  'devices.getLogs',
  'devices.getFollowedLogs',
  // An agent is where a device was enrolled; of another asset nothing is found. The same of what a device says of itself.
  'devices.getAgent',
  'devices.getDeviceStatus',
  'devices.getMeasurements',
  'devices.getModem',
  'devices.getNetworkPriority',
  'devices.getEsim',
  'devices.getContainerProgress',
  'devices.getEsimProgress',
  'terminal.getDeviceAccessCode',
])

const paramsOf = (op: Operation) => [...op.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
const found = (text: string) => foreign.filter((word) => text.toLowerCase().includes(word))

/** Every address of a call on the account. */
function addresses(op: Operation): Record<string, string>[] {
  const sample = (samples[op.name]?.(scene).params ?? {}) as Record<string, string>
  return paramsOf(op).reduce<Record<string, string>[]>(
    (known, name) => known.flatMap((params) => (named[name] ?? [sample[name] ?? 'x']).map((value) => ({ ...params, [name]: value }))),
    [{}]
  )
}

describe('a member limited to tags reads of no other asset', () => {
  test('and there is much to read of it for who may', async () => {
    const whole = await Promise.all(
      reads.filter((op) => paramsOf(op).length === 0).map((op) => owner.call(op, { query: samples[op.name]?.(scene).query } as never))
    )
    expect(found(whole.map(({ text }) => text).join()).toSorted()).toEqual(foreign.toSorted())
  })

  test.each(reads.map((op) => [op.name, op] as const))('%s', async (_, op) => {
    const query = samples[op.name]?.(scene).query ?? {}
    let answered = 0
    for (const params of addresses(op)) {
      const more =
        paramsOf(op).length > 0
          ? [{}]
          : [{}, { search: 'zorblax' }, { search: 'QUUXSER' }, { asset_id: named.asset_id![0] }, { group: 'sim' }, { page_size: '100' }]
      for (const each of more) {
        const answer = await member.call(op, { params, query: { ...query, ...each } } as never)
        if (answer.status === 200) answered++
        // What they asked with may be said back.
        const asked = JSON.stringify([params, each]).toLowerCase()
        expect([params, each, found(answer.text).filter((word) => !asked.includes(word))]).toEqual([params, each, []])
      }
    }
    // A call that refuses everything would prove nothing.
    if (!ofOnesOwn.has(op.name)) expect(answered, 'answers').toBeGreaterThan(0)
  })

  test('nor hears of it live, nor by mail', async () => {
    await expect.poll(() => heard).toMatch(/event: (assets|backoffice)\./)
    expect(found(heard)).toEqual([])
    house.clock.advance({ minutes: 5 })
    await house.settle()
    await sendMails(house.app)
    const mails = await house.mails(member.email)
    expect(mails.length).toBeGreaterThan(0)
    expect(found(JSON.stringify(mails))).toEqual([])
  })
})
