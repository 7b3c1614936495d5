import { sql } from 'kysely'
import { activateSim, deactivateSim } from '@masthead/contract/assets/operations'
import { getBalance } from '@masthead/contract/billing/operations'
import { codes } from '@masthead/radius/packet'
import { expect, test } from 'vitest'
import { type MeteredHouse, packetOf, type TestSim } from '../../metering/test-network.ts'
import { expireGrants, findLedgerDifferences } from '../ledger/index.ts'
import { closeNext } from '../invoices/index.ts'
import { forgetScopes } from '../rating/index.ts'
import { openBilledHouse, topUp } from '../rating/test-billed.ts'
import { putAssignment } from '../tariffs/test-tariffs.ts'
import { chargeAllFees } from './charge-fees.ts'
import { settleBeforeEnd, settleCharges, settleEndedDays } from './settle.ts'

const at = (time: number, up: number) => ({ id: 's', time, up, sgsn_mccmnc: '26201' })

const someFees = {
  activation_micros: 1_000_000,
  reactivation_micros: 500_000,
  active_monthly: [{ from: 1, price_micros: 2_000_000 }],
  inactive_monthly_micros: 100_000,
  standby_monthly_micros: 0,
}
const setSim = (house: MeteredHouse, sim: TestSim, state: 'active' | 'inactive' | 'standby', changed: string, activated: string | null) =>
  house.db
    .updateTable('sim')
    .set({
      state,
      state_changed_at: new Date(changed),
      state_changed_by: 'owner@example.test',
      activated_at: activated === null ? null : new Date(activated),
      created_at: new Date('2026-09-01T00:00:00Z'),
    })
    .where('id', '=', sim.id)
    .execute()
const feesCharged = async (house: MeteredHouse) =>
  (
    await house.db
      .selectFrom('ledger_transaction')
      .select(['description', 'effective_at'])
      .where('type', '=', 'charge')
      .orderBy('number')
      .execute()
  ).map(({ description, effective_at }) => `${description}: ${effective_at.toISOString().slice(0, 16)}`)

test('an account that has a price list and no credits has no service before it is charged anything', async () => {
  await using house = await openBilledHouse({})
  const sim = await house.newSim()
  const answer = async () => (await house.client.access({ imsi: sim.imsi })).code
  expect((await house.owner.call(getBalance)).body.balance!.is_free).toBe(false)
  await settleCharges(house.app)
  expect(await answer()).toBe(codes.access_reject)
  await topUp(house, 1_000_000)
  await settleCharges(house.app)
  expect(await answer()).toBe(codes.access_accept)
})

test('what happens after the last look at a month is charged for that month, and is in its invoice', async () => {
  await using house = await openBilledHouse({ fees: someFees }, 100_000_000)
  const [late, again, idle] = [await house.newSim(), await house.newSim(), await house.newSim()]
  await setSim(house, idle, 'inactive', '2026-09-15T00:00:00Z', null)
  await setSim(house, late, 'inactive', '2026-09-15T00:00:00Z', null)
  await setSim(house, again, 'inactive', '2026-09-15T00:00:00Z', '2026-09-01T00:00:00Z')
  house.clock.set('2026-11-30T23:56:00Z')
  await chargeAllFees(house.app)
  expect(await feesCharged(house)).toEqual([
    'Inactive SIM, October 2026: 2026-10-31T23:59',
    'Inactive SIM, October 2026: 2026-10-31T23:59',
    'Inactive SIM, October 2026: 2026-10-31T23:59',
  ])
  await setSim(house, late, 'active', '2026-11-30T23:57:00Z', '2026-11-30T23:57:00Z')
  await setSim(house, again, 'active', '2026-11-30T23:58:00Z', '2026-09-01T00:00:00Z')
  house.clock.set('2026-12-01T00:56:00Z')
  await chargeAllFees(house.app)
  await chargeAllFees(house.app)
  const november = (words: string) => `${words}, November 2026: 2026-11-30T23:59`
  expect((await feesCharged(house)).slice(3)).toEqual([
    november('Activation'),
    november('Reactivation'),
    november('Active SIM'),
    november('Active SIM'),
    'Active SIM, December 2026: 2026-12-01T00:56',
    'Active SIM, December 2026: 2026-12-01T00:56',
    november('Inactive SIM'),
  ])
})

test('a SIM that is active between two looks alone pays its month, once; of a month after its account was closed nothing is asked', async () => {
  await using house = await openBilledHouse({ fees: { ...someFees, activation_micros: 0, inactive_monthly_micros: 0 } }, 100_000_000)
  const sim = await house.newSim()
  await setSim(house, sim, 'inactive', '2026-10-15T00:00:00Z', '2026-09-01T00:00:00Z')
  const look = async (at: string) => {
    house.clock.set(at)
    await chargeAllFees(house.app)
    return (await feesCharged(house)).filter((line) => line.startsWith('Active'))
  }
  expect(await look('2026-11-20T12:56:00Z')).toEqual([])
  house.clock.set('2026-11-20T12:57:00Z')
  expect((await house.owner.call(activateSim, { params: { asset_id: sim.asset_id } })).status).toBe(200)
  house.clock.set('2026-11-20T13:55:00Z')
  expect((await house.owner.call(deactivateSim, { params: { asset_id: sim.asset_id } })).status).toBe(200)
  const november = 'Active SIM, November 2026: 2026-11-20T13:56'
  expect(await look('2026-11-20T13:56:00Z')).toEqual([november])
  const activeUntil = (at: string) =>
    house.db
      .updateTable('sim')
      .set({ active_until: new Date(at) })
      .where('id', '=', sim.id)
      .execute()
  await activeUntil('2026-11-30T23:58:00Z')
  expect(await look('2026-12-01T00:56:00Z')).toEqual([november])
  await activeUntil('2026-12-02T00:58:00Z')
  const december = 'Active SIM, December 2026: 2026-12-02T01:56'
  expect(await look('2026-12-02T01:56:00Z')).toEqual([november, december])
  await setSim(house, sim, 'active', '2026-12-20T00:00:00Z', '2026-09-01T00:00:00Z')
  const closed_at = new Date('2026-12-20T12:00:00Z')
  await house.db.updateTable('account').set({ closed_at }).where('id', '=', house.owner.account_id).execute()
  expect(await look('2027-01-05T00:56:00Z')).toEqual([november, december])
})

test('activations of before an account has a price list cost nothing, also where it had another long before', async () => {
  await using house = await openBilledHouse({ fees: someFees }, 100_000_000)
  const { account_id } = house.owner
  const [early, now] = [await house.newSim(), await house.newSim()]
  await setSim(house, early, 'active', '2026-11-05T00:00:00Z', '2026-11-05T00:00:00Z')
  await setSim(house, now, 'active', '2026-11-20T11:00:00Z', '2026-11-20T11:00:00Z')
  await putAssignment(house, account_id, null, { from_day: '2026-11-01' })
  await putAssignment(house, account_id, house.tariff_id, { from_day: '2026-11-20' })
  await chargeAllFees(house.app)
  expect((await feesCharged(house)).map((line) => line.split(',')[0])).toEqual(['Activation', 'Active SIM', 'Active SIM'])
})

test('SIMs that are inactive or on standby cost nothing in a month in which their account began to pay by a price list', async () => {
  await using house = await openBilledHouse({ fees: { ...someFees, standby_monthly_micros: 50_000 } }, 100_000_000)
  const { account_id } = house.owner
  const [inactive, standby] = [await house.newSim(), await house.newSim()]
  await setSim(house, inactive, 'inactive', '2026-09-15T00:00:00Z', null)
  await setSim(house, standby, 'standby', '2026-09-15T00:00:00Z', null)
  await putAssignment(house, account_id, null, { from_day: '2026-11-01' })
  await putAssignment(house, account_id, house.tariff_id, { from_day: '2026-11-02' })
  house.clock.set('2026-12-01T00:56:00Z')
  await chargeAllFees(house.app)
  expect(await feesCharged(house)).toEqual([])
  house.clock.set('2027-01-01T00:56:00Z')
  await chargeAllFees(house.app)
  expect(await feesCharged(house)).toEqual([
    'Inactive SIM, December 2026: 2026-12-31T23:59',
    'SIM on standby, December 2026: 2026-12-31T23:59',
  ])
})

test('the fee of an inactive SIM is due where its account pays by a price list from the first day of the month', async () => {
  await using house = await openBilledHouse({ fees: someFees }, 100_000_000)
  const { account_id } = house.owner
  await setSim(house, await house.newSim(), 'inactive', '2026-09-15T00:00:00Z', null)
  await putAssignment(house, account_id, null, { from_day: '2026-10-20' })
  await putAssignment(house, account_id, house.tariff_id, { from_day: '2026-11-01' })
  house.clock.set('2026-12-01T00:56:00Z')
  await chargeAllFees(house.app)
  expect(await feesCharged(house)).toEqual(['Inactive SIM, November 2026: 2026-11-30T23:59'])
})

test('once an account pays by no price list its SIMs have service, whatever the balance is', async () => {
  await using house = await openBilledHouse({}, 1_000_000)
  const { account_id } = house.owner
  const sim = await house.newSim()
  await house.client.account(packetOf(sim, 'interim', at(60, 30_000_000) as never))
  await settleCharges(house.app)
  const code = async () => (await house.client.access({ imsi: sim.imsi })).code
  expect(await code()).toBe(codes.access_reject)
  await putAssignment(house, account_id, null, { from_day: '2026-11-21' })
  await settleCharges(house.app)
  expect(await code()).toBe(codes.access_reject)
  house.clock.set('2026-11-21T00:00:01Z')
  await settleCharges(house.app)
  await house.settle()
  expect(await code()).toBe(codes.access_accept)
  await putAssignment(house, account_id, house.tariff_id, { from_day: '2026-11-22' })
  house.clock.set('2026-11-22T00:00:01Z')
  await settleCharges(house.app)
  expect(await code()).toBe(codes.access_reject)
})

test('an account that was charged fees alone is stopped once they have left nothing', async () => {
  await using house = await openBilledHouse({ fees: someFees }, 2_000_000)
  const sim = await house.newSim()
  await setSim(house, sim, 'active', '2026-11-20T12:00:00Z', '2026-10-20T12:00:00Z')
  const code = async () => (await house.client.access({ imsi: sim.imsi })).code
  await settleCharges(house.app)
  expect(await code()).toBe(codes.access_accept)
  await chargeAllFees(house.app)
  expect((await feesCharged(house)).length).toBeGreaterThan(0)
  await settleCharges(house.app)
  expect(await code()).toBe(codes.access_reject)
  await house.settle()
  const row = await house.db.selectFrom('sim').select('blocks').where('id', '=', sim.id).executeTakeFirstOrThrow()
  expect(row.blocks.map((block) => block.code)).toEqual(['balance'])
  await topUp(house, 50_000_000)
  await settleCharges(house.app)
  await house.settle()
  expect(await code()).toBe(codes.access_accept)
})

test('by what sessions were rounded is forgotten once their month is long closed', async () => {
  await using house = await openBilledHouse({}, 10_000_000)
  await house.client.account(packetOf(await house.newSim(), 'interim', at(60, 2_000_000) as never))
  const scopes = async () => (await house.db.selectFrom('charge_scope').select('month').execute()).map(({ month }) => month)
  house.clock.set('2027-01-03T23:00:00Z')
  await forgetScopes(house.app)
  expect(await scopes()).toEqual(['2026-11-01'])
  house.clock.set('2027-01-04T01:00:00Z')
  await forgetScopes(house.app)
  expect(await scopes()).toEqual([])
})

/** Until as many statements wait for a lock. */
async function waitFor(house: MeteredHouse, waiting: number) {
  for (;;) {
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from pg_stat_activity where datname = current_database()
      and wait_event_type = 'Lock'`.execute(house.db)
    if (rows[0]!.n >= waiting) return
  }
}

test('a packet is counted while its charges wait to be settled, and a month is closed while the balance is held', async () => {
  await using house = await openBilledHouse({}, 10_000_000)
  const sim = await house.newSim()
  await house.client.account(packetOf(sim, 'interim', at(60, 3_000_000) as never))
  let settling: Promise<boolean> | undefined
  await house.db.transaction().execute(async (tx) => {
    await tx.selectFrom('billing_account').select('account_id').forUpdate().execute()
    settling = settleCharges(house.app)
    await waitFor(house, 1)
    await house.client.account(packetOf(sim, 'interim', at(120, 5_000_000) as never))
    expect((await tx.selectFrom('charge').select('bytes').execute())[0]).toEqual({ bytes: 5_000_000 })
  })
  await settling
  house.clock.set('2026-12-04T00:00:01Z')
  await settleCharges(house.app, { all: true })
  await house.db.transaction().execute(async (held) => {
    await held.selectFrom('billing_account').select('account_id').forNoKeyUpdate().execute()
    // It has no profile, so that no invoice is issued; whether there are lines is known without the balance.
    expect(await house.db.transaction().execute((tx) => closeNext(tx, house.owner.account_id, house.clock.now(), 'Seller'))).toBe(false)
  })
})

/** So many charges of a day of as many SIMs, as the meter writes them. */
const putCharges = (house: MeteredHouse & { tariff_id: string }, many: number) =>
  sql`insert into charge (account_id, sim_id, day, tariff_id, number, from_day, zone_id, source, mccmnc, is_late, price_micros, bytes, billed_bytes,
      charged_micros, used_from, used_to, is_open)
    select ${house.owner.account_id}, 'sim_of_many_' || n, date '2026-11-20', ${house.tariff_id}, 1, date '2026-01-01', 'ROW', 'payg', '262-01', false, 100000,
      100, 100, 10, timestamptz '2026-11-20T10:00:00Z', timestamptz '2026-11-20T11:00:00Z', false
    from generate_series(1, ${many}) n`.execute(house.db)

test('what was used before credits end is settled piece by piece, each in a transaction of its own', async () => {
  await using house = await openBilledHouse({}, 10_000_000)
  await putCharges(house, 1200)
  const { account_id } = house.owner
  await sql`update ledger_grant set expires_at = '2026-11-20T23:00:00Z'`.execute(house.db)
  await sql`insert into charge_account (account_id) values (${account_id}) on conflict do nothing`.execute(house.db)
  house.clock.set('2026-11-21T00:05:00Z')
  const settledBefore: number[] = []
  await expireGrants(house.app, async (tx, accounts, time) => {
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from charge where settled_micros > 0`.execute(house.db)
    settledBefore.push(rows[0]!.n)
    return settleBeforeEnd(tx, accounts, time)
  })
  expect(settledBefore).toEqual([0, 500, 1000])
  const left = await house.db
    .selectFrom('ledger_transaction')
    .select(['type', 'amount_micros'])
    .orderBy('number', 'desc')
    .limit(1)
    .execute()
  expect(left).toEqual([{ type: 'expiry', amount_micros: -(10_000_000 - 1200 * 10) }])
  expect(await findLedgerDifferences(house.app.db)).toEqual([])
})

test('days that are over are opened in pieces, and none is left', async () => {
  await using house = await openBilledHouse({}, 10_000_000)
  await putCharges(house, 25)
  house.clock.set('2026-11-21T00:05:00Z')
  await settleEndedDays(house.app, 10)
  expect((await house.db.selectFrom('charge').select('is_open').where('is_open', '=', true).execute()).length).toBe(25)
})
