import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Window } from '@masthead/contract/alpon-fleets/rollout'
import { mostAgentFailures, mostAgentUpdates } from '@masthead/contract/devices/agent/agent-rules'
import { getAgentRules, updateAgentRules } from '@masthead/contract/devices/agent/agent-rules-operations'
import { getAgent, updateAgent } from '@masthead/contract/devices/agent/operations'
import { listAlerts } from '@masthead/contract/notifications/operations'
import { createTag } from '@masthead/contract/tags/operations'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { sql } from 'kysely'
import { wakeAgentRules } from './keep-updated.ts'
import { offerAgent, putAgent } from './test-agent.ts'

let house: House
let ada: Person
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house[Symbol.asyncDispose]())
beforeEach(async () => {
  ada = await house.newOwner()
})

type Put = Awaited<ReturnType<typeof putAgent>>
type Said = { agent?: string; state?: string; id?: string; words?: string | null; online?: boolean }

/** The device is there, and reports this version and how far its update is. */
async function says({ device_id }: Put, { agent = '0.1.0', state, id = '', words = null, online = true }: Said = {}) {
  const update = state === undefined ? null : { id, version: '0.2.0', state, words, at: house.clock.now().toISOString() }
  const versions = { agent, os: 'Debian', kernel: '6', engine: null }
  await sql`update device set online = ${online}, reported = ${JSON.stringify({ agent: { versions, update } })}::jsonb
    where id = ${device_id}`.execute(house.db)
}
async function putAgents(count: number): Promise<Put[]> {
  const agents: Put[] = []
  for (let i = 0; i < count; i++) agents.push(await putAgent(house, ada))
  for (const agent of agents) await says(agent)
  return agents
}
const set = (window: Window | null = null, enabled = true) => ada.call(updateAgentRules, { body: { enabled, window } })
const rules = async () => (await ada.call(getAgentRules)).body
async function check() {
  await wakeAgentRules(house.app)
  await house.settle()
}
/** The updates that were asked for, by their devices. */
async function asked() {
  const all = await house.db.selectFrom('agent_update').selectAll().where('account_id', '=', ada.account_id).execute()
  return new Map(all.map((row) => [row.device_id, row]))
}
const goBack = async (agent: Put) =>
  says(agent, { state: 'gone_back', id: (await asked()).get(agent.device_id)!.id, words: 'Version 0.2.0 ended 3 times' })
const eventsOf = async (name: string) => (await house.events(ada.account_id)).filter((event) => event.name === name)

test('nothing is updated until somebody wants it; then agents that are online and older, a few at a time', async () => {
  const agents = await putAgents(mostAgentUpdates + 3)
  const [first, second] = agents as [Put, Put]
  await says(first, { online: false })
  await says(second, { agent: '0.2.0' })
  await check()
  expect((await asked()).size).toBe(0)
  expect(await rules()).toMatchObject({ enabled: false, window: null, offered: '0.2.0', stopped: null, changed_by: null, limited: false })

  expect((await set()).body).toMatchObject({ enabled: true, changed_by: ada.email })
  await check()
  await check()
  const begun = await asked()
  expect(begun.size).toBe(mostAgentUpdates)
  expect([begun.has(first.device_id), begun.has(second.device_id)]).toEqual([false, false])
  expect([...begun.values()].every(({ version, asked_by }) => version === '0.2.0' && asked_by === 'system')).toBe(true)

  // One on trial is not done; one that runs the version makes room for the next.
  const [one, other] = agents.filter(({ device_id }) => begun.has(device_id)) as [Put, Put]
  await says(one, { agent: '0.2.0', state: 'on_trial', id: begun.get(one.device_id)!.id })
  await check()
  expect((await asked()).size).toBe(mostAgentUpdates)
  await says(one, { agent: '0.2.0' })
  await says(other, { agent: '0.2.0' })
  await check()
  expect((await asked()).size).toBe(mostAgentUpdates + 1)
  const told = (await house.events(ada.account_id)).filter(({ name }) => name.startsWith('assets.agent_update'))
  expect(told.map(({ name, actor_email }) => `${name} ${actor_email}`).toSorted()).toEqual([
    ...Array.from({ length: mostAgentUpdates + 1 }, () => 'assets.agent_update_asked system'),
    'assets.agent_updated system',
    'assets.agent_updated system',
  ])
})

test('a device whose update failed is left alone for a day', async () => {
  const [agent] = (await putAgents(1)) as [Put]
  await set()
  await check()
  await goBack(agent)
  await check()
  expect(await eventsOf('assets.agent_update_failed')).toMatchObject([
    { detail: { asset_id: agent.asset_id, version: '0.2.0', words: 'Version 0.2.0 ended 3 times' } },
  ])
  // Its screen goes on saying why.
  expect((await ada.call(getAgent, { params: { asset_id: agent.asset_id } })).body.update).toMatchObject({ state: 'gone_back' })
  const { id } = (await asked()).get(agent.device_id)!
  house.clock.advance({ hours: 23 })
  // Another version by now is no reason either.
  offerAgent(house, '0.3.0')
  await check()
  expect((await asked()).get(agent.device_id)!.id).toBe(id)
  house.clock.advance({ hours: 1, minutes: 1 })
  await check()
  expect((await asked()).get(agent.device_id)).toMatchObject({ version: '0.3.0' })
  expect(await eventsOf('assets.agent_update_failed')).toHaveLength(1)
})

test('after failures in a row it stops with an alert, until the rules are set again', async () => {
  const agents = await putAgents(mostAgentFailures + mostAgentUpdates)
  await set()
  await check()
  const tried = [...(await asked()).keys()]
  for (const device_id of tried.slice(0, mostAgentFailures)) await goBack(agents.find((agent) => agent.device_id === device_id)!)
  await check()
  expect((await rules()).stopped).toMatchObject({ version: '0.2.0' })
  expect(await eventsOf('devices.agent_updates_stopped')).toMatchObject([
    { actor_email: 'system', detail: { failures: mostAgentFailures } },
  ])
  const alerts = async () => (await ada.call(listAlerts)).body.items.filter(({ source }) => source === 'device')
  expect(await alerts()).toMatchObject([{ severity: 'warn', state: 'open', title: 'The automatic updates of agents have stopped' }])
  await check()
  expect((await asked()).size).toBe(mostAgentUpdates)

  // What had begun still ends, and the same rules set once more are a new beginning.
  const rest = tried.slice(mostAgentFailures).map((device_id) => agents.find((agent) => agent.device_id === device_id)!)
  for (const agent of rest) await says(agent, { agent: '0.2.0' })
  await check()
  expect(await eventsOf('assets.agent_updated')).toHaveLength(rest.length)
  expect((await rules()).stopped).not.toBeNull()
  expect((await set()).body).toMatchObject({ enabled: true, stopped: null })
  await check()
  expect((await asked()).size).toBe(agents.length)
  expect(await alerts()).toMatchObject([{ state: 'resolved' }])
})

test('a success between failures begins the row anew', async () => {
  const agents = await putAgents(mostAgentFailures + 1)
  await set()
  await check()
  for (const [i, agent] of agents.entries()) {
    if (i === 1) await says(agent, { agent: '0.2.0' })
    else await goBack(agent)
    await check()
  }
  expect(await eventsOf('assets.agent_update_failed')).toHaveLength(mostAgentFailures)
  expect((await rules()).stopped).toBeNull()
})

test('one that is not done in time has failed and is asked no more; one that went away before it heard of it has not', async () => {
  const [silent, away] = (await putAgents(2)) as [Put, Put]
  await set()
  await check()
  await says(away, { online: false })
  house.clock.advance({ minutes: 21 })
  await check()
  expect(await eventsOf('assets.agent_update_failed')).toMatchObject([
    { detail: { asset_id: silent.asset_id, words: 'it was not done within 20 minutes' } },
  ])
  expect((await asked()).size).toBe(0)
  await says(away)
  await check()
  expect([...(await asked()).keys()]).toEqual([away.device_id])
})

test('a worker of an older release leaves alone what one of a newer release beside it began, and one of a newer release begins its own', async () => {
  const agents = await putAgents(2)
  const versions = async () => [...(await asked()).values()].map(({ version }) => version)
  await set()
  offerAgent(house, '0.3.0')
  await check()
  const begun = await asked()
  offerAgent(house, '0.2.0')
  await check()
  expect(await asked()).toEqual(begun)
  offerAgent(house, '0.4.0')
  await check()
  expect(await versions()).toEqual(['0.4.0', '0.4.0'])
  // The release of before is all that runs by now.
  offerAgent(house, '0.2.0')
  house.clock.advance({ minutes: 41 })
  await check()
  expect(await versions()).toEqual(['0.2.0', '0.2.0'])
  for (const agent of agents) await says(agent, { agent: '0.2.0' })
  await check()
  expect(await eventsOf('assets.agent_updated')).toHaveLength(2)
  expect(await eventsOf('assets.agent_update_failed')).toEqual([])
})

test('a worker of an older release does not replace for a day what somebody asked for at a newer one', async () => {
  const [agent] = (await putAgents(1)) as [Put]
  offerAgent(house, '0.3.0')
  expect((await ada.call(updateAgent, { params: { asset_id: agent.asset_id } })).status).toBe(200)
  offerAgent(house, '0.2.0')
  await set()
  await check()
  expect((await asked()).get(agent.device_id)).toMatchObject({ version: '0.3.0', asked_by: ada.email })
  house.clock.advance({ hours: 24, minutes: 1 })
  await check()
  expect((await asked()).get(agent.device_id)).toMatchObject({ version: '0.2.0', asked_by: 'system' })
})

test('an update begins in the maintenance window only, and ends outside of it', async () => {
  const [agent] = (await putAgents(1)) as [Put]
  house.clock.set(`${new Date(house.clock.now().getTime() + 86_400_000).toISOString().slice(0, 10)}T12:00:00Z`)
  const window = { days: [0, 1, 2, 3, 4, 5, 6], from_minute: 22 * 60, to_minute: 4 * 60, timezone: 'UTC' }
  expect((await set(window)).body.window).toEqual(window)
  await check()
  expect((await asked()).size).toBe(0)
  house.clock.advance({ hours: 15 })
  await check()
  expect((await asked()).size).toBe(1)
  house.clock.advance({ hours: 1, minutes: 5 })
  await says(agent, { agent: '0.2.0' })
  await check()
  expect(await eventsOf('assets.agent_updated')).toHaveLength(1)
  expect(await set({ ...window, days: [] })).toMatchObject({ status: 400 })
  expect(await set({ ...window, timezone: 'Mars/Base' })).toMatchObject({ status: 400 })
})

test('what somebody asks for by hand is theirs', async () => {
  const [agent, other] = (await putAgents(2)) as [Put, Put]
  await ada.call(updateAgent, { params: { asset_id: agent.asset_id } })
  await set()
  await check()
  expect([...(await asked()).values()].map(({ asked_by }) => asked_by).toSorted()).toEqual([ada.email, 'system'].toSorted())
  await ada.call(updateAgent, { params: { asset_id: other.asset_id } })
  await goBack(other)
  await check()
  expect(await eventsOf('assets.agent_update_failed')).toEqual([])
  expect((await asked()).get(other.device_id)!.asked_by).toBe(ada.email)
})

test('switched off, or while the account is suspended, nothing is begun; set as they are, the rules say nothing', async () => {
  await putAgents(1)
  await set()
  await set()
  expect(await eventsOf('devices.agent_rules_set')).toMatchObject([{ detail: { enabled: true, in_window: false } }])
  const suspend = (at: Date | null) =>
    house.db
      .updateTable('account')
      .set({ suspended_at: at, suspended_reason: at && 'Unpaid' })
      .where('id', '=', ada.account_id)
      .execute()
  await suspend(house.clock.now())
  await check()
  await suspend(null)
  await set(null, false)
  await check()
  expect((await asked()).size).toBe(0)
})

test('whoever is limited to tags sees the rules and cannot set them', async () => {
  const tag = (await ada.call(createTag, { body: { name: 'north' } })).body.id
  const member = await house.newMember(ada, ['assets.view', 'assets.edit'], [tag])
  expect((await member.call(getAgentRules)).body).toMatchObject({ enabled: false, limited: true })
  const refused = await member.call(updateAgentRules, { body: { enabled: true, window: null } })
  expect([refused.status, refused.body.code]).toEqual([403, 'forbidden'])
  expect((await rules()).enabled).toBe(false)
})
