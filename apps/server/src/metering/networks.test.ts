import { dayOf } from '@masthead/contract/kernel/time'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { listTimeline } from '@masthead/contract/assets/connection-operations'
import { getEnforcement, getEnforcementFigures, listEnforcements } from '@masthead/contract/assets/enforcement-operations'
import { getServiceHistory } from '@masthead/contract/assets/past/history-operations'
import { listAssets, updateAsset } from '@masthead/contract/assets/operations'
import { createNetworkGroup, updateNetworkGroup } from '@masthead/contract/network-groups/operations'
import { encodeReply } from '@masthead/radius/authenticator'
import { dictionary } from '@masthead/radius/dictionary'
import { codes, decode, find, type Packet } from '@masthead/radius/packet'
import { readRequest } from '@masthead/radius/records'
import { chainEvents } from '../activities/chain-events.ts'
import { clearDataLimits } from './data-limit.ts'
import { notifyLimits } from './notify-limits.ts'
import { openMeteredHouse, packetOf, type MeteredHouse, type TestSim } from './test-network.ts'

/** A gateway that confirms each Disconnect-Request; gives the sessions it was asked to end. */
function confirmCuts(house: MeteredHouse): string[] {
  const asked: string[] = []
  house.coa.on('message', (datagram, from) => {
    const packet = decode(datagram) as Packet
    asked.push(readRequest(packet).session_id!)
    house.coa.send(encodeReply(packet, codes.disconnect_ack, {}, Buffer.from('secret')), from.port, from.address)
  })
  return asked
}

const at = (mccmnc: string) => ({ sgsn_mccmnc: mccmnc.replace('-', '') })

async function groupWith(house: MeteredHouse, sims: readonly TestSim[], body: object) {
  const made = await house.owner.call(createNetworkGroup, { body: { name: 'Reefers', ...body } as never })
  expect(made.status, JSON.stringify(made.body)).toBe(200)
  for (const { asset_id } of sims) {
    const moved = await house.owner.call(updateAsset, { params: { asset_id }, body: { supersim: { network_group: made.body.id } } })
    expect(moved.status).toBe(200)
  }
  await house.settle()
  return made.body.id
}

const answer = (reply: Packet) => [reply.code === codes.access_accept ? 'accept' : 'reject', find(reply, dictionary.reply_message)]
const timelineOf = async (house: MeteredHouse, { asset_id }: TestSim, kind: string[]) =>
  (await house.owner.call(listTimeline, { params: { asset_id }, query: { kind } as never })).body.items

test('a refused country, operator or technology is a Reject and no block; a request that names no network passes', async () => {
  await using house = await openMeteredHouse()
  const sim = await house.newSim()
  await groupWith(house, [sim], { countries: ['DE'], networks: ['260-06'], rats: ['EUTRAN', 'NB-IoT'] })
  const ask = async (attributes: object) => answer(await house.client.access({ imsi: sim.imsi, ...attributes }))
  expect(await ask({})).toEqual(['accept', null])
  expect(await ask({ ...at('262-01'), rat_type: 6 })).toEqual(['accept', null])
  expect(await ask(at('260-06'))).toEqual(['accept', null])
  expect(await ask(at('260-03'))).toEqual(['reject', 'The network 260-03 is not allowed by the network group Reefers'])
  expect(await ask(at('208-01'))).toEqual(['reject', 'France is not allowed by the network group Reefers'])
  expect(await ask({ ...at('262-01'), rat_type: 2 })).toEqual(['reject', '2G is not allowed by the network group Reefers'])
  const { blocks, status } = await house.db
    .selectFrom('sim')
    .select(['blocks', 'status'])
    .where('id', '=', sim.id)
    .executeTakeFirstOrThrow()
  expect([blocks, status]).toEqual([[], 'active'])
})

test('however often a SIM is refused within an hour, it is one row with its count', async () => {
  await using house = await openMeteredHouse()
  // Within one hour.
  house.clock.set(`${dayOf(house.clock.now())}T23:10:00Z`)
  const sim = await house.newSim()
  await groupWith(house, [sim], { countries: ['DE'] })
  for (let i = 0; i < 5; i++) await house.client.access({ imsi: sim.imsi, ...at('208-01') })
  await house.client.access({ imsi: sim.imsi, ...at('262-01') })
  // What waits is written once the meter stops, too.
  await house.restartMeter()
  const kept = await timelineOf(house, sim, ['network'])
  expect(kept.map(({ kind, count, words, network }) => [kind, count, words, network?.mccmnc]).toSorted()).toEqual([
    ['accepted', 1, null, '262-01'],
    ['rejected', 5, 'France is not allowed by the network group Reefers', '208-01'],
  ])
})

test('a session on a network that its group does not allow is cut: when it begins there, and when it moves there', async () => {
  await using house = await openMeteredHouse()
  const asked = confirmCuts(house)
  const [first, moves, late, free] = [await house.newSim(), await house.newSim(), await house.newSim(), await house.newSim()]
  await groupWith(house, [first, moves, late], { countries: ['DE'] })
  await house.client.account(packetOf(first, 'start', { id: 'a', ...at('208-01') }))
  await house.client.account(packetOf(moves, 'start', { id: 'b', ...at('262-01') }))
  await house.client.account(packetOf(free, 'start', { id: 'c', ...at('208-01') }))
  await house.client.account(packetOf(late, 'start', { id: 'd' }))
  await house.settle()
  expect(asked).toEqual(['a'])
  await house.client.account(packetOf(moves, 'interim', { id: 'b', time: 60, up: 10, ...at('208-01') }))
  await house.settle()
  expect(asked).toEqual(['a', 'b'])
  // One that did not say where it began.
  await house.client.account(packetOf(late, 'interim', { id: 'd', time: 60, up: 10, ...at('208-01') }))
  await house.settle()
  expect(asked).toEqual(['a', 'b', 'd'])
  const [session] = await house.sessionsOf(moves)
  expect(session).toMatchObject({ end_cause: 'Cut by Masthead', forbidden: 'France is not allowed by the network group Reefers' })
  await house.restartMeter()
  const events = await timelineOf(house, moves, ['network', 'sessions'])
  expect(events.map(({ kind }) => kind).toSorted()).toEqual(['forbidden', 'network_changed', 'session_ended', 'session_started'])
  expect(events.find(({ kind }) => kind === 'network_changed')).toMatchObject({ before: '262-01', after: '208-01' })
  const told = { id: 'c', time: 60, up: 10, at: Math.floor(house.clock.now().getTime() / 1000) + 60 }
  await house.client.account(packetOf(free, 'interim', { ...told, ...at('208-01') }))
  expect(await timelineOf(house, free, ['sessions'])).toMatchObject([{ kind: 'session_updated', bytes: 10 }, { kind: 'session_started' }])
  const [last] = await timelineOf(house, moves, ['activities'])
  expect(last!.activity!.sentence).toContain('confirmed by the gateway: France is not allowed by the network group Reefers')
})

test('a group that is changed, and a SIM that is moved, have their sessions cut on what is no longer allowed', async () => {
  await using house = await openMeteredHouse()
  const asked = confirmCuts(house)
  const [mine, later] = [await house.newSim(), await house.newSim()]
  const network_group_id = await groupWith(house, [mine], {})
  await house.client.account(packetOf(mine, 'start', { id: 'a', ...at('208-01') }))
  await house.client.account(packetOf(later, 'start', { id: 'b', ...at('208-01') }))
  await house.settle()
  expect(asked).toEqual([])
  await house.owner.call(updateNetworkGroup, { params: { network_group_id }, body: { countries: ['DE'] } })
  await house.settle()
  expect(asked).toEqual(['a'])
  const body = { supersim: { network_group: network_group_id } }
  await house.owner.call(updateAsset, { params: { asset_id: later.asset_id }, body })
  await house.settle()
  expect(asked).toEqual(['a', 'b'])
})

test('a limit of the default group holds for SIMs that nobody put into one', async () => {
  await using house = await openMeteredHouse()
  confirmCuts(house)
  const sim = await house.newSim()
  await house.owner.call(updateNetworkGroup, { params: { network_group_id: 'default' }, body: { limit_bytes: 1_000_000 } })
  await house.settle()
  await house.client.account(packetOf(sim, 'interim', { time: 60, up: 1_000_000 }))
  expect(answer(await house.client.access({ imsi: sim.imsi }))).toEqual(['reject', 'This SIM is blocked: Used 1 MB of 1 MB this month'])
})

test('a limit that only notifies blocks nobody, and notifies once in its period', async () => {
  await using house = await openMeteredHouse()
  const [sim, ungrouped] = [await house.newSim(), await house.newSim()]
  await groupWith(house, [sim], { limit_bytes: 1_000_000, on_limit: 'alert' })
  const body = { limit_bytes: 2_000_000, on_limit: 'alert' } as const
  await house.owner.call(updateNetworkGroup, { params: { network_group_id: 'default' }, body })
  await house.client.account(packetOf(sim, 'interim', { time: 60, up: 1_200_000 }))
  await house.client.account(packetOf(ungrouped, 'interim', { id: 'b', time: 60, up: 2_300_000 }))
  for (let i = 0; i < 2; i++) await notifyLimits(house.app)
  const reply = await house.client.access({ imsi: sim.imsi })
  expect(answer(reply)[0]).toBe('accept')
  // Nor does it make sessions shorter, as one that blocks does where little of it is left.
  expect(find(reply, dictionary.session_timeout)).toBe(86_400)
  const told = (await house.events(house.owner.account_id)).filter(({ name }) => name === 'assets.limit_reached')
  expect(told.map(({ detail }) => [detail.used_bytes, detail.limit_bytes]).toSorted()).toEqual([
    [1_200_000, 1_000_000],
    [2_300_000, 2_000_000],
  ])
})

test('an enforcement is proved from the report to the answer of the gateway, with its place in the chain', async () => {
  await using house = await openMeteredHouse()
  const asked = confirmCuts(house)
  const [sim, other] = [await house.newSim(), await house.newSim()]
  await groupWith(house, [sim, other], { limit_bytes: 1_000_000 })
  await house.client.account(packetOf(sim, 'start', { id: 'a' }))
  house.clock.advance({ seconds: 60 })
  await house.client.account(packetOf(sim, 'interim', { id: 'a', time: 60, up: 1_250_000 }))
  await house.settle()
  expect(asked).toEqual(['a'])
  await house.client.access({ imsi: sim.imsi })
  await house.restartMeter()
  while (await chainEvents(house.app));
  const { items } = (await house.owner.call(listEnforcements, { query: { asset_id: sim.asset_id } as never })).body
  expect(items).toHaveLength(1)
  const { id } = items[0]!
  const { body } = await house.owner.call(getEnforcement, { params: { enforcement_id: id } })
  expect(body).toMatchObject({
    limit_bytes: 1_000_000,
    used_bytes: 1_250_000,
    overshoot_bytes: 250_000,
    group_name: 'Reefers',
    answer: 'ack',
    attempts: 1,
    record: { bytes: 1_250_000 },
    session: { acct_session_id: 'a', end_cause: 'Cut by Masthead' },
    decision: { metadata: { action: 'sim_blocked' } },
    chain: { unchanged: true, number: expect.any(Number) },
    rejected: 1,
  })
  expect(Date.parse(body.asked_at!)).toBeGreaterThanOrEqual(Date.parse(body.reached_at))
  const figures = (await house.owner.call(getEnforcementFigures)).body
  expect(figures).toMatchObject({ reached: 1, cut: 1, open: 0, overshoot_bytes: 250_000, request_ms: { half: body.request_ms } })
  // Who changes the event afterwards is found out.
  await house.db.transaction().execute(async (tx) => {
    await sql`alter table event disable trigger user`.execute(tx)
    await tx.updateTable('event').set({ actor_email: 'somebody' }).where('id', '=', body.decision!.id).execute()
    await sql`alter table event enable trigger user`.execute(tx)
  })
  expect((await house.owner.call(getEnforcement, { params: { enforcement_id: id } })).body.chain).toMatchObject({ unchanged: false })
  const stranger = await house.newOwner()
  expect((await stranger.call(getEnforcement, { params: { enforcement_id: id } })).status).toBe(404)
})

test('within an hour, what is rejected for one reason is counted apart from what is rejected for another', async () => {
  await using house = await openMeteredHouse()
  house.clock.set(`${dayOf(house.clock.now())}T23:10:00Z`)
  const sim = await house.newSim()
  await groupWith(house, [sim], { limit_bytes: 1_000_000 })
  const hold = { code: 'staff', since: house.clock.now().toISOString(), by: 'staff', words: 'Fraud', clears: 'When staff lift the hold' }
  await house.db
    .updateTable('sim')
    .set({ blocks: JSON.stringify([hold]) })
    .where('id', '=', sim.id)
    .execute()
  for (let i = 0; i < 3; i++) expect(answer(await house.client.access({ imsi: sim.imsi }))[0]).toBe('reject')
  await house.db.updateTable('sim').set({ blocks: '[]' }).where('id', '=', sim.id).execute()
  house.clock.advance({ minutes: 5 })
  await house.client.account(packetOf(sim, 'stop', { id: 'a', time: 60, up: 1_250_000 }))
  for (let i = 0; i < 2; i++) expect(answer(await house.client.access({ imsi: sim.imsi }))[0]).toBe('reject')
  await house.restartMeter()
  const kept = await timelineOf(house, sim, ['network'])
  expect(kept.map(({ count, words }) => [count, words])).toEqual([
    [2, 'This SIM is blocked: Used 1.25 MB of 1 MB this month'],
    [3, 'This SIM is blocked: Fraud'],
  ])
  const { items } = (await house.owner.call(listEnforcements, { query: { asset_id: sim.asset_id } as never })).body
  const { body } = await house.owner.call(getEnforcement, { params: { enforcement_id: items[0]!.id } })
  expect(body.rejected).toBe(2)
})

test('a SIM that its group refuses where it is says so now, until it is accepted or its group allows that', async () => {
  await using house = await openMeteredHouse()
  const sim = await house.newSim()
  const network_group_id = await groupWith(house, [sim], { countries: ['DE'] })
  const refused = async () => {
    await house.restartMeter()
    return (await house.owner.call(getServiceHistory, { params: { asset_id: sim.asset_id } })).body.refused
  }
  const listed = async () => (await house.owner.call(listAssets, { query: {} })).body.items[0]!.sim!.refused
  expect([await refused(), await listed()]).toEqual([null, null])
  for (let i = 0; i < 3; i++) await house.client.access({ imsi: sim.imsi, ...at('208-01') })
  const words = 'France is not allowed by the network group Reefers'
  expect(await refused()).toEqual({ by: 'group', words, count: 3, last_at: house.clock.now().toISOString(), pool_id: null })
  expect(await listed()).toEqual({ at: house.clock.now().toISOString(), words })
  await house.owner.call(updateNetworkGroup, { params: { network_group_id }, body: { countries: ['DE', 'FR'] } })
  expect(await refused()).toBeNull()
  await house.owner.call(updateNetworkGroup, { params: { network_group_id }, body: { countries: ['DE'] } })
  expect(await refused()).toMatchObject({ by: 'group' })
  house.clock.advance({ minutes: 1 })
  await house.client.access({ imsi: sim.imsi, ...at('262-01') })
  expect([await refused(), await listed()]).toEqual([null, null])
})

test('what was used before a limit was set is not beyond it', async () => {
  await using house = await openMeteredHouse()
  confirmCuts(house)
  const sim = await house.newSim()
  await house.client.account(packetOf(sim, 'interim', { id: 'a', time: 60, up: 5_000_000 }))
  await groupWith(house, [sim], { limit_bytes: 1_000_000 })
  await house.client.account(packetOf(sim, 'stop', { id: 'a', time: 61, up: 5_000_700 }))
  await house.settle()
  await clearDataLimits(house.app)
  const [held] = (await house.owner.call(listEnforcements)).body.items
  expect(held).toMatchObject({ by_change: true, used_bytes: 5_000_000, overshoot_bytes: 700 })
})

test('a limit that is reached while no session is open was held by no cut, so that no figure says how fast', async () => {
  await using house = await openMeteredHouse()
  const sim = await house.newSim()
  await house.client.account(packetOf(sim, 'stop', { id: 'a', time: 60, up: 5_000_000 }))
  await groupWith(house, [sim], { limit_bytes: 1_000_000 })
  await clearDataLimits(house.app)
  const { items } = (await house.owner.call(listEnforcements)).body
  expect(items).toMatchObject([{ cut_at: expect.any(String), asked_at: null, latency_ms: null }])
  expect((await house.owner.call(getEnforcementFigures)).body).toMatchObject({ reached: 1, cut: 1, request_ms: null, latency_ms: null })
})

test('a SIM that is seen in another device is an event', async () => {
  await using house = await openMeteredHouse()
  const sim = await house.newSim()
  await house.client.account(packetOf(sim, 'start', { id: 'a', imeisv: '3569380312345601' }))
  await house.client.account(packetOf(sim, 'start', { id: 'b', imeisv: '8676980412345601' }))
  await house.restartMeter()
  const [change] = await timelineOf(house, sim, ['network'])
  expect(change).toMatchObject({
    kind: 'imei_changed',
    before: expect.stringMatching(/^35693803/),
    after: expect.stringMatching(/^86769804/),
  })
})
