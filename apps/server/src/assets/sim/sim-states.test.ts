import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { updateAsset } from '@masthead/contract/assets/operations'
import * as ops from '@masthead/contract/assets/sim-operations'
import { simActions, simLeadsTo, simStates, type SimAction, type SimState } from '@masthead/contract/assets/sim'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { clearDataLimits } from '../../metering/data-limit.ts'
import { keepConnectionEvents, prepareMetering } from '../../metering/index.ts'
import { addAsset, addSession } from '../test-stock.ts'

let house: House
let ada: Person
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house[Symbol.asyncDispose]())
beforeEach(async () => {
  ada = await house.newOwner()
})

async function withSim(state: SimState, activated_at: Date | null = null) {
  const asset = await addAsset(house, ada, { name: 'Pump 7' })
  await house.db.updateTable('sim').set({ state, activated_at }).where('id', '=', asset.sim!.id).execute()
  return { asset, params: { asset_id: asset.id } }
}
const lastEvent = async () => (await house.events(ada.account_id)).at(-1)!

test.each(Object.keys(simStates) as SimState[])('what a SIM that is %s may become', async (state) => {
  for (const [action, op] of [
    ['standby', ops.standbySim],
    ['ready', ops.readySim],
    ['terminate', ops.terminateSim],
  ] as const) {
    const { asset, params } = await withSim(state)
    const body = action === 'terminate' ? { iccid: asset.sim!.iccid } : undefined
    const answer = await ada.call(op as typeof ops.terminateSim, { params, body: body as never })
    if ((simActions[action as SimAction] as SimState[]).includes(state)) {
      expect(answer).toMatchObject({ status: 200, body: { sim: { state: simLeadsTo[action], state_changed_by: ada.email } } })
      expect((await lastEvent()).name).toBe(
        { standby: 'assets.sim_on_standby', ready: 'assets.sim_ready', terminate: 'assets.sim_terminated' }[action]
      )
    } else {
      expect(answer).toMatchObject({ status: 409, body: { code: 'sim_wrong_state', detail: `The SIM of Pump 7 is ${state}` } })
    }
  }
})

test('a SIM that was active once is never ready again', async () => {
  const { params } = await withSim('inactive', house.clock.now())
  expect(await ada.call(ops.readySim, { params })).toMatchObject({
    status: 409,
    body: { detail: 'The SIM of Pump 7 is inactive, and was active before' },
  })
})

test('termination takes the whole ICCID, and there is no way back from it', async () => {
  const { asset, params } = await withSim('active')
  const wrong = await ada.call(ops.terminateSim, { params, body: { iccid: asset.sim!.iccid.slice(-6) } })
  expect(wrong).toMatchObject({ status: 400, body: { fields: { iccid: expect.stringContaining('whole ICCID') } } })
  const spaced = asset.sim!.iccid.replace(/(\d{4})(?=\d)/g, '$1 ')
  expect((await ada.call(ops.terminateSim, { params, body: { iccid: spaced } })).body.sim!.state).toBe('terminated')
  for (const op of [ops.standbySim, ops.readySim]) expect((await ada.call(op, { params })).status).toBe(409)
  expect((await ada.call(updateAsset, { params, body: { status: 'active' } })).status).toBe(409)
  const release = await ada.call(ops.releaseAsset, { params, body: { to: null, serial: asset.serial } })
  expect(release).toMatchObject({ status: 409, body: { detail: expect.stringContaining('terminated for ever') } })
})

test('a limit is set, raised for its period alone, and taken away', async () => {
  const { params } = await withSim('active')
  expect((await ada.call(ops.raiseSimLimit, { params, body: { bytes: 2e9 } })).body).toMatchObject({ code: 'sim_has_no_limit' })
  expect((await ada.call(ops.setSimLimit, { params, body: { bytes: 999_999 } })).status).toBe(400)
  const set = await ada.call(ops.setSimLimit, { params, body: { bytes: 1e9 } })
  expect(set.body.sim!.usage).toMatchObject({ limit_bytes: 1e9, limit_of: { scope: 'sim', raised: false, usual_bytes: 1e9 } })
  expect((await ada.call(ops.raiseSimLimit, { params, body: { bytes: 1e9 } })).body).toMatchObject({
    code: 'raise_too_low',
    fields: { bytes: 'The limit allows 1 GB now. Enter more than that' },
  })
  const raised = await ada.call(ops.raiseSimLimit, { params, body: { bytes: 2e9 } })
  expect(raised.body.sim!.usage).toMatchObject({ limit_bytes: 2e9, limit_of: { raised: true, usual_bytes: 1e9 } })
  house.clock.set(new Date(Date.UTC(house.clock.now().getUTCFullYear(), house.clock.now().getUTCMonth() + 1, 2)))
  const next = await ada.call(ops.setSimLimit, { params, body: { bytes: 3e9 } })
  expect(next.body.sim!.usage).toMatchObject({ limit_bytes: 3e9, limit_of: { raised: false } })
  expect((await ada.call(ops.setSimLimit, { params, body: { bytes: null } })).body.sim!.usage).toMatchObject({
    limit_bytes: null,
    limit_of: null,
  })
})

test('a SIM that used up the largest limit can be raised further', async () => {
  const { params } = await withSim('active')
  await ada.call(ops.setSimLimit, { params, body: { bytes: 2e12 } })
  expect((await ada.call(ops.setSimLimit, { params, body: { bytes: 2e12 + 1 } })).status).toBe(400)
  const raised = await ada.call(ops.raiseSimLimit, { params, body: { bytes: 3e12 } })
  expect(raised.body.sim!.usage).toMatchObject({ limit_bytes: 3e12, limit_of: { raised: true, usual_bytes: 2e12 } })
  expect((await ada.call(ops.raiseSimLimit, { params, body: { bytes: 1e15 + 1 } })).body).toMatchObject({
    fields: { bytes: 'A limit can be raised to 1,000 TB at most' },
  })
})

test("a raise of a group's limit is for one SIM and one month", async () => {
  const { asset, params } = await withSim('active')
  const other = await withSim('active')
  await house.db.insertInto('network_group').values({ account_id: ada.account_id, id: 'grp_a', name: 'A' }).execute()
  await house.db.updateTable('sim').set({ group_id: 'grp_a' }).where('account_id', '=', ada.account_id).execute()
  await house.db
    .insertInto('usage_limit')
    .values({ account_id: ada.account_id, id: 'lim_a', group_id: 'grp_a', period: 'month', bytes: 1e9 })
    .execute()
  const raised = await ada.call(ops.raiseSimLimit, { params, body: { bytes: 2e9 } })
  expect(raised.body.sim!.usage).toMatchObject({ limit_bytes: 2e9, limit_of: { scope: 'group', raised: true, usual_bytes: 1e9 } })
  expect((await ada.call(ops.getSim, { params: other.params })).body.usage).toMatchObject({ limit_bytes: 1e9, limit_of: { raised: false } })
  await house.db.updateTable('usage_limit').set({ bytes: 5e9 }).where('id', '=', 'lim_a').execute()
  house.clock.set(new Date(Date.UTC(house.clock.now().getUTCFullYear(), house.clock.now().getUTCMonth() + 1, 1, 1)))
  await clearDataLimits(house.app)
  const later = await house.newVisit(ada)
  expect((await later.call(ops.getSim, { params })).body.usage).toMatchObject({
    limit_bytes: 5e9,
    limit_of: { scope: 'group', raised: false },
  })
  expect(asset.sim!.usage.limit_of).toBeNull()
})

async function newStaff() {
  const staff = await house.newOwner()
  await house.db
    .updateTable('person')
    .set({ permissions: ['backoffice'] })
    .where('email', '=', staff.email)
    .execute()
  return staff
}

test('staff are asked with all that they would ask for', async () => {
  const { asset, params } = await withSim('inactive')
  const staff = await newStaff()
  expect((await ada.call(ops.askStaff, { params, body: { message: 'Why has it no service?' } })).status).toBe(200)
  const [mail] = await house.mails(staff.email)
  expect(mail!.subject).toContain('Pump 7: a question of')
  for (const words of ['Why has it no service?', asset.sim!.iccid, 'The SIM is inactive', `/masa/assets/${asset.id}`])
    expect(mail!.text).toContain(words)
  const told = {
    name: 'assets.staff_asked',
    actor_email: ada.email,
    detail: { asset_id: asset.id, asset_name: 'Pump 7', message: 'Why has it no service?' },
  }
  expect(await house.events(ada.account_id)).toContainEqual(told)
})

test('staff are told how the network refuses a SIM that nothing is held against', async () => {
  const { asset, params } = await withSim('active')
  const staff = await newStaff()
  const ask = async () => {
    expect((await ada.call(ops.askStaff, { params, body: { message: 'It is dark' } })).status).toBe(200)
    return (await house.mails(staff.email)).at(-1)!.text
  }
  expect(await ask()).toContain('nothing refused it in the last hour')
  await prepareMetering(house.app)
  const at = house.clock.now().getTime()
  const of = { account_id: ada.account_id, sim_id: asset.sim!.id, asset_id: asset.id, gateway: null, before: null, after: null }
  const refused = { kind: 'rejected' as const, key: 'x', at, words: 'Roaming not allowed', mccmnc: '208-01', rat: null }
  await house.app.db.transaction().execute((tx) => keepConnectionEvents(tx, [{ ...refused, ...of }]))
  const text = await ask()
  expect(text).toContain(`The operator refused access once, last at ${new Date(at).toISOString()}: Roaming not allowed`)
  for (const words of ['Network group: Default', 'Data pool: –', 'Session: none is open']) expect(text).toContain(words)
  const forbidden = 'France is not allowed by the network group Default'
  const words = 'Administratively prohibited (501)'
  const disconnect = JSON.stringify({ requested_at: house.clock.now(), answered_at: house.clock.now(), attempts: 1, answer: 'nak', words })
  const { acct_session_id } = await addSession(house, asset, ada.account_id, { forbidden, disconnect })
  const cut = await ask()
  const goesOn = `Its session goes on, as its gateway refused to end it: ${words}`
  for (const said of [`Its session is cut: ${forbidden}`, goesOn, `Session: ${acct_session_id} at `]) expect(cut).toContain(said)
})

test('a reset asks for what is open, whatever service the SIM has', async () => {
  const { asset, params } = await withSim('active')
  expect((await ada.call(ops.resetSim, { params })).body).toMatchObject({
    sessions: 0,
    words: expect.stringContaining('No session is open'),
  })
  await addSession(house, asset, ada.account_id)
  expect((await ada.call(ops.resetSim, { params })).body).toMatchObject({
    sessions: 1,
    words: expect.stringContaining('asked to end the session'),
  })
  expect((await house.events(ada.account_id)).map(({ name }) => name)).toContain('assets.sessions_reset')
})
