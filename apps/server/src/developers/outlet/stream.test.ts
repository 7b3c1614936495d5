import { startBulkChange } from '@masthead/contract/assets/bulk/bulk-operations'
import { updateAsset } from '@masthead/contract/assets/operations'
import { getStream } from '@masthead/contract/developers/stream-operations'
import { dayOf } from '@masthead/contract/kernel/time'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chainEvents } from '../../activities/index.ts'
import { dropOldRecords } from '../../usage/index.ts'
import { rollUpAll } from '../../usage/roll-ups/test-roll-up-all.ts'
import { openMeteredHouse, readingOf, type MeteredHouse, type TestSim } from '../../metering/test-network.ts'
import { newKey, withKey } from '../test-keys.ts'

let house: MeteredHouse
beforeAll(async () => {
  house = await openMeteredHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

type Call = MeteredHouse['owner']['call']
type Message = { id?: string; event?: string; data?: { type: string; data: Record<string, unknown> } }
/** The messages of an answer, and the id to go on from. */
async function read(call: Call, headers: Record<string, string> = {}) {
  const { status, text } = await call(getStream, {}, headers)
  expect(status, text).toBe(200)
  const all: Message[] = text
    .split('\n\n')
    .filter(Boolean)
    .map((block) =>
      Object.fromEntries(block.split('\n').flatMap((line) => (/^(id|event|data): (.*)$/.exec(line) ? [[RegExp.$1, RegExp.$2]] : [])))
    )
    .map((fields: Record<string, string>) => ({ ...fields, data: fields.data ? JSON.parse(fields.data) : undefined }))
  return { messages: all.filter(({ event }) => event), last: all.findLast(({ id }) => id)!.id! }
}
let sessions = 0
const use = (sim: TestSim, up: number, at = house) =>
  at.meter.ingest.addAll([readingOf(at, sim, { acct_session_id: `stream${++sessions}`, counter_up: up, counter_down: 0 })])
const usage = ({ messages }: { messages: Message[] }) =>
  messages.filter(({ event }) => event === 'usage').map(({ data }) => data!.data.bytes_up)

test('usage and activities come in order, and whoever comes back with the last id gets what is new, each once', async () => {
  const sim = await house.newSim()
  const key = withKey(house, (await newKey(house, house.owner, ['usage.view', 'overview.view', 'assets.view'])).secret).call as Call
  const begun = await read(key)
  expect(begun.messages).toEqual([])
  await use(sim, 11)
  await use(sim, 12)
  await house.owner.call(updateAsset, { params: { asset_id: sim.asset_id }, body: { name: 'Renamed' } })
  await chainEvents(house.app)
  // A transaction of somebody else that is still open holds back what came after it began.
  await expect.poll(async () => usage(await read(key, { 'last-event-id': begun.last }))).toEqual([11, 12])
  const first = await read(key, { 'last-event-id': begun.last })
  expect(first.messages.map(({ event }) => event)).toEqual(['usage', 'usage', 'assets.asset_renamed'])
  expect(first.messages[0]!.data).toMatchObject({
    type: 'usage',
    data: { asset_id: sim.asset_id, iccid: sim.iccid, bytes_up: 11, bytes_down: 0 },
  })
  expect(first.messages[2]!.data).toMatchObject({ data: { asset_id: sim.asset_id, sentence: expect.stringContaining('Renamed') } })
  await use(sim, 13)
  await expect.poll(async () => usage(await read(key, { 'last-event-id': first.last }))).toEqual([13])
  // From the middle: the records of one transaction are sent again whole, and nothing is left out.
  const middle = first.messages[0]!.id!
  expect(usage(await read(key, { 'last-event-id': middle }))).toEqual([12, 13])
})

test('a key without overview.view gets usage alone; another account gets nothing; a place that is none is refused', async () => {
  const sim = await house.newSim()
  const [other] = [await house.newOwner()]
  const key = withKey(house, (await newKey(house, house.owner, ['usage.view'])).secret).call as Call
  const [begun, elsewhere] = [await read(key), await read(other.call)]
  await use(sim, 21)
  await house.owner.call(updateAsset, { params: { asset_id: sim.asset_id }, body: { name: 'Again' } })
  await chainEvents(house.app)
  await expect.poll(async () => usage(await read(key, { 'last-event-id': begun.last }))).toEqual([21])
  expect((await read(key, { 'last-event-id': begun.last })).messages.map(({ event }) => event)).toEqual(['usage'])
  expect((await read(other.call, { 'last-event-id': elsewhere.last })).messages.filter(({ event }) => event === 'usage')).toEqual([])
  expect(await house.owner.call(getStream, {}, { 'last-event-id': 'nonsense' })).toMatchObject({
    status: 400,
    body: { fields: { after: expect.any(String) } },
  })
})

test('of activities each reads what they read in the list: who was granted nothing of them none', async () => {
  const sim = await house.newSim()
  const opens = ['usage.view', 'overview.view']
  const keyWith = async (...scopes: string[]) => withKey(house, (await newKey(house, house.owner, scopes)).secret).call as Call
  const callers = [
    await keyWith(...opens),
    (await house.newMember(house.owner, opens)).call,
    await keyWith(...opens, 'datapools.view'),
    await keyWith(...opens, 'assets.view'),
  ]
  await chainEvents(house.app)
  const begun = await Promise.all(callers.map((call) => read(call)))
  await house.owner.call(updateAsset, { params: { asset_id: sim.asset_id }, body: { name: 'Not for all' } })
  await chainEvents(house.app)
  const told = await Promise.all(callers.map((call, i) => read(call, { 'last-event-id': begun[i]!.last })))
  expect(told.map(({ messages }) => messages.map(({ event }) => event))).toEqual([[], [], [], ['assets.asset_renamed']])
})

test('a change of many assets is one activity, as webhooks are sent it', async () => {
  const sims = [await house.newSim(), await house.newSim()]
  const begun = await read(house.owner.call)
  await house.owner.call(startBulkChange, { body: { action: 'deactivate_sim', asset_ids: sims.map(({ asset_id }) => asset_id) } })
  await chainEvents(house.app)
  const { messages } = await read(house.owner.call, { 'last-event-id': begun.last })
  expect(messages.map(({ event }) => event)).toEqual(['assets.assets_changed'])
})

test('an id of before the database was restored is refused, and does not stand still without a word', async () => {
  const key = withKey(house, (await newKey(house, house.owner, ['usage.view'])).secret).call as Call
  const [xid, entry] = (await read(key)).last.split('-') as [string, string]
  for (const ahead of [`${BigInt(xid) + 1_000_000n}-${entry}`, `${xid}-${Number(entry) + 1000}`])
    expect(await key(getStream, {}, { 'last-event-id': ahead })).toMatchObject({ status: 409, body: { code: 'stream_place_lost' } })
  expect(await read(key, { 'last-event-id': `${xid}-${entry}` })).toMatchObject({ messages: [] })
})

test('who comes back with an id of before the records that are kept hears once that some are missing, and gets the others', async () => {
  await using own = await openMeteredHouse()
  const sim = await own.newSim()
  const key = withKey(own, (await newKey(own, own.owner, ['usage.view'])).secret).call as Call
  const begun = await read(key)
  // Of a later day than what a later transaction writes.
  const later = new Date(own.clock.now().getTime() + 2 * 86_400_000)
  await sql`insert into usage_record (account_id, sim_id, session_id, event_at, received_at, bytes_up, bytes_down, mccmnc, rat)
    values (${own.owner.account_id}, ${sim.id}, 'ses_later', ${later}, ${later}, 53, 0, '', '')`.execute(own.db)
  await use(sim, 51, own)
  await rollUpAll(own.app)
  own.clock.advance({ days: 2 })
  await dropOldRecords(own.app, own.clock.now(), 1)
  await use(sim, 52, own)
  await expect.poll(async () => usage(await read(key, { 'last-event-id': begun.last }))).toEqual([53, 52])
  const { messages, last } = await read(key, { 'last-event-id': begun.last })
  expect(messages.map(({ event }) => event)).toEqual(['gap', 'usage', 'usage'])
  expect(messages[0]!.data!.data).toEqual({
    kept_since: `${dayOf(own.clock.now().getTime() - 86_400_000)}T00:00:00.000Z`,
    words: expect.stringMatching(/^Usage records of before .* are kept no longer: those that came after your last id are missing here/),
  })
  expect((await read(key, { 'last-event-id': last })).messages).toEqual([])
  expect((await read(key)).messages).toEqual([])
})

test('who gets nothing of what others used goes on after it, and hears step by step how far that is', async () => {
  const sim = await house.newSim()
  const key = withKey(house, (await newKey(house, await house.newOwner(), ['usage.view'])).secret).call as Call
  const begun = await read(key)
  await use(sim, 31)
  await expect.poll(async () => (await read(key, { 'last-event-id': begun.last })).last).not.toBe(begun.last)
  // More than one step looks at.
  for (let part = 0; part < 3; part++)
    await sql`insert into usage_record (account_id, sim_id, session_id, event_at, received_at, bytes_up, bytes_down, mccmnc, rat)
      select ${house.owner.account_id}, ${sim.id}, 'ses_many', ${house.clock.now()}, ${house.clock.now()}, 1, 0, '', '' from generate_series(1, 20000)`.execute(
      house.db
    )
  const told = async () => {
    const { text } = await key(getStream, {}, { 'last-event-id': begun.last })
    return new Set(text.match(/^id: .*$/gm))
  }
  await expect.poll(async () => (await told()).size).toBeGreaterThanOrEqual(4)
})
