import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sessionCut, simBlocked } from '@masthead/contract/assets/events'
import { accountSuspended, accountViewed, backofficeEntered } from '@masthead/contract/backoffice/events'
import { apiKeyCreated, webhookDeleted, webhookDisabled, webhookPaused, webhookResumed } from '@masthead/contract/developers/events'
import { eventKinds } from '@masthead/contract/events'
import type { EventKind } from '@masthead/contract/kernel/event'
import { newId } from '@masthead/contract/kernel/id'
import { acknowledgeAlerts, listAlerts } from '@masthead/contract/notifications/operations'
import { systemActor, type Actor } from '@masthead/server/kernel/app'
import { record } from '@masthead/server/kernel/record'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import type * as z from 'zod/mini'
import { readingPermissions, type EventCategory } from '@masthead/contract/event-reading'
import { meaningOf, securityRules } from './alert-rules.ts'
import { watchJobs } from './installation/failing-jobs.ts'
import { putGateway } from '../gateways/test-gateway.ts'
import { silentAfter, watchGateways } from './installation/silent-gateways.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

const alertsOf = async (person: Person) => (await person.call(listAlerts)).body.items

/** Something happens on an account, by Masthead itself or by somebody else. */
async function happen<Detail extends z.ZodMiniType>(
  { account_id }: Person,
  kind: EventKind<Detail>,
  detail: z.output<Detail>,
  by: Partial<Actor> = {}
) {
  const actor = { ...systemActor(account_id, house.clock.now()), ...by }
  await house.db.transaction().execute((tx) => record(tx, actor, kind, detail))
  await house.settle()
}

describe('a webhook', () => {
  const webhook = { webhook_id: 'whk_1', webhook_name: 'Orders' }
  const fail = (owner: Person) => happen(owner, webhookPaused, { ...webhook, failures: 10, words: 'no answer' })

  test('that keeps failing is an alert until it works again', async () => {
    const owner = await house.newOwner()
    await fail(owner)
    expect(await alertsOf(owner)).toMatchObject([
      {
        severity: 'warn',
        source: 'api',
        title: 'Deliveries of the webhook Orders keep failing',
        state: 'open',
        link: '/developer?tab=webhooks&webhook=whk_1',
      },
    ])
    await happen(owner, webhookResumed, webhook)
    expect(await alertsOf(owner)).toMatchObject([{ state: 'resolved', resolved_words: 'Deliveries arrive again' }])
  })

  test('that is disabled for it is critical, and over when it is deleted', async () => {
    const owner = await house.newOwner()
    await fail(owner)
    await happen(owner, webhookDisabled, { ...webhook, because: 'failures' })
    expect(await alertsOf(owner)).toMatchObject([{ severity: 'critical', title: 'The webhook Orders was disabled', count: 2 }])
    await happen(owner, webhookDeleted, webhook)
    expect(await alertsOf(owner)).toMatchObject([{ state: 'resolved' }])
  })

  test('is the business of those who see webhooks', async () => {
    const owner = await house.newOwner()
    await fail(owner)
    expect(await alertsOf(await house.newMember(owner, ['notifications.view', 'assets.view']))).toEqual([])
    expect(await alertsOf(await house.newMember(owner, ['notifications.view', 'developers.view']))).toHaveLength(1)
  })
})

describe('support staff', () => {
  const staff = { kind: 'staff' as const, email: 'staff@x.test' }

  test('who look at an account are notified to its people; again the same day is counted; acknowledged, it is done', async () => {
    const owner = await house.newOwner()
    for (let i = 0; i < 3; i++) await happen(owner, accountViewed, { reason: 'ticket 7' }, staff)
    const looked = { severity: 'info', source: 'staff', title: 'Support staff looked at the account: ticket 7', count: 3, state: 'open' }
    expect(await alertsOf(owner)).toMatchObject([looked])
    await owner.call(acknowledgeAlerts, { body: {} })
    expect(await alertsOf(owner)).toMatchObject([{ state: 'resolved', resolved_words: 'Acknowledged' }])
    await happen(owner, accountViewed, { reason: 'ticket 8' }, staff)
    expect(await alertsOf(owner)).toMatchObject([{ state: 'open', count: 1 }, { state: 'resolved' }])
  })

  test('who suspend an account are critical; what they do on their own is nobody’s business', async () => {
    const owner = await house.newOwner()
    await happen(owner, accountSuspended, { reason: 'unpaid' }, staff)
    expect(await alertsOf(owner)).toMatchObject([{ severity: 'critical' }])
    const own = await house.newOwner()
    await happen(own, backofficeEntered, { reason: 'ticket' }, staff)
    expect(await alertsOf(own)).toEqual([])
  })
})

test('what is notified of who can get in are events that there are', () => {
  for (const name of Object.keys(securityRules)) expect(eventKinds.has(name), name).toBe(true)
})

test('who can get in is notified: a new API key', async () => {
  const owner = await house.newOwner()
  const key = { api_key_id: 'key_1', api_key_name: 'ci', scopes: [], tags: [], addresses: [], expires_at: null, calls_per_minute: 60 }
  await happen(owner, apiKeyCreated, key, { kind: 'member', email: owner.email })
  expect(await alertsOf(owner)).toMatchObject([{ severity: 'info', source: 'security', title: `${owner.email} created API key ci` }])
})

/** An open session on a gateway; returns the gateway's id. */
async function newSession({ account_id }: Person, session_id: string, address: string) {
  const at = house.clock.now()
  const { gateway_id } = await putGateway(house.db, { name: `pgw-${address}`, address, heard_at: at })
  const nothing = { imsi: null, apn: null, ip: null, rat: null, mccmnc: null, imei: null, cell: null, ended_at: null, end_cause: null }
  const never = { session_time: null, reopened_after: null, interim_seconds: null, disconnect: null }
  const times = { started_at: at, updated_at: at, heard_at: at }
  const session = { account_id, id: session_id, sim_id: 'sim_1', asset_id: 'ast_1', gateway_id, nas: address, acct_session_id: '1' }
  await house.db
    .insertInto('data_session')
    .values({ ...session, ...times, ...nothing, ...never })
    .execute()
  return gateway_id
}
const endSession = (id: string) => house.db.updateTable('data_session').set({ ended_at: house.clock.now() }).where('id', '=', id).execute()

test('a session that a gateway would not cut is an alert until it has ended', async () => {
  const owner = await house.newOwner()
  const cut = { asset_id: newId('asset'), asset_name: 'truck', sim_id: 'sim_1', iccid: '89', session_id: 'ses_1' }
  await newSession(owner, 'ses_1', '10.0.0.9')
  await happen(owner, sessionCut, { ...cut, answer: 'timeout', words: 'No answer' })
  expect(await alertsOf(owner)).toMatchObject([{ state: 'open', title: 'The session of truck may go on: the gateway did not answer' }])
  await endSession('ses_1')
  await happen(owner, sessionCut, { ...cut, answer: 'ack', words: 'Confirmed' })
  expect(await alertsOf(owner)).toMatchObject([{ state: 'resolved' }])
})

describe('a silent gateway', () => {
  test('is notified once to each who manages gateways, until it is heard again', async () => {
    const staff = await house.newOwner('staff', { staff: ['backoffice', 'manage_networks'] })
    const other = await house.newOwner('other', { staff: ['backoffice'] })
    const customer = await house.newOwner()
    const gateway = await newSession(customer, 'ses_2', '10.0.0.1')
    await watchGateways(house.app)
    expect(await alertsOf(staff)).toEqual([])
    house.clock.advance({ seconds: silentAfter / 1000 })
    for (let i = 0; i < 3; i++) await watchGateways(house.app)
    expect(await alertsOf(staff)).toMatchObject([
      { severity: 'critical', source: 'network', title: 'The gateway pgw-10.0.0.1 is silent', count: 1 },
    ])
    for (const each of [other, customer]) expect(await alertsOf(each)).toEqual([])
    expect(await alertsOf(await house.newMember(staff, ['notifications.view', 'assets.view']))).toEqual([])
    await endSession('ses_2')
    await watchGateways(house.app)
    expect(await alertsOf(staff)).toMatchObject([{ state: 'open', count: 1 }])
    await house.db.updateTable('gateway_address').set({ heard_at: house.clock.now() }).where('gateway_id', '=', gateway).execute()
    await watchGateways(house.app)
    expect(await alertsOf(staff)).toMatchObject([{ state: 'resolved' }])
    // Without a session it has nothing to say.
    house.clock.advance({ seconds: silentAfter / 1000 })
    await watchGateways(house.app)
    expect(await alertsOf(staff)).toMatchObject([{ state: 'resolved' }])
  })

  test('whose sessions report seldom is notified after three of their intervals', async () => {
    const staff = await house.newOwner('seldom', { staff: ['backoffice', 'manage_networks'] })
    await newSession(await house.newOwner(), 'ses_3', '10.0.0.2')
    await house.db.updateTable('data_session').set({ interim_seconds: 900 }).where('id', '=', 'ses_3').execute()
    house.clock.advance({ seconds: silentAfter / 1000 })
    await watchGateways(house.app)
    expect(await alertsOf(staff)).toEqual([])
    house.clock.advance({ minutes: 30 })
    await watchGateways(house.app)
    expect(await alertsOf(staff)).toMatchObject([{ title: 'The gateway pgw-10.0.0.2 is silent' }])
    await endSession('ses_3')
  })
})

test('a timed job that keeps failing is notified once to each of the staff, until it works', async () => {
  const staff = await house.newOwner('of staff', { staff: ['backoffice'] })
  const customer = await house.newOwner()
  const at = house.clock.now()
  const failure = { task: 'billing.close_months', failures: 2, since: at, last_at: at, words: 'no room on the disk' }
  await house.db.insertInto('job_failure').values(failure).execute()
  house.clock.advance({ minutes: 11 })
  // Twice is no reason yet.
  await watchJobs(house.app)
  expect(await alertsOf(staff)).toEqual([])
  await house.db.updateTable('job_failure').set({ failures: 7 }).execute()
  for (let i = 0; i < 3; i++) await watchJobs(house.app)
  expect(await alertsOf(staff)).toMatchObject([
    { severity: 'critical', state: 'open', title: 'The background job billing.close_months keeps failing', count: 1 },
  ])
  expect((await alertsOf(staff))[0]!.words).toMatch(/^It failed 7 times in a row, for 11 min.*: no room on the disk\./)
  expect(await alertsOf(customer)).toEqual([])
  await house.db.deleteFrom('job_failure').execute()
  await watchJobs(house.app)
  expect(await alertsOf(staff)).toMatchObject([{ state: 'resolved', resolved_words: 'It is done again' }])
})

test('jobs that wait for long are notified to staff, until they are done', async () => {
  const staff = await house.newOwner('staff too', { staff: ['backoffice'] })
  const lateBy = (seconds: number) =>
    sql`select graphile_worker.add_job('late', run_at => now() - make_interval(secs => ${seconds}), job_key => 'late')`.execute(house.db)
  await lateBy(60)
  await watchJobs(house.app)
  expect(await alertsOf(staff)).toEqual([])
  await lateBy(1200)
  for (let i = 0; i < 2; i++) await watchJobs(house.app)
  expect(await alertsOf(staff)).toMatchObject([{ state: 'open', title: 'Background jobs are behind' }])
  await sql`select graphile_worker.remove_job('late')`.execute(house.db)
  await watchJobs(house.app)
  expect(await alertsOf(staff)).toMatchObject([{ state: 'resolved' }])
})

test('no alert shows an event to more people than may read the event', async () => {
  for (const [name, [, whom]] of Object.entries(securityRules))
    expect(['owner', readingPermissions[name.split('.')[0] as EventCategory]], name).toContain(whom)
  const event = { account_id: 'acc_1', id: 'evt_1', at: new Date(), name: accountViewed.name, asset_id: null }
  const meaning = meaningOf({ ...event, actor_kind: 'staff', actor_email: 's@example.test', detail: { reason: 'A ticket' } })
  expect(meaning).toMatchObject({ raise: { permission: 'profile.view', link: '/activities?actor=staff' } })
  // And they see none of it in their list.
  const owner = await house.newOwner()
  await happen(owner, accountViewed, { reason: 'A ticket' }, { kind: 'staff', email: 's@example.test' })
  const [some, more] = [
    await house.newMember(owner, ['notifications.view']),
    await house.newMember(owner, ['notifications.view', 'profile.view']),
  ]
  expect([(await alertsOf(some)).length, (await alertsOf(more)).length]).toEqual([0, 1])
})

test('a SIM that an alert rule blocks is no alert beside that of the rule, as any other block is', () => {
  const event = { account_id: 'acc_1', id: 'evt_1', at: new Date(), name: simBlocked.name, asset_id: 'ast_1' }
  const sim = { asset_id: 'ast_1', asset_name: 'truck', sim_id: 'sim_1', iccid: '89310820000000000001', words: 'Held' }
  const meant = (code: string) => meaningOf({ ...event, actor_kind: 'system', actor_email: 'system', detail: { ...sim, code } })
  expect(meant('rule')).toBeNull()
  expect(meant('staff')).toMatchObject({ raise: { severity: 'warn' } })
})
