import type { Currency } from '@masthead/contract/billing/money'
import { sql, type RawBuilder } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { openCorrectingHouse } from '../../backoffice/corrections/test-correcting.ts'
import { join } from '../../datapools/test-pooled-house.ts'
import { putPool } from '../../datapools/test-pools.ts'
import { acceptUncounted } from '../../metering/index.ts'
import { newAsset } from '../../notifications/test-alerts.ts'
import { rollUpAll } from '../../usage/roll-ups/test-roll-up-all.ts'
import { rateUsage } from '../rating/index.ts'
import { chargeAllFees } from '../settling/charge-fees.ts'
import { settleCharges, settleEndedDays } from '../settling/settle.ts'
import { noFees, putAssignment, putTariff, putVersion } from '../tariffs/test-tariffs.ts'
import { switchOn } from './billing-account.ts'
import { proveLedger } from './prove.ts'

const { house, setClock, newSim, use, correct, undo } = await openCorrectingHouse()
afterAll(() => house[Symbol.asyncDispose]())

const { account_id } = house.owner
const by = { currency: 'USD' as Currency, by: 'staff@example.test', at: house.clock.now() }
const differences = async () => (await proveLedger(house.app)).differences

/** An account that pays from today on by sessions, days or records, with a SIM that used something. */
async function payBy(rounding_scope: 'session' | 'day' | 'record', of = account_id) {
  await house.db.transaction().execute((tx) => switchOn(tx, { account_id: of, ...by }))
  const fees = { ...noFees, active_monthly: [{ from: 1, price_micros: 2_000_000 }] }
  const tariff_id = await putTariff(house, { effective_from: '2026-01-01', rounding_scope, block_bytes: 1000, kb: 1024, fees })
  await putAssignment(house, of, tariff_id, { from_day: '2026-11-01' })
}

test('charges agree with what was used and with price lists, through pools, corrections and late usage; 22 drifts are found 22 times', async () => {
  await payBy('session')
  const [plain, pooled, corrected] = [await newSim(), await newSim(), await newSim()]
  await join(house, await putPool(house, house.owner, { size_bytes: 1_000_000, overage_policy: 'payg' }), [pooled])
  for (const sim of [plain, pooled, corrected]) {
    await use(sim, '2026-11-20T11:50:00Z', 3_000_001, 5)
    await use(sim, '2026-11-20T00:04:00Z', 1_234_567, 0, '310-410')
  }
  const { body } = await correct(corrected, { bytes_up: -500_000, mccmnc: '310-410' })
  await correct(corrected, { bytes_up: 77 })
  await undo(corrected, body.id)
  await chargeAllFees(house.app)
  await settleCharges(house.app)
  expect(await differences()).toEqual([])
  // The next day, and once the month is closed.
  await setClock('2026-11-21T12:00:00Z')
  await use(plain, '2026-11-21T00:05:00Z', 900_000)
  await settleEndedDays(house.app)
  await settleCharges(house.app)
  expect(await differences()).toEqual([])
  await setClock('2026-12-04T12:00:00Z')
  await use(plain, '2026-11-25T10:00:00Z', 2_500_000)
  await settleCharges(house.app, { all: true })
  expect(await differences()).toEqual([])

  const first = (table: string, more = sql`true`) =>
    sql`ctid = (select ctid from ${sql.table(table)} where sim_id = ${plain.id} and ${more} limit 1)`
  const ofPlain = (change: RawBuilder<unknown>, table: string) => sql`update ${sql.table(table)} set ${change} where ${first(table)}`
  const ofAccount = (change: RawBuilder<unknown>, table: string) =>
    sql`update ${sql.table(table)} set ${change} where ctid = (select ctid from ${sql.table(table)} where account_id = ${account_id} limit 1)`
  const drifts: RawBuilder<unknown>[] = [
    ofPlain(sql`charged_micros = charged_micros + 1`, 'charge'),
    ofPlain(sql`charged_micros = charged_micros + 1, summed_micros = summed_micros + 1, settled_micros = settled_micros + 1`, 'charge'),
    ofPlain(sql`bytes = bytes - 1`, 'charge'),
    ofPlain(sql`bytes = bytes + 1, summed_bytes = summed_bytes + 1`, 'charge'),
    ofPlain(sql`price_micros = price_micros - 1`, 'charge'),
    ofPlain(sql`settled_micros = settled_micros - 1`, 'charge'),
    ofPlain(sql`summed_micros = summed_micros + 1`, 'charge'),
    sql`delete from charge where ${first('charge')}`,
    ofPlain(sql`charged_micros = charged_micros - 1`, 'charge_scope'),
    ofPlain(sql`bytes = bytes + 1000`, 'charge_scope'),
    sql`delete from charge_scope where ${first('charge_scope')}`,
    ofPlain(sql`micros = micros + 1`, 'sim_fee'),
    ofPlain(sql`micros = micros + 1`, 'cost_sim'),
    ofPlain(sql`bytes = bytes - 1`, 'cost_sim'),
    ofAccount(sql`micros = micros - 1`, 'cost_month'),
    ofAccount(sql`micros = micros - 1`, 'cost_zone'),
    ofAccount(sql`unsettled_micros = unsettled_micros + 1`, 'charge_account'),
    ofAccount(sql`own_prices = '{"EU1": 5}'`, 'account_tariff'),
    // As if all fees of the month, and what the ledger has of them, were of another price.
    sql`update tariff_version set fees = jsonb_set(fees, '{active_monthly,0,price_micros}', '2000001')
      where tariff_id = (select tariff_id from account_tariff where account_id = ${account_id})`,
    ofPlain(sql`bytes_up = bytes_up + 1`, 'usage_month'),
    ofPlain(sql`bytes_up = bytes_up - 1`, 'usage_month'),
    sql`update data_pool_usage set bytes = bytes + 1 where sim_id = ${pooled.id}`,
  ]
  const found: number[] = []
  for (const [i, drift] of drifts.entries()) {
    const undoIt = new Error('undo')
    await house.app.db
      .transaction()
      .execute(async (tx) => {
        await drift.execute(tx)
        const db = Object.assign(Object.create(tx), { snapshot: (read: (db: typeof tx) => unknown) => read(tx) })
        if ((await proveLedger({ ...house.app, db })).differences.some((each) => each.account_id === account_id)) found.push(i)
        throw undoIt
      })
      .catch((error: unknown) => {
        if (error !== undoIt) throw error
      })
  }
  expect(found).toEqual(drifts.map((_, i) => i))
  expect(await differences()).toEqual([])
})

test('what staff accept of a session that no link carries is charged, less what a pool gives', async () => {
  const [sim, pooled] = [await newSim(), await newSim()]
  await join(house, await putPool(house, house.owner, { size_bytes: 1_000_000 }), [pooled])
  for (const each of [sim, pooled]) {
    await use(each, '2026-12-04T11:50:00Z', 1000)
    await sql`update data_session set uncounted_up = 500000 where sim_id = ${each.id}`.execute(house.db)
    const { id } = await house.db.selectFrom('data_session').select('id').where('sim_id', '=', each.id).executeTakeFirstOrThrow()
    await house.db.transaction().execute((tx) => acceptUncounted(tx, { account_id, session_id: id }, house.clock.now()))
  }
  await rollUpAll(house.app)
  const charged = await house.db.selectFrom('charge').select(['sim_id', 'bytes']).where('sim_id', 'in', [sim.id, pooled.id]).execute()
  expect(charged).toEqual([{ sim_id: sim.id, bytes: 501_000 }])
  await settleCharges(house.app)
  expect(await differences()).toEqual([])
})

test('of days and of records as well; what was free before a price list is no difference', async () => {
  for (const scope of ['day', 'record'] as const) {
    const customer = await house.newOwner(scope)
    await payBy(scope, customer.account_id)
    const put = (day: string, bytes: number, session_id: string) =>
      house.db.transaction().execute(async (tx) => {
        const at = Date.parse(`${day}T10:00:00Z`)
        const of = { account_id: customer.account_id, sim_id: `sim_${scope}` }
        await rateUsage(tx, [{ ...of, session_id, from: at, at, bytes, mccmnc: '262-01', taken: [] }], house.clock.now())
        await sql`insert into usage_month as u values (${of.account_id}, ${of.sim_id}, ${day.slice(0, 8) + '01'}, '262-01', 'LTE', ${bytes}, 0)
          on conflict (account_id, month, sim_id, mccmnc, rat) do update set bytes_up = u.bytes_up + excluded.bytes_up`.execute(tx)
      })
    await put('2026-12-02', 1500, 'a')
    await put('2026-12-02', 1700, 'b')
    await put('2026-12-03', 1, 'b')
    await settleCharges(house.app, { all: true })
    expect(await differences()).toEqual([])
    const drift = (by: number) =>
      sql`update charge set charged_micros = charged_micros + ${by} where sim_id = ${`sim_${scope}`} and day = '2026-12-03'`
    await drift(1).execute(house.db)
    expect((await differences()).map(({ what, difference_micros }) => [what, difference_micros])).toContainEqual(['pending', 1])
    await drift(-1).execute(house.db)
    await sql`update usage_month set bytes_up = bytes_up + 5 where sim_id = ${`sim_${scope}`}`.execute(house.db)
    expect((await differences()).map(({ what }) => what)).toEqual(['uncharged'])
    // Used in October, when nothing was charged.
    await sql`insert into usage_month values (${customer.account_id}, ${`sim_${scope}`}, '2026-10-01', '262-01', 'LTE', 9000, 0)`.execute(
      house.db
    )
    expect(await differences()).toEqual([])
  }
})

test('fees have the prices of their day, in steps by how many there are; one that paid for another step is found', async () => {
  const customer = await house.newOwner('fees')
  const { account_id: of } = customer
  await house.db.transaction().execute((tx) => switchOn(tx, { account_id: of, ...by }))
  const steps = (...prices: number[]) => prices.map((price_micros, i) => ({ from: 1 + 2 * i, price_micros }))
  const fees = { ...noFees, activation_micros: 500_000, active_monthly: steps(2_000_000, 1_600_000) }
  const tariff_id = await putTariff(house, { effective_from: '2026-01-01', fees })
  await putVersion(house, tariff_id, {
    effective_from: '2026-12-06',
    fees: { ...noFees, active_monthly: steps(1_900_000, 1_500_000, 1_400_000) },
  })
  await putAssignment(house, of, tariff_id, { from_day: '2026-11-01' })
  const ofFees = async () =>
    (await differences()).filter((each) => each.account_id === of).map(({ what, difference_micros }) => [what, difference_micros])
  const activate = async (n: number) => {
    for (let i = 0; i < n; i++) {
      const { sim_id } = await newAsset(house, customer, `fee-${i}`)
      await house.db.updateTable('sim').set({ activated_at: house.clock.now() }).where('id', '=', sim_id).execute()
    }
    await chargeAllFees(house.app)
  }
  await setClock('2026-12-05T12:00:00Z')
  await activate(3)
  await setClock('2026-12-06T12:00:00Z')
  await activate(3)
  // The first day of the next month, when those of this one that were missed are charged as well.
  await setClock('2027-01-01T01:00:00Z')
  await activate(1)
  const charged = house.db.selectFrom('sim_fee').select('micros').where('account_id', '=', of).where('kind', '=', 'sim_active')
  const december = (await charged.where('month', '=', '2026-12-01').orderBy('micros', 'desc').execute()).map(({ micros }) => micros)
  expect(december).toEqual([2_000_000, 2_000_000, 1_600_000, 1_500_000, 1_400_000, 1_400_000])
  expect(await ofFees()).toEqual([])
  const undoIt = new Error('undo')
  await house.app.db
    .transaction()
    .execute(async (tx) => {
      // The price of another step, in every book but the price list.
      await sql`update sim_fee set micros = 1600000 where account_id = ${of} and month = '2026-12-01' and micros = 1500000`.execute(tx)
      const db = Object.assign(Object.create(tx), { snapshot: (read: (db: typeof tx) => unknown) => read(tx) })
      const found = (await proveLedger({ ...house.app, db })).differences.filter(({ what }) => what === 'fee_price')
      expect(found.map(({ words, difference_micros }) => [words, difference_micros])).toEqual([
        ['Fees of 2026-12 (sim_active) of 1500000 micros: 0 charged, 1 by the price list', -1_500_000],
        ['Fees of 2026-12 (sim_active) of 1600000 micros: 1 charged, 0 by the price list', 1_600_000],
      ])
      throw undoIt
    })
    .catch((error: unknown) => {
      if (error !== undoIt) throw error
    })
})
