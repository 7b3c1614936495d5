import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeAccount, getExportLines, getClosing, reopenAccount, startExport } from '@masthead/contract/account/closing-operations'
import { getAccount } from '@masthead/contract/account/operations'
import { getChain, listActivities } from '@masthead/contract/activities/operations'
import { listAssets, registerAsset } from '@masthead/contract/assets/operations'
import { login } from '@masthead/contract/auth/sign-in-operations'
import { getCustomer, resumeAccount } from '@masthead/contract/backoffice/account-operations'
import { createApiKey, createWebhook } from '@masthead/contract/developers/operations'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { chainEvents } from '../../activities/chain-events.ts'
import { verifyActivities } from '../../activities/verify-activities.ts'
import { hashPassword } from '../../auth/index.ts'
import { addStock, enterStaff } from '../../backoffice/test-backoffice.ts'
import { password } from '../test-person.ts'
import { addJob } from '../../kernel/jobs/jobs.ts'
import { eraseClosed } from './erase-account.ts'
import { exportedTables } from './exported-tables.ts'

let house: House
let password_hash: string
beforeAll(async () => {
  house = await openHouse({ config: { limits: { signInPerAddress: 1e6, failuresPerEmail: 1e6, registrationsPerAddress: 1e6 } } })
  password_hash = await hashPassword(password)
})
afterAll(() => house[Symbol.asyncDispose]())

async function newCustomer(name: string): Promise<Person> {
  const owner = await house.newOwner(name)
  await house.db.updateTable('person').set({ password_hash }).where('email', '=', owner.email).execute()
  return owner
}
const close = (person: Person, body = {}) => person.call(closeAccount, { body: { password, confirmation: person.email, ...body } })
const statusOf = async ({ account_id }: Person) =>
  (await house.db.selectFrom('sim').select('status').where('account_id', '=', account_id).execute()).map(({ status }) => status)

test('closing takes a fresh proof and the address typed, ends what others can do at once, and can be undone', async () => {
  const owner = await newCustomer('leaving')
  const [member, elsewhere] = [await house.newMember(owner, ['assets.view']), await house.newVisit(owner)]
  await addStock(house, owner)
  const key = (await owner.call(createApiKey, { body: { name: 'Read', scopes: ['assets.view'] } })).body
  await owner.call(createWebhook, { body: { name: 'Ops', url: 'https://example.com/x', events: ['*'] } })
  expect(await close(owner, { confirmation: 'yes' })).toMatchObject({
    status: 400,
    body: { fields: { confirmation: `Type ${owner.email} to confirm` } },
  })
  expect(await close(owner, { password: 'wrong' })).toMatchObject({ status: 400, body: { code: 'credentials_wrong' } })
  expect((await owner.call(getClosing)).body.closed_at).toBeNull()
  expect(await close(owner)).toMatchObject({ status: 200 })
  await house.settle()
  expect(await statusOf(owner)).toEqual(['blocked'])
  expect((await member.call(listAssets)).body.items).toEqual([]) // of their own account: they are no member any more
  expect((await elsewhere.call(getAccount)).status).toBe(401)
  expect((await house.anyone.call(listAssets, {}, { 'x-api-key': key.secret })).status).toBe(401)
  expect((await owner.call(getAccount)).body).toMatchObject({ suspended: true, erase_at: expect.any(String) as string })
  expect(await close(owner)).toMatchObject({ status: 409, body: { code: 'account_closed_already' } })
  const registered = await owner.call(registerAsset, { body: { token: 'NOTHING-1', tags: [] } })
  expect(registered).toMatchObject({ status: 409, body: { code: 'account_closed' } })
  expect((await owner.call(listAssets)).status).toBe(200)
  expect((await house.events(owner.account_id)).at(-1)).toMatchObject({
    name: 'auth.account_closed',
    detail: { members: 1, api_keys: 1, webhooks: 1 },
  })
  const staff = await enterStaff(house)
  const params = { email: owner.email }
  expect((await staff.call(getCustomer, { params })).body.closed_at).toBe(house.clock.now().toISOString())
  expect(await staff.call(resumeAccount, { params, body: { reason: 'A ticket' } })).toMatchObject({
    status: 409,
    body: { code: 'account_closed' },
  })
  expect((await owner.call(reopenAccount, { body: { password } })).status).toBe(200)
  await house.settle()
  expect(await statusOf(owner)).not.toContain('blocked')
  expect((await owner.call(getAccount)).body.suspended).toBe(false)
  expect(await owner.call(reopenAccount, { body: { password } })).toMatchObject({ status: 409, body: { code: 'account_not_closed' } })
})

test('after the grace what is personal is gone, stock is free, and the chain is proved all the same', async () => {
  const owner = await newCustomer('canary-name')
  const { serial } = await addStock(house, owner)
  const { id } = await house.db.selectFrom('person').select('id').where('email', '=', owner.email).executeTakeFirstOrThrow()
  await close(owner)
  await house.settle()
  while (await chainEvents(house.app));
  const head = (await owner.call(getChain)).body
  const proved = await verifyActivities(house.app, owner.account_id)
  expect(proved.found).toBe(0)
  // Before the time is over nothing goes, whoever asks; and no activity goes by itself.
  await eraseClosed(house.app)
  await expect(sql`delete from event where account_id = ${owner.account_id}`.execute(house.db)).rejects.toThrow(/append-only/)
  expect((await owner.call(listActivities)).body.total).toBeGreaterThan(0)
  await house.db
    .updateTable('account')
    .set({ erase_at: new Date(house.clock.now().getTime() - 1000) })
    .where('id', '=', owner.account_id)
    .execute()
  await eraseClosed(house.app)
  await eraseClosed(house.app)
  while (await chainEvents(house.app));
  const left = []
  for (const { table } of exportedTables) {
    const of = table === 'account' ? sql`id` : ['session', 'passkey', 'identity'].includes(table) ? sql`person_id` : sql`account_id`
    left.push((await sql`select * from ${sql.table(table)} where ${of} in (${owner.account_id}, ${id})`.execute(house.db)).rows)
  }
  expect(JSON.stringify(left)).not.toMatch(/canary-name/)
  expect(JSON.stringify(left)).not.toContain(owner.email)
  expect(
    (await house.db.selectFrom('inventory').select('account_id').where('serial', '=', serial).executeTakeFirstOrThrow()).account_id
  ).toBeNull()
  expect((await house.anyone.call(login, { body: { email: owner.email, password } })).status).toBe(400)
  expect((await house.events(owner.account_id)).map(({ name, actor_email }) => [name, actor_email])).toEqual([
    ['auth.account_erased', 'system'],
  ])
  const after = await verifyActivities(house.app, owner.account_id, { head: { number: head.number, hash: head.hash! } })
  expect([after.found, after.number]).toEqual([0, proved.number + 1])
  // A digest that is not what was said breaks the chain.
  await sql`update event_erased set digest = sha256('other') where account_id = ${owner.account_id}`.execute(house.db)
  expect((await verifyActivities(house.app, owner.account_id)).found).toBeGreaterThan(0)
})

test('what is in no chain yet when an account is erased is added first; where that cannot be, the next run comes back', async () => {
  const owner = await newCustomer('hurried')
  await close(owner)
  await house.settle()
  const ended = { erase_at: new Date(house.clock.now().getTime() - 1000) }
  await house.db.updateTable('account').set(ended).where('id', '=', owner.account_id).execute()
  const erasedAt = async () =>
    (await house.db.selectFrom('account').select('erased_at').where('id', '=', owner.account_id).executeTakeFirstOrThrow()).erased_at
  await house.db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtext('masthead.seal_events'))`.execute(tx) // as another process that adds to the chains
    await eraseClosed(house.app)
  })
  expect((await house.events(owner.account_id)).length).toBeGreaterThan(0)
  expect(await erasedAt()).toBeNull()
  await eraseClosed(house.app)
  expect(await erasedAt()).toEqual(house.clock.now())
  expect((await house.events(owner.account_id)).map(({ name }) => name)).toEqual(['auth.account_erased'])
  while (await chainEvents(house.app));
  expect((await verifyActivities(house.app, owner.account_id)).found).toBe(0)
})

test('an export has everything of the account and nothing of others, no secret, and ends by its time', async () => {
  const [owner, other] = [await newCustomer('exporting'), await newCustomer('somebody-else')]
  const { serial } = await addStock(house, owner)
  await addStock(house, other)
  const key = (await owner.call(createApiKey, { body: { name: 'Read', scopes: ['assets.view'] } })).body
  expect((await owner.call(startExport, { body: { password: 'wrong' } })).status).toBe(400)
  const { body } = await owner.call(startExport, { body: { password } })
  expect(body).toMatchObject({ state: 'making', rows: 0 })
  expect(await owner.call(startExport, { body: { password } })).toMatchObject({ status: 409, body: { code: 'export_under_way' } })
  const params = { export_id: body.id }
  expect((await owner.call(getExportLines, { params })).status).toBe(404)
  await house.settle()
  const [ready] = (await owner.call(getClosing)).body.exports
  expect(ready).toMatchObject({ id: body.id, state: 'ready' })
  const answer = await owner.call(getExportLines, { params })
  expect(answer.headers['content-type']).toBe('application/x-ndjson; charset=utf-8')
  expect(answer.headers['content-disposition']).toBe(`attachment; filename="masthead-${body.id}.ndjson"`)
  const lines = answer.text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { table: string; row: Record<string, unknown> })
  expect(lines).toHaveLength(ready!.rows)
  expect(lines.find(({ table }) => table === 'asset')!.row.serial).toBe(serial)
  const tables = ['account', 'person', 'session', 'asset', 'network_group', 'sim', 'sim_imsi', 'usage_limit', 'api_key', 'alert', 'event']
  expect(new Set(lines.map(({ table }) => table))).toEqual(new Set(tables))
  for (const secret of [password_hash, key.secret, other.account_id, other.email, 'id_hash', 'sealed_'])
    expect(answer.text).not.toContain(secret)
  expect((await other.call(getExportLines, { params })).status).toBe(404)
  house.clock.advance({ days: 4 })
  expect((await owner.call(getExportLines, { params })).status).toBe(404)
  expect((await owner.call(getClosing)).body.exports[0]!.state).toBe('expired')
})

/** The queue comes to the job of an export at once, `attempts` of its five tries gone. */
const haveTried = (export_id: string, attempts: number) =>
  sql`update graphile_worker._private_jobs set attempts = ${attempts}, run_at = now() where payload ->> 'id' = ${export_id}`.execute(
    house.db
  )
const ask = async (owner: Person) => (await owner.call(startExport, { body: { password } })).body
const exportsOf = async (owner: Person) => (await owner.call(getClosing)).body.exports.map(({ id, state }) => [id, state])

test('an export that cannot be made has failed after its last try, and another can be asked for', async () => {
  const owner = await newCustomer('unlucky')
  const { id } = await ask(owner)
  await sql`alter table account_export_part rename to parts_away`.execute(house.db)
  await haveTried(id, 3)
  await house.settle()
  expect(await exportsOf(owner)).toEqual([[id, 'making']])
  await haveTried(id, 4)
  await sql`alter table parts_away rename to account_export_part`.execute(house.db)
  // What is read cannot be read, but what was gathered can be forgotten.
  await sql`alter table session rename to sessions_away`.execute(house.db)
  await house.settle()
  await sql`alter table sessions_away rename to session`.execute(house.db)
  expect(await exportsOf(owner)).toEqual([[id, 'failed']])
  expect((await house.events(owner.account_id)).at(-1)).toMatchObject({ name: 'auth.export_failed', actor_email: 'system' })
  const again = await ask(owner)
  await house.settle()
  expect(await exportsOf(owner)).toEqual([
    [again.id, 'ready'],
    [id, 'failed'],
  ])
})

test('an export whose process died in its last try is replaced by the next, and has failed within the hour', async () => {
  const owner = await newCustomer('stuck')
  const first = await ask(owner)
  await haveTried(first.id, 5)
  const second = await ask(owner)
  expect(second.state).toBe('making')
  expect(await exportsOf(owner)).toEqual([
    [second.id, 'making'],
    [first.id, 'failed'],
  ])
  const forget = () => house.db.transaction().execute((tx) => addJob(tx, 'account.forget_exports', {}))
  await sql`update graphile_worker._private_jobs set run_at = now() + interval '1 day' where payload ->> 'id' = ${second.id}`.execute(
    house.db
  )
  await forget()
  await house.settle()
  expect((await exportsOf(owner))[0]).toEqual([second.id, 'making']) // it is tried again
  await haveTried(second.id, 5)
  await forget()
  await house.settle()
  expect((await exportsOf(owner))[0]).toEqual([second.id, 'failed'])
})

test('every table that has an account is exported, or it is said here why not', async () => {
  const not = {
    account_judged: 'how far we are',
    account_usage_hour: 'a sum of usage_hour',
    account_work_hour: 'sums of sim_lapse',
    charge_scope: 'what charges are counted by; their sums are in charge',
    card_customer: 'what the card provider calls the account',
    card_setup: 'forms for cards; gone after a day',
    application: 'how often what is wanted of containers changed',
    claim_code: 'codes by which devices are set up; gone when used, or after a day',
    device_directive: 'commands on their way to devices',
    asset_count: 'counted from the assets',
    asset_moving: 'a copy of counters',
    asset_moving_copy: 'when it was made',
    asset_list: 'numbers that were pasted into a search; gone after a day',
    event_unsealed: 'events on their way into the chain',
    event_chain: 'the end of event_seal',
    event_erased: 'of erased accounts',
    account_export: 'this',
    account_export_part: 'this',
    account_note: 'what staff noted for themselves',
    staff_log: 'the log of staff; what concerned the account is in its events',
    staff_view: 'sessions of staff',
    quarantine: 'what gateways reported of no known SIM',
    inventory: 'stock: what is registered is in asset and sim',
    sim_counter: 'what the meter counts with; its sums are in usage_day',
    sim_sent: 'made from usage_hour',
    usage_open_hour: 'sums that are not ended',
    usage_coverage: 'what is known of records',
    pool_counter: 'what the meter counts with',
    data_pool_counter: 'what the meter counts with; its sums are in data_pool_day',
    data_pool_sim: 'follows from data_pool_asset and data_pool_tag',
    limit_notice: 'that a limit was told of; it is in the events',
    api_key_secret: 'hashes of keys',
    alert_firing: 'how often an alert fired',
    alert_read: 'which alerts were read',
    alert_delivery: 'mails of alerts',
    bulk_change_part: 'how far a change of many came',
    registry_held: 'which bytes images are of; the images are in registry_manifest',
    registry_reference: 'made from the manifests',
    registry_signature: 'read from manifests that the account attached',
    registry_sbom: 'read from manifests that the account attached',
    registry_package: 'read from manifests that the account attached',
    registry_pull_day: 'counts of pulls; their sums are in registry_repository',
    registry_scan: 'what a scanner was asked; what it found is read from images again',
    registry_scan_vulnerability: 'what a scanner reported of images',
    registry_to_rank: 'images whose place in an order is to be found out again',
    registry_upload: 'bytes that are still coming; gone after a day',
    core_deployment_token: 'hashes of tokens; their ends are in core_deployment',
    report_link: 'hashes of links; who was mailed one is in report',
    ledger_entry: 'lines of ledger_transaction, for bookkeeping',
    enforcement: 'cuts of sessions that are under way',
    sim_feed: 'which feed counts; what it counted is in feed_day',
    usage_correction_part: 'parts of usage_correction',
    usage_correction_back: 'what follows from usage_correction; it is in data_pool_usage and charge',
  }
  const { rows } = await sql<{ name: string }>`select distinct c.table_name as name from information_schema.columns c
    join pg_class on relname = c.table_name and relkind in ('r', 'p') and not relispartition
    where c.table_schema = 'public' and c.column_name = 'account_id'`.execute(house.db)
  const decided = [...exportedTables.map(({ table }) => table), ...Object.keys(not)]
  const undecided = rows.map(({ name }) => name).filter((name) => !decided.includes(name))
  expect(undecided, 'name each in exported-tables.ts, or above with the reason why it is not exported').toEqual([])
})
