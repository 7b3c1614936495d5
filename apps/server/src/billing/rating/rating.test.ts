import { listAlerts } from '@masthead/contract/notifications/operations'
import { dictionary } from '@masthead/radius/dictionary'
import { codes, find } from '@masthead/radius/packet'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { join } from '../../datapools/test-pooled-house.ts'
import { putPool } from '../../datapools/test-pools.ts'
import { acceptUncounted } from '../../metering/accept-uncounted.ts'
import { type MeteredHouse, packetOf, type TestSim } from '../../metering/test-network.ts'
import { ensurePartitions } from '../../usage/index.ts'
import { rollUpAll } from '../../usage/roll-ups/test-roll-up-all.ts'
import { proveLedger } from '../ledger/index.ts'
import { putVersion } from '../tariffs/test-tariffs.ts'
import { chargeAllFees } from '../settling/charge-fees.ts'
import { settleCharges } from '../settling/settle.ts'
import { openBilledHouse, topUp } from './test-billed.ts'

const chargesOf = async (house: MeteredHouse, sim: TestSim) =>
  (await house.db.selectFrom('charge').selectAll().where('sim_id', '=', sim.id).orderBy('day').orderBy('zone_id').execute()).map(
    ({ day, zone_id, source, bytes, billed_bytes, charged_micros }) => [day, zone_id, source, bytes, billed_bytes, charged_micros]
  )
const at = (time: number, up: number, more: object = {}) => ({ id: 's', time, up, sgsn_mccmnc: '26201', ...more })

test('interim and final charges agree, whatever is lost, repeated or late; nobody else is charged', async () => {
  await using house = await openBilledHouse({ block_bytes: 1024, kb: 1024 })
  const [a, b] = [await house.newSim(), await house.newSim()]
  const send = (sim: TestSim, kind: 'interim' | 'stop', usage: object) => house.client.account(packetOf(sim, kind, usage as never))
  await send(a, 'interim', at(60, 300))
  await send(a, 'interim', at(60, 300))
  await send(a, 'interim', at(120, 2100))
  await send(a, 'interim', at(90, 1000))
  await send(a, 'stop', at(180, 2400))
  await send(a, 'stop', at(180, 2400))
  // The same in one packet.
  await send(b, 'stop', at(180, 2400, { id: 't' }))
  const whole = [['2026-11-20', 'EU1', 'payg', 2400, 3072, 293]]
  expect([await chargesOf(house, a), await chargesOf(house, b)]).toEqual([whole, whole])
  // Another session is rounded anew, and another zone has another price.
  await send(a, 'stop', at(60, 1, { id: 'u' }))
  await send(a, 'stop', at(60, 1_048_576, { id: 'v', sgsn_mccmnc: '310410' }))
  expect(await chargesOf(house, a)).toEqual([
    ['2026-11-20', 'EU1', 'payg', 2401, 4096, 391],
    ['2026-11-20', 'ROW', 'payg', 1_048_576, 1_048_576, 2_000_000],
  ])
  // A charge says of how many records it is.
  const { rows: stored } = await sql`select sim_id, mccmnc, count(*)::int as records from usage_record
    where account_id = ${house.owner.account_id} group by 1, 2 order by 1, 2`.execute(house.db)
  const { rows: counted } =
    await sql`select sim_id, mccmnc, records from charge where account_id = ${house.owner.account_id} order by 1, 2`.execute(house.db)
  expect(counted).toEqual(stored)
  expect(counted.map((row) => (row as { records: number }).records).toSorted()).toEqual([1, 1, 4])
})

test('what no link carries costs nothing until staff accept it, and then as much as any other usage', async () => {
  await using house = await openBilledHouse({ block_bytes: 1024, kb: 1024 })
  await ensurePartitions(house.db, house.clock.now())
  const [sim, pooled] = [await house.newSim(), await house.newSim()]
  await join(house, await putPool(house, house.owner, { overage_policy: 'payg', size_bytes: 2 ** 33 }), [pooled])
  for (const each of [sim, pooled]) {
    await house.client.account(packetOf(each, 'start', at(0, 0, { id: each.id }) as never))
    await house.client.account(packetOf(each, 'interim', at(60, 24, { id: each.id, acct_input_gigawords: 10 }) as never))
    expect(await chargesOf(house, each)).toEqual([])
    const [session] = await house.sessionsOf(each)
    const accept = () =>
      house.db.transaction().execute((tx) => acceptUncounted(tx, { ...session!, session_id: session!.id }, house.clock.now()))
    expect([(await accept())?.up, await accept()]).toEqual([10 * 2 ** 32 + 24, null])
  }
  expect((await chargesOf(house, sim)).map(([, , source, bytes, billed]) => [source, bytes, billed])).toEqual([
    ['payg', 10 * 2 ** 32 + 24, 10 * 2 ** 32 + 1024],
  ])
  expect((await chargesOf(house, pooled)).map(([, , source, bytes]) => [source, bytes])).toEqual([['pool_overage', 8 * 2 ** 32 + 24]])
})

test('what a SIM may use before it is active is free to the byte, and what comes after it is charged', async () => {
  await using house = await openBilledHouse({ block_bytes: 1000 }, 10_000_000)
  const [testing, active] = [await house.newSim({ state: 'ready' }), await house.newSim()]
  await house.db.updateTable('sim').set({ test_bytes: 5_000_000 }).execute()
  const use = (sim: TestSim, id: string, time: number, up: number) =>
    house.client.account(packetOf(sim, 'interim', { id, time, up, sgsn_mccmnc: '26201' }))
  await use(testing, 'a', 60, 2_000_500)
  await use(testing, 'a', 120, 4_000_000)
  // Of two sessions at once it is the first bytes that are free.
  await Promise.all([use(testing, 'a', 180, 4_600_000), use(testing, 'b', 60, 1_400_000)])
  await use(active, 'c', 60, 1_000_000)
  const charges = async (sim: TestSim) =>
    (
      await house.db
        .selectFrom('charge')
        .select(['zone_id', 'bytes', 'charged_micros'])
        .where('sim_id', '=', sim.id)
        .orderBy('zone_id')
        .execute()
    ).map(({ zone_id, bytes, charged_micros }) => [zone_id, bytes, charged_micros])
  expect(await charges(testing)).toEqual([
    ['', 5_000_000, 0],
    ['EU1', 1_000_000, 100_000],
  ])
  expect(await charges(active)).toEqual([['EU1', 1_000_000, 100_000]])
  await use(testing, 'b', 120, 2_400_000)
  expect((await charges(testing))[1]).toEqual(['EU1', 2_000_000, 200_000])
  // What staff accept of a session is usage as any other.
  const accepted = await house.newSim({ state: 'ready' })
  await house.db.updateTable('sim').set({ test_bytes: 5_000_000 }).where('id', '=', accepted.id).execute()
  await use(accepted, 'd', 60, 2_000_000)
  await house.db.updateTable('data_session').set({ uncounted_up: 4_000_000 }).where('sim_id', '=', accepted.id).execute()
  const [session] = await house.sessionsOf(accepted)
  await ensurePartitions(house.db, house.clock.now())
  await house.db.transaction().execute((tx) => acceptUncounted(tx, { ...session!, session_id: session!.id }, house.clock.now()))
  expect(await charges(accepted)).toEqual([
    ['', 5_000_000, 0],
    ['EU1', 1_000_000, 100_000],
  ])
  await settleCharges(house.app, { all: true })
  await rollUpAll(house.app)
  expect((await proveLedger(house.app)).differences).toEqual([])
})

test('what a pool gives is free; what goes beyond it by pay as you go is charged from the byte on', async () => {
  await using house = await openBilledHouse({})
  const [sim, free] = [await house.newSim(), await house.newSim()]
  const pool_id = await putPool(house, house.owner, { overage_policy: 'payg', size_bytes: 10_000_000 })
  await join(house, pool_id, [sim])
  await house.client.account(packetOf(sim, 'interim', at(60, 9_000_000) as never))
  expect(await chargesOf(house, sim)).toEqual([])
  await house.client.account(packetOf(sim, 'interim', at(120, 12_000_000) as never))
  expect(await chargesOf(house, sim)).toEqual([['2026-11-20', 'EU1', 'pool_overage', 2_000_000, 2_000_000, 200_000]])
  await house.client.account(packetOf(free, 'stop', at(60, 1_000_000, { id: 'f' }) as never))
  expect(await chargesOf(house, free)).toEqual([['2026-11-20', 'EU1', 'payg', 1_000_000, 1_000_000, 100_000]])
})

test('usage over midnight, and over the day of a new version, is charged by the time it happened in', async () => {
  await using house = await openBilledHouse({ rounding_scope: 'day', block_bytes: 1 })
  await putVersion(house, house.tariff_id, {
    effective_from: '2026-11-22',
    rounding_scope: 'day',
    zones: [{ id: 'EU1', networks: ['*'], price_micros: 50_000 }],
  })
  const sim = await house.newSim()
  house.clock.set('2026-11-22T12:00:00Z')
  await house.client.account(packetOf(sim, 'interim', at(0, 0) as never))
  house.clock.set('2026-11-23T12:00:00Z')
  await house.client.account(packetOf(sim, 'interim', at(86_400, 2_000_000) as never))
  expect(await chargesOf(house, sim)).toEqual([
    ['2026-11-22', 'EU1', 'payg', 1_000_000, 1_000_000, 50_000],
    ['2026-11-23', 'EU1', 'payg', 1_000_000, 1_000_000, 50_000],
  ])
})

test('charges go to the ledger in steps, each once, and are summed by month', async () => {
  await using house = await openBilledHouse({}, 10_000_000)
  const sim = await house.newSim()
  const { account_id } = house.owner
  const balance = async () =>
    (await house.db.selectFrom('billing_account').select('balance_micros').where('account_id', '=', account_id).executeTakeFirstOrThrow())
      .balance_micros
  await house.client.account(packetOf(sim, 'interim', at(60, 1_000_000) as never))
  await settleCharges(house.app)
  // 0.10 is less than a step.
  expect(await balance()).toBe(10_000_000)
  await house.client.account(packetOf(sim, 'interim', at(120, 30_000_000) as never))
  await settleCharges(house.app)
  await settleCharges(house.app)
  expect(await balance()).toBe(7_000_000)
  await settleCharges(house.app, { all: true })
  expect(await balance()).toBe(7_000_000)
  const sums = await house.db.selectFrom('cost_month').select(['kind', 'country', 'micros', 'bytes']).execute()
  expect(sums).toEqual([{ kind: 'payg', country: 'DE', micros: 3_000_000, bytes: 30_000_000 }])
  const line = await house.db.selectFrom('ledger_transaction').selectAll().where('type', '=', 'charge').executeTakeFirstOrThrow()
  expect(line).toMatchObject({
    amount_micros: -3_000_000,
    sim_id: sim.id,
    asset_id: sim.asset_id,
    zone: 'EU1',
    description: expect.stringContaining('zone EU1'),
  })
})

test('without credits a SIM whose next byte would be charged is rejected and blocked, one with a paid pool goes on, and credits bring it back', async () => {
  await using house = await openBilledHouse({}, 1_000_000)
  const [sim, pooled, sharing] = [await house.newSim(), await house.newSim(), await house.newSim()]
  await join(house, await putPool(house, house.owner, { size_bytes: 1_000_000_000 }), [pooled])
  // Used up, and gives a share more that costs nothing.
  const more = { size_bytes: 1_000_000, overage_policy: 'percent', overage_percent: 100 } as const
  await join(house, await putPool(house, house.owner, more), [sharing])
  await house.client.account(packetOf(sharing, 'interim', { ...at(60, 1_500_000), id: 'sharing' } as never))
  await house.client.account(packetOf(sim, 'interim', at(60, 9_000_000) as never))
  await settleCharges(house.app)
  expect((await house.client.access({ imsi: sim.imsi })).code).toBe(codes.access_accept)
  await house.client.account(packetOf(sim, 'interim', at(120, 10_000_000) as never))
  await settleCharges(house.app)
  const reply = await house.client.access({ imsi: sim.imsi })
  expect([reply.code, find(reply, dictionary.reply_message)]).toEqual([
    codes.access_reject,
    'This SIM is blocked: The account has no credits left',
  ])
  for (const { imsi } of [pooled, sharing]) expect((await house.client.access({ imsi })).code).toBe(codes.access_accept)
  const blocks = async () =>
    (await house.db.selectFrom('sim').select(['id', 'blocks']).where('id', 'in', [sim.id, pooled.id]).orderBy('id').execute()).map((row) =>
      row.blocks.map(({ code }) => code).join()
    )
  await house.settle()
  expect(await blocks()).toEqual(['balance', ''])
  // Nobody has set up warnings: they are notified all the same, once for the account.
  const alerts = async () =>
    (await house.owner.call(listAlerts)).body.items
      .filter(({ source }) => source === 'billing')
      .map(({ title, severity, state }) => [title, severity, state])
  expect(await alerts()).toEqual([['No credits are left', 'critical', 'open']])
  await topUp(house, 5_000_000)
  await settleCharges(house.app)
  await house.settle()
  expect(await blocks()).toEqual(['', ''])
  expect(await alerts()).toEqual([['No credits are left', 'critical', 'resolved']])
  expect((await house.client.access({ imsi: sim.imsi })).code).toBe(codes.access_accept)
})

test('SIM fees are charged once a month: activation, active ones by their number, inactive ones when their month is over', async () => {
  const fees = {
    activation_micros: 1_000_000,
    reactivation_micros: 500_000,
    active_monthly: [
      { from: 1, price_micros: 2_000_000 },
      { from: 2, price_micros: 1_600_000 },
    ],
    inactive_monthly_micros: 100_000,
    standby_monthly_micros: 0,
  }
  await using house = await openBilledHouse({ fees }, 100_000_000)
  const [first, , idle] = [await house.newSim(), await house.newSim(), await house.newSim({ state: 'inactive' })]
  const at = (time: string) => house.clock.set(time)
  const changed = (sim: TestSim, state: 'active' | 'inactive', by: string, when: string) =>
    house.db
      .updateTable('sim')
      .set({
        state,
        state_changed_at: new Date(when),
        state_changed_by: by,
        ...(state === 'active' && { activated_at: new Date('2026-10-01T00:00:00Z') }),
      })
      .where('id', '=', sim.id)
      .execute()
  await house.db
    .updateTable('sim')
    .set({
      activated_at: new Date('2026-10-01T00:00:00Z'),
      state_changed_at: new Date('2026-10-01T00:00:00Z'),
      created_at: new Date('2026-10-01T00:00:00Z'),
    })
    .execute()
  await house.db
    .updateTable('sim')
    .set({ activated_at: new Date('2026-11-05T00:00:00Z') })
    .where('id', '=', first.id)
    .execute()
  const lines = async () =>
    (
      await house.db
        .selectFrom('ledger_transaction')
        .select(['description', 'amount_micros'])
        .where('type', '=', 'charge')
        .orderBy('number')
        .execute()
    ).map(({ description, amount_micros }) => `${description}: ${amount_micros}`)
  await chargeAllFees(house.app)
  await chargeAllFees(house.app)
  const november = ['Activation, November 2026: -1000000', 'Active SIM, November 2026: -2000000', 'Active SIM, November 2026: -1600000']
  expect(await lines()).toEqual(november)
  at('2026-12-01T01:00:00Z')
  await chargeAllFees(house.app)
  await chargeAllFees(house.app)
  const december = ['Active SIM, December 2026: -2000000', 'Active SIM, December 2026: -1600000', 'Inactive SIM, November 2026: -100000']
  expect(await lines()).toEqual([...november, ...december])
  await changed(idle, 'active', 'owner@example.test', '2026-12-02T00:00:00Z')
  at('2026-12-02T01:00:00Z')
  await chargeAllFees(house.app)
  expect(await lines()).toEqual([...november, ...december, 'Reactivation, December 2026: -500000', 'Active SIM, December 2026: -1600000'])
  const sums = await house.db
    .selectFrom('cost_month')
    .select(['month', 'kind', 'micros'])
    .where('kind', '=', 'sim_active')
    .orderBy('month')
    .execute()
  expect(sums.map(({ micros: sum }) => sum)).toEqual([3_600_000, 5_200_000])
})
