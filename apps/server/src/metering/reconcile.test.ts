import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { deactivateSim, updateAsset } from '@masthead/contract/assets/operations'
import { sessionCut } from '@masthead/contract/assets/events'
import type { SimBlock } from '@masthead/contract/assets/sim'
import { sentenceOf } from '@masthead/contract/kernel/event'
import { encodeReply } from '@masthead/radius/authenticator'
import { dictionary } from '@masthead/radius/dictionary'
import { codes, decode, find, type Packet } from '@masthead/radius/packet'
import { addBlocks, clearBlocks } from '../assets/service/index.ts'
import { takeBack } from '../kernel/jobs/job-runners.ts'
import { countReadings } from './index.ts'
import { openMeteredHouse, packetOf, readingOf, type MeteredHouse, type TestSim } from './test-network.ts'

const words = 'Found on another continent'
const staffBlock: SimBlock = { code: 'staff', since: '2026-11-01T00:00:00.000Z', by: 'staff', words, clears: 'When staff lift the hold' }

/** The gateway's side of Disconnect-Requests: `nothing` ignores them, a number refuses with that Error-Cause. Gives how often it was asked. */
function answering(house: MeteredHouse) {
  const gateway = { says: 'ack' as 'ack' | 'nothing' | number, asked: 0 }
  house.coa.on('message', (datagram, from) => {
    gateway.asked++
    if (gateway.says === 'nothing') return
    const [code, attributes] =
      gateway.says === 'ack' ? ([codes.disconnect_ack, {}] as const) : ([codes.disconnect_nak, { error_cause: gateway.says }] as const)
    house.coa.send(encodeReply(decode(datagram) as Packet, code, attributes, Buffer.from('secret')), from.port, from.address)
  })
  return gateway
}

const keyOf = (house: MeteredHouse, sim: TestSim) => ({ account_id: house.owner.account_id, sim_id: sim.id })
const block = (house: MeteredHouse, sims: readonly TestSim[]) =>
  house.db.transaction().execute((tx) =>
    addBlocks(
      tx,
      sims.map((sim) => ({ ...keyOf(house, sim), block: staffBlock }))
    )
  )
const report = (house: MeteredHouse, sim: TestSim, time: number) => house.client.account(packetOf(sim, 'interim', { time, up: time }))
const cutJobs = async (house: MeteredHouse) =>
  (
    await sql<{
      attempts: number
      max_attempts: number
    }>`select attempts, max_attempts from graphile_worker.jobs where key like 'cut_session:%'`.execute(house.db)
  ).rows
/** Makes the next try the one of this number, due at once. */
const skipTo = (house: MeteredHouse, attempt: number) =>
  sql`update graphile_worker._private_jobs set attempts = ${attempt - 1}, run_at = now() where key like 'cut_session:%'`.execute(house.db)
const cutsOf = async (house: MeteredHouse) =>
  (await house.events(house.owner.account_id)).flatMap(({ name, detail }) =>
    name === sessionCut.name ? [sentenceOf(sessionCut, name, detail)] : []
  )

test.each([
  ['ignores', 'nothing', 'timeout', /^Given up after 6 requests\. No answer from 127\.0\.0\.1:\d+$/],
  ['refuses', 506, 'nak', /^Given up after 2 requests\. Resources unavailable \(506\)$/],
] as const)(
  'a gateway that %s is asked again, given up in words, and asked anew when the session reports',
  async (_, says, answer, given_up) => {
    await using house = await openMeteredHouse()
    const gateway = answering(house)
    const sim = await house.newSim()
    await report(house, sim, 60)
    gateway.says = says
    await block(house, [sim])
    await house.settle()
    expect(await house.sessionsOf(sim)).toMatchObject([
      { ended_at: null, disconnect: { answer, words: expect.not.stringContaining('Given up') } },
    ])
    expect(await cutJobs(house)).toMatchObject([{ attempts: 1 }])
    house.clock.advance({ minutes: 1 })
    await skipTo(house, 10)
    await house.settle()
    await expect.poll(() => cutJobs(house), { message: 'nothing is left to try' }).toEqual([])
    const [session] = await house.sessionsOf(sim)
    expect(session).toMatchObject({ ended_at: null, disconnect: { answer, words: expect.stringMatching(given_up) } })
    const told = await cutsOf(house)
    expect(told).toHaveLength(2)
    expect(told[1]).toMatch(/^Gave up cutting the session of Tracker \d+ until it reports again: Given up after \d requests\./)
    gateway.says = 'ack'
    house.clock.advance({ minutes: 5 })
    await report(house, sim, 360)
    await house.settle()
    expect(await house.sessionsOf(sim)).toMatchObject([{ end_cause: 'Cut by Masthead', disconnect: { answer: 'ack' } }])
  }
)

test('a session that goes on reporting is given up in words, once, and tried at each report all the same', async () => {
  await using house = await openMeteredHouse()
  const gateway = answering(house)
  gateway.says = 506
  const sim = await house.newSim()
  await report(house, sim, 60)
  await block(house, [sim])
  await house.settle()
  for (let minute = 1; minute <= 30; minute++) {
    house.clock.advance({ minutes: 1 })
    await report(house, sim, 60 + 60 * minute)
    await house.settle()
  }
  expect(gateway.asked).toBe(31)
  expect(await house.sessionsOf(sim)).toMatchObject([
    { disconnect: { attempts: 31, words: 'Given up after 31 requests. Resources unavailable (506)' } },
  ])
  expect(await cutsOf(house)).toEqual([
    expect.stringMatching(/^The gateway refused to cut/),
    expect.stringMatching(/^Gave up cutting the session of Tracker \d+ until it reports again: Given up after 10 requests\./),
  ])
  gateway.says = 'ack'
  house.clock.advance({ minutes: 1 })
  await report(house, sim, 60 + 60 * 31)
  await house.settle()
  expect(await house.sessionsOf(sim)).toMatchObject([{ end_cause: 'Cut by Masthead', disconnect: { words: 'Confirmed by the gateway' } }])
})

test('a gateway that is gone is asked until it is back', async () => {
  await using house = await openMeteredHouse()
  const sim = await house.newSim()
  await report(house, sim, 60)
  const { port } = house.coa.address()
  await house.db.updateTable('gateway_address').set({ coa_port: 9 }).execute() // where nobody listens
  await block(house, [sim])
  await house.settle()
  expect(await house.sessionsOf(sim)).toMatchObject([{ ended_at: null, disconnect: { answer: 'timeout' } }])
  await house.db.updateTable('gateway_address').set({ coa_port: port }).execute()
  const gateway = answering(house)
  await skipTo(house, 3)
  await house.settle()
  expect(gateway.asked).toBe(1)
  expect(await house.sessionsOf(sim)).toMatchObject([{ end_cause: 'Cut by Masthead' }])
  await expect.poll(() => cutJobs(house)).toEqual([])
})

test('a process that is killed in the middle of a cut leaves it to the next one, also in its last try', async () => {
  await using house = await openMeteredHouse()
  const gateway = answering(house)
  gateway.says = 506
  const [first, last] = [await house.newSim(), await house.newSim()]
  await report(house, first, 60)
  await block(house, [first])
  /** As kill -9 leaves it: begun by one that is not seen any more. */
  const kill = async () => {
    await sql`update graphile_worker._private_jobs set attempts = attempts + 1, locked_at = now() - interval '2 minutes', locked_by = 'dead'`.execute(
      house.db
    )
    await takeBack(house.app)
    await sql`update graphile_worker._private_jobs set run_at = now()`.execute(house.db)
  }
  // Once before it is known what is open, once while the gateway is asked.
  await kill()
  await house.settle()
  expect(gateway.asked).toBe(1)
  await kill()
  gateway.says = 'ack'
  await house.settle()
  expect(await house.sessionsOf(first)).toMatchObject([{ end_cause: 'Cut by Masthead' }])
  gateway.says = 506
  await house.client.account(packetOf(last, 'interim', { id: 'b', time: 60, up: 10 }))
  await block(house, [last])
  await house.settle()
  await skipTo(house, 10)
  await kill()
  await house.settle()
  expect((await cutsOf(house)).at(-1)).toMatch(/^Gave up cutting/)
  await expect.poll(() => cutJobs(house)).toEqual([])
})

test('of two blocks one is cleared: the session is still cut, and nobody comes in', async () => {
  await using house = await openMeteredHouse()
  const gateway = answering(house)
  const sim = await house.newSim({ limit_bytes: 100 })
  await report(house, sim, 60)
  await block(house, [sim])
  await report(house, sim, 120)
  await house.db.transaction().execute((tx) => clearBlocks(tx, [keyOf(house, sim)], 'staff'))
  const refused = await house.client.access({ imsi: sim.imsi })
  expect(find(refused, dictionary.reply_message)).toBe('This SIM is blocked: Used 120 B of 100 B this month')
  await house.settle()
  expect(gateway.asked).toBe(1)
  expect(await house.sessionsOf(sim)).toMatchObject([{ end_cause: 'Cut by Masthead' }])
})

test('what is decided of an asset or an account holds for the next Access-Request, before the rows of its SIMs follow', async () => {
  await using house = await openMeteredHouse()
  const gateway = answering(house)
  const sim = await house.newSim()
  const { account_id } = house.owner
  const refusal = async () => find(await house.client.access({ imsi: sim.imsi }), dictionary.reply_message)
  const suspend = (reason: string | null) =>
    house.db
      .updateTable('account')
      .set({ suspended_at: house.clock.now(), suspended_reason: reason })
      .where('id', '=', account_id)
      .execute()
  await suspend(null)
  expect(await refusal()).toBe('This SIM is blocked: The account is suspended')
  await suspend('Unpaid')
  expect(await refusal()).toBe('This SIM is blocked: Unpaid')
  await house.db.updateTable('account').set({ suspended_at: null }).where('id', '=', account_id).execute()
  await report(house, sim, 60)
  const params = { asset_id: sim.asset_id }
  const off = await house.owner.call(updateAsset, { params, body: { status: 'inactive' } })
  expect(off.body.sim).toMatchObject({ state: 'active', status: 'blocked', blocks: [{ code: 'asset_off', by: house.owner.email }] })
  expect(await refusal()).toBe('This SIM is blocked: The asset is switched off')
  await house.db.updateTable('sim').set({ blocks: '[]' }).where('id', '=', sim.id).execute()
  expect(await refusal(), 'as a SIM that was put into it just now').toBe('This SIM is blocked: The asset is switched off')
  await house.db
    .updateTable('sim')
    .set({ blocks: JSON.stringify(off.body.sim!.blocks) })
    .where('id', '=', sim.id)
    .execute()
  await house.settle()
  expect(await house.sessionsOf(sim)).toMatchObject([{ end_cause: 'Cut by Masthead' }])
  await house.owner.call(updateAsset, { params, body: { status: 'active' } })
  expect((await house.client.access({ imsi: sim.imsi })).code).toBe(codes.access_accept)
  expect(gateway.asked).toBe(1)
})

test('several limits that one batch reaches are each reported with their own words, and everything open is cut', async () => {
  await using house = await openMeteredHouse()
  const gateway = answering(house)
  const sims = await Promise.all([100, 200, 300, null].map((limit_bytes) => house.newSim({ limit_bytes })))
  const readings = sims.map((sim, i) => readingOf(house, sim, { acct_session_id: `s${i}`, counter_up: 250 }))
  await countReadings(house.app, readings)
  const rows = await house.db.selectFrom('sim').select(['id', 'blocks']).where('account_id', '=', house.owner.account_id).execute()
  const wordsOf = ({ id }: TestSim) => rows.find((row) => row.id === id)!.blocks.map((each) => each.words)
  expect(sims.map(wordsOf)).toEqual([['Used 250 B of 100 B this month'], ['Used 250 B of 200 B this month'], [], []])
  const events = await house.events(house.owner.account_id)
  expect(events.map(({ name, detail }) => [name, detail.sim_id, detail.words]).toSorted()).toEqual(
    sims
      .slice(0, 2)
      .map((sim) => ['assets.sim_blocked', sim.id, wordsOf(sim)[0]])
      .toSorted()
  )
  const enforced = await house.db.selectFrom('enforcement').select(['limit_bytes', 'overshoot_bytes']).orderBy('limit_bytes').execute()
  expect(enforced).toEqual([
    { limit_bytes: 100, overshoot_bytes: 150 },
    { limit_bytes: 200, overshoot_bytes: 50 },
  ])
  await house.settle()
  expect(gateway.asked).toBe(2)
})

test('service that is back before the gateway was asked: it is not asked', async () => {
  await using house = await openMeteredHouse()
  const gateway = answering(house)
  const sim = await house.newSim()
  await report(house, sim, 60)
  await house.owner.call(deactivateSim, { params: { asset_id: sim.asset_id } })
  await house.db.updateTable('sim').set({ state: 'active' }).where('id', '=', sim.id).execute()
  await house.settle()
  expect(gateway.asked).toBe(0)
})

test('a session that is being written while its SIM loses the service is cut once it is there', async () => {
  await using house = await openMeteredHouse()
  const gateway = answering(house)
  const [sim, other] = [await house.newSim(), await house.newSim()]
  const due = () => sql`update graphile_worker._private_jobs set run_at = now()`.execute(house.db)
  const lookAgain = () => due().then(house.settle)
  await report(house, other, 60)
  gateway.says = 'nothing'
  await house.db.transaction().execute(async (tx) => {
    // As a batch that read the SIM before and is held up.
    const copied = sql.raw('account_id, gateway_id, nas, asset_id, started_at, updated_at, heard_at')
    await sql`insert into data_session (id, sim_id, acct_session_id, ${copied}) select 'ses_held_up', ${sim.id}, 'held-up', ${copied}
      from data_session where sim_id = ${other.id}`.execute(tx)
    await block(house, [sim, other])
    await house.settle()
    const asked = gateway.asked
    expect(asked, 'of the one that is there').toBeGreaterThan(0)
    await sql`delete from graphile_worker._private_jobs where key like 'cut_session:%'`.execute(house.db)
    await lookAgain()
    await lookAgain()
    expect(gateway.asked, 'nobody is asked again by looking again').toBe(asked)
  })
  gateway.says = 'ack'
  // Transactions of other databases on the same server count as under way as well: while one is, it looks once more.
  await expect
    .poll(
      async () => {
        await lookAgain()
        return (await sql`select from graphile_worker._private_jobs`.execute(house.db)).rows
      },
      { timeout: 30_000, message: 'nor is there more to look for' }
    )
    .toEqual([])
  expect(await house.sessionsOf(sim)).toMatchObject([{ end_cause: 'Cut by Masthead', disconnect: { answer: 'ack' } }])
})
