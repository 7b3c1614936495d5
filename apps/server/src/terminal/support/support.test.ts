import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { listAlerts } from '@masthead/contract/notifications/operations'
import * as staffOps from '@masthead/contract/backoffice/support-operations'
import { getHome } from '@masthead/contract/backoffice/home-operations'
import { leaveBackoffice } from '@masthead/contract/backoffice/operations'
import * as codes from '@masthead/contract/terminal/access-code-operations'
import * as ops from '@masthead/contract/terminal/operations'
import * as support from '@masthead/contract/terminal/support-operations'
import { sendDue } from '../../notifications/send-due.ts'
import { enterStaff, type Staff } from '../../backoffice/test-backoffice.ts'
import { openTerminalHouse, openWindow, soon, type TerminalHouse } from '../test-terminal.ts'
import { endSupportInTime } from './end-support.ts'

let house: TerminalHouse
let staff: Staff
beforeAll(async () => {
  house = await openTerminalHouse()
  staff = await enterStaff(house)
})
afterAll(() => house[Symbol.asyncDispose]())

const size = { cols: 80, rows: 24 }
function ask(by: Staff = staff, minutes = 60) {
  // Two of one moment have no order.
  house.clock.advance({ seconds: 1 })
  const body = { reason: 'Ticket 12: its uploader crashes', minutes }
  return by.call(staffOps.askSupport, { params: { any_asset_id: house.asset_id }, body })
}
const open = (id: string, by: Staff = staff) => by.call(staffOps.openSupportTerminal, { params: { any_support_id: id }, body: size })
const leave = (id: string) => staff.call(staffOps.leaveSupport, { params: { any_support_id: id } })
const allow = (id: string, minutes = 60) => house.owner.call(support.allowSupport, { params: { support_id: id }, body: { minutes } })
const sentences = async () => (await house.events(house.owner.account_id)).map(({ name }) => name)

async function openShell(id: string) {
  const { body, status } = await open(id)
  expect(status).toBe(200)
  const window = await openWindow(house.address, staff, body.id)
  await window.message('step', ({ step }) => step === 'shell')
  return { id: body.id, window }
}

test('support asks, the customer is notified and allows, watches, ends it and has the recording', async () => {
  const { body: asked } = await ask()
  expect(asked).toMatchObject({ state: 'asked', mine: true, account: { email: house.owner.email } })
  expect(await ask()).toMatchObject({ status: 409, body: { code: 'support_asked' } })
  expect(await open(asked.id)).toMatchObject({ status: 409, body: { code: 'support_not_allowed' } })
  await house.settle()
  const { items } = (await house.owner.call(listAlerts, {})).body
  expect(items[0]).toMatchObject({ state: 'open', severity: 'warn', link: '/terminals/support' })
  await sendDue(house.app)
  await house.settle()
  expect((await house.mails(house.owner.email)).at(-1)!.text).toContain('Ticket 12: its uploader crashes')

  expect((await allow(asked.id)).body).toMatchObject({ state: 'allowed', allowed_by: house.owner.email })
  expect(await allow(asked.id)).toMatchObject({ status: 409, body: { code: 'support_answered' } })
  await house.settle()
  expect((await house.owner.call(listAlerts, {})).body.items[0]).toMatchObject({ state: 'resolved' })
  const another = await enterStaff(house)
  expect(await open(asked.id, another)).toMatchObject({ status: 409, body: { code: 'support_of_another' } })

  const { id, window } = await openShell(asked.id)
  expect((await openWindow(house.address, another, id)).status()).toBe(404)
  const watcher = await openWindow(house.address, house.owner, id, { client: 'watch' })
  window.type('echo seen-$((40+2))\r')
  await watcher.shows('seen-42')
  watcher.type('echo mine\r')
  const seen = await staff.call(staffOps.getSupportTerminal, { params: { any_support_id: asked.id, any_terminal_id: id } })
  expect(seen.body).toMatchObject({ state: 'open', support_id: asked.id, opened_by: staff.email })

  expect((await house.owner.call(support.endSupport, { params: { support_id: asked.id } })).body.state).toBe('over')
  expect(await window.message('ended')).toMatchObject({ reason: 'support_over' })
  expect(window.text()).not.toContain('mine')
  const kept = await vi.waitFor(async () => {
    const { body } = await house.owner.call(support.listSupport, {})
    expect(body.items[0]!.terminals[0]).toMatchObject({ id, state: 'ended', recording: 'kept' })
    return body.items[0]!
  }, 20_000)
  expect(kept).toMatchObject({ state: 'over', end_reason: 'ended', ended_by: house.owner.email })
  const recording = await house.owner.call(ops.exportRecording, { params: { terminal_id: id } })
  expect(recording.text).toContain('seen-42')
  expect(await open(asked.id)).toMatchObject({ status: 409, body: { code: 'support_over' } })
  const told = await sentences()
  for (const name of ['backoffice.support_asked', 'terminal.support_allowed', 'terminal.terminal_opened', 'terminal.support_ended'])
    expect(told).toContain(name)
  const log = await house.db.selectFrom('staff_log').select('action').where('staff_email', '=', staff.email).execute()
  expect(log.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['backoffice.support_asked', 'backoffice.support_terminal_opened'])
  )
}, 90_000)

test('two of support and the customer are in one terminal, each of support by an access of their own, which ends their part in it', async () => {
  const another = await enterStaff(house)
  const [first, second] = [(await ask()).body.id, (await ask(another)).body.id]
  await allow(first)
  const { id, window } = await openShell(first)
  const join = () => openWindow(house.address, another, id, { client: 'colleague' })
  expect((await join()).status()).toBe(404)
  const look = () => another.call(staffOps.getSupportTerminal, { params: { any_support_id: second, any_terminal_id: id } })
  expect((await look()).status).toBe(404)
  await allow(second)
  expect((await look()).body).toMatchObject({ id, opened_by: staff.email })
  const { items } = (await another.call(staffOps.listStaffSupport, { query: {} as never })).body
  expect(items.find((item) => item.id === second)!.colleagues).toEqual([{ terminal_id: id, staff: staff.email }])
  const [colleague, customer] = [await join(), await openWindow(house.address, house.owner, id, { client: 'watch' })]
  window.type('echo first-$((40+2))\r')
  await Promise.all([colleague.shows('first-42'), customer.shows('first-42')])
  const { people } = await window.message('who', (said) => said.people.length === 3)
  window.say({ t: 'give', to: people.find(({ email }) => email === another.email)!.id })
  await colleague.message('who', (said) => said.people.some(({ id: who, types }) => who === said.you && types))
  colleague.type('echo second-$((40+2))\r')
  await customer.shows('second-42')
  expect((await house.owner.call(support.endSupport, { params: { support_id: second } })).status).toBe(200)
  await soon('The end of the part of the colleague', colleague.closed())
  expect((await join()).status()).toBe(404)
  // The keyboard is of who opened it again.
  await vi.waitFor(() => {
    const last = window.words.findLast((said) => said.t === 'who')!
    expect(last.people.find(({ id: who }) => who === last.you)!.types).toBe(true)
  }, 20_000)
  window.type('echo third-$((40+2))\r')
  await customer.shows('third-42')
  await house.owner.call(support.endSupport, { params: { support_id: first } })
  await window.message('ended')
}, 90_000)

test('with its time an access shows no terminal of a colleague any more, also before it is said to be over', async () => {
  const [by, another] = [await enterStaff(house), await enterStaff(house)]
  const [first, second] = [(await ask(by)).body.id, (await ask(another)).body.id]
  await allow(first)
  await allow(second, 15)
  const { body } = await open(first, by)
  const look = () => another.call(staffOps.getSupportTerminal, { params: { any_support_id: second, any_terminal_id: body.id } })
  const seen = async () =>
    (await another.call(staffOps.listStaffSupport, { query: {} as never })).body.items.find(({ id }) => id === second)
  expect((await look()).status).toBe(200)
  expect((await seen())!.colleagues).toHaveLength(1)
  const before = house.clock.now()
  house.clock.set(new Date(before.getTime() + 15 * 60_000))
  expect((await look()).status).toBe(404)
  expect(await seen()).toMatchObject({ state: 'allowed', colleagues: [] })
  house.clock.set(before)
  for (const id of [first, second]) await house.owner.call(support.endSupport, { params: { support_id: id } })
}, 60_000)

test('what ends while a window is being asked whether it may stay says the same', async () => {
  const { body: asked } = await ask()
  await allow(asked.id)
  const { window } = await openShell(asked.id)
  await house.db.transaction().execute(async (tx) => {
    await sql`lock table backoffice_stay in access exclusive mode`.execute(tx)
    await vi.waitFor(async () => {
      const { rows } = await sql`select from pg_locks where relation = 'backoffice_stay'::regclass and not granted`.execute(house.db)
      expect(rows.length).toBeGreaterThan(0)
    }, 20_000)
    expect((await house.owner.call(support.endSupport, { params: { support_id: asked.id } })).status).toBe(200)
  })
  expect(await soon('The end', window.message('ended'))).toMatchObject({ reason: 'support_over' })
}, 60_000)

test('standing consent lets support in at once, and withdrawn it ends an open terminal within 2 s', async () => {
  const consent = (standing: boolean) => house.owner.call(support.updateSupportConsent, { body: { standing } })
  expect((await consent(true)).body).toEqual({ standing: true, limited: false })
  const { body: given } = await ask()
  expect(given).toMatchObject({ state: 'allowed', standing: true, allowed_by: null })
  const { window } = await openShell(given.id)
  expect((await consent(false)).body).toEqual({ standing: false, limited: false })
  expect(await soon('The end with the consent', window.message('ended'))).toMatchObject({ reason: 'support_over' })
  const { items } = (await staff.call(staffOps.listStaffSupport, { query: { state: ['over'] } as never })).body
  expect(items[0]).toMatchObject({ id: given.id, end_reason: 'consent_withdrawn' })
}, 60_000)

test('a code that is set ends what support has by the standing consent: from then on somebody has to say yes', async () => {
  const { owner, asset_id } = house
  await owner.call(support.updateSupportConsent, { body: { standing: true } })
  const { body: given } = await ask()
  const { window } = await openShell(given.id)
  const params = { asset_id }
  expect((await owner.call(codes.updateAccessCode, { params, body: { code: 'open sesame' } })).status).toBe(200)
  expect(await soon('The end with the code', window.message('ended'))).toMatchObject({ reason: 'support_over' })
  expect(await open(given.id)).toMatchObject({ status: 409, body: { code: 'support_over' } })
  const { items } = (await owner.call(support.listSupport, {})).body
  expect(items.find(({ id }) => id === given.id)).toMatchObject({ end_reason: 'ended', ended_by: owner.email })
  const { body: asked } = await ask()
  expect(asked).toMatchObject({ state: 'asked', standing: false })
  // One that was allowed stands, whatever code is set.
  await allow(asked.id)
  await owner.call(codes.updateAccessCode, { params, body: { code: 'open barley' } })
  expect((await open(asked.id)).status).toBe(200)
  await owner.call(support.endSupport, { params: { support_id: asked.id } })
  await owner.call(codes.removeAccessCode, { params })
  await owner.call(support.updateSupportConsent, { body: { standing: false } })
}, 60_000)

test('who withdraws the consent while support opens a terminal waits for nothing that waits for them', async () => {
  const { body: asked } = await ask()
  await allow(asked.id)
  let opening: ReturnType<typeof open> | undefined
  await house.db.transaction().execute(async (tx) => {
    await sql`select from account where id = ${house.owner.account_id} for no key update`.execute(tx)
    opening = open(asked.id)
    await vi.waitFor(async () => {
      const { rows } = await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
        house.db
      )
      expect(rows.length).toBeGreaterThan(0)
    }, 20_000)
    await sql`select from support_access where id = ${asked.id} for update`.execute(tx)
  })
  expect((await opening!).status).toBe(200)
  await house.owner.call(support.endSupport, { params: { support_id: asked.id } })
}, 60_000)

test('the home of the backoffice has the newest access, which is no look at the list', async () => {
  const { body: asked } = await ask()
  const another = await enterStaff(house)
  const looks = () =>
    house.db
      .selectFrom('staff_log')
      .select('detail')
      .where('action', '=', 'backoffice.list_viewed')
      .where('staff_email', '=', another.email)
      .execute()
  const { latest_support } = (await another.call(getHome)).body
  expect(latest_support[0]).toMatchObject({ id: asked.id, state: 'asked', mine: false, account: { email: house.owner.email } })
  expect(await looks()).toEqual([])
  expect((await another.call(staffOps.listStaffSupport, { query: {} as never })).body.items[0]).toMatchObject({ id: asked.id })
  expect(await looks()).toMatchObject([{ detail: { list: 'support access' } }])
  expect((await leave(asked.id)).status).toBe(200)
})

test('a device that has never connected is refused in words at once, to support and to its owner, and nobody is asked', async () => {
  const { asset_id } = await house.newDevice('agent')
  const never = {
    status: 409,
    body: { code: 'device_never_connected', detail: expect.stringContaining('No device has connected') as string },
  }
  const body = { reason: 'Ticket 13: it says nothing', minutes: 15 }
  expect(await staff.call(staffOps.askSupport, { params: { any_asset_id: asset_id }, body })).toMatchObject(never)
  expect(await house.owner.call(ops.openTerminal, { params: { asset_id }, body: size })).toMatchObject(never)
  const { items } = (await house.owner.call(support.listSupport, {})).body
  expect(items.filter((item) => item.asset_id === asset_id)).toEqual([])
})

test('it ends with its time, without an answer, when it is refused or withdrawn, and with the stay in the backoffice', async () => {
  const { body: asked } = await ask()
  const refused = await house.owner.call(support.refuseSupport, { params: { support_id: asked.id }, body: { words: 'Not at night' } })
  expect(refused.body).toMatchObject({ state: 'over', end_reason: 'refused', words: 'Not at night' })
  expect(await leave(asked.id)).toMatchObject({ status: 409, body: { code: 'support_over' } })

  const { body: taken } = await ask()
  expect((await leave(taken.id)).body).toMatchObject({ end_reason: 'withdrawn', ended_by: staff.email })
  expect(await allow(taken.id)).toMatchObject({ status: 409, body: { code: 'support_over' } })

  const { body: short } = await ask()
  await allow(short.id, 15)
  const { window } = await openShell(short.id)
  house.clock.advance({ minutes: 9 })
  // It counts as typed once it has arrived.
  window.type('echo here-$((40+2))\r')
  await window.shows('here-42')
  house.clock.advance({ minutes: 6, seconds: 1 })
  expect(await window.message('ended')).toMatchObject({ reason: 'support_over' })
  await endSupportInTime(house.app)
  expect((await house.owner.call(support.listSupport, {})).body.items[0]).toMatchObject({ end_reason: 'time_over', ended_by: null })

  staff = await enterStaff(house)
  const { body: unanswered } = await ask()
  house.clock.advance({ hours: 24, seconds: 1 })
  await endSupportInTime(house.app)
  expect((await house.owner.call(support.listSupport, {})).body.items[0]).toMatchObject({ id: unanswered.id, end_reason: 'unanswered' })

  staff = await enterStaff(house)
  await vi.waitFor(async () => expect((await house.find(house.device_id)).online).toBe(true), 20_000)
  const { body: again } = await ask()
  await allow(again.id)
  const shell = await openShell(again.id)
  expect((await staff.call(leaveBackoffice, {})).status).toBe(200)
  expect(await soon('The end with the stay', shell.window.message('ended'))).toMatchObject({ reason: 'not_allowed' })
}, 120_000)

test('who may not: a member without the permission or limited to other devices, another account, staff at the customer’s own call', async () => {
  staff = await enterStaff(house)
  const { body: asked } = await ask()
  const on = { params: { support_id: asked.id }, body: { minutes: 15 } }
  const { owner } = house
  for (const [person, status] of [
    [await house.newMember(owner, ['assets.view', 'terminal.open']), 403],
    [await house.newMember(owner, ['assets.view', 'support.grant'], ['north']), 404],
    [await house.newOwner(), 404],
    [staff, 404],
  ] as const)
    expect((await person.call(support.allowSupport, on)).status).toBe(status)
  const member = await house.newMember(owner, ['assets.view', 'support.grant'])
  expect((await member.call(support.updateSupportConsent, { body: { standing: true } })).status).toBe(403)
  expect((await member.call(support.allowSupport, on)).status).toBe(200)
  const limited = await house.newMember(owner, ['terminal.open', 'profile.edit'], ['north'])
  for (const standing of [true, false]) expect((await limited.call(support.updateSupportConsent, { body: { standing } })).status).toBe(403)
  expect((await limited.call(support.getSupportConsent)).body).toEqual({ standing: false, limited: true })
}, 60_000)
