import type { RoundingScope } from '@masthead/contract/billing/rating'
import { openHouse, type House } from '@masthead/testkit/house'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { putAssignment, putTariff } from '../tariffs/test-tariffs.ts'
import { rateUsage } from './rate-usage.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
  house.clock.set('2026-11-21T20:00:00Z')
})
afterAll(() => house[Symbol.asyncDispose]())

// What one SIM reports: 3,900 bytes in five records of three sessions on two days.
const records = [
  { session_id: 'a', at: '2026-11-20T10:00:00Z', bytes: 1100 },
  { session_id: 'a', at: '2026-11-20T11:00:00Z', bytes: 200 },
  { session_id: 'b', at: '2026-11-20T12:00:00Z', bytes: 1100 },
  { session_id: 'c', at: '2026-11-21T09:00:00Z', bytes: 1200 },
  { session_id: 'c', at: '2026-11-21T10:00:00Z', bytes: 300 },
]
// At 0.40 for a megabyte, in blocks of a kilobyte, worked out by hand. Of 1,000: a block is 400 micros. Of 1,024: a block is 390.625, two are 781.25, three 1,171.875 and
// four 1,562.5 micros, and each scope is rounded to the nearest, from the middle to the even one.
const bills: { scope: RoundingScope; kb: 1000 | 1024; blocks: number; micros: number }[] = [
  // 2 + 1 + 2 + 2 + 1 blocks
  { scope: 'record', kb: 1000, blocks: 8, micros: 3200 },
  { scope: 'record', kb: 1024, blocks: 8, micros: 781 + 391 + 781 + 781 + 391 },
  // 1,300, 1,100 and 1,500 bytes: 2 blocks each
  { scope: 'session', kb: 1000, blocks: 6, micros: 2400 },
  { scope: 'session', kb: 1024, blocks: 6, micros: 781 + 781 + 781 },
  // 2,400 and 1,500 bytes: 3 and 2 blocks
  { scope: 'day', kb: 1000, blocks: 5, micros: 2000 },
  { scope: 'day', kb: 1024, blocks: 5, micros: 1172 + 781 },
  // 3,900 bytes: 4 blocks
  { scope: 'month', kb: 1000, blocks: 4, micros: 1600 },
  { scope: 'month', kb: 1024, blocks: 4, micros: 1562 },
]

const batches = { 'one by one': 1, 'in one batch': records.length }
const all = bills.flatMap((bill) => Object.entries(batches).map(([how, size]) => ({ ...bill, how, size })))

test.each(all)('each $scope rounded up to a kilobyte of $kb bytes, $how', async ({ scope, kb, blocks, micros, size }) => {
  const { account_id } = await house.newOwner()
  const zones = [{ id: 'ALL', networks: ['*'], price_micros: 400_000 }]
  const tariff_id = await putTariff(house, { effective_from: '2026-01-01', rounding_scope: scope, block_bytes: kb, kb, zones })
  await putAssignment(house, account_id, tariff_id, { from_day: '2026-01-01' })
  const usage = records.map(({ at, ...record }) => {
    const moment = Date.parse(at)
    return { ...record, account_id, sim_id: 'sim_hand', from: moment, at: moment, mccmnc: '262-01', taken: [] }
  })
  for (let i = 0; i < usage.length; i += size)
    await house.db.transaction().execute((tx) => rateUsage(tx, usage.slice(i, i + size), house.clock.now()))
  const charges = await house.db
    .selectFrom('charge')
    .select(['bytes', 'billed_bytes', 'charged_micros'])
    .where('account_id', '=', account_id)
    .execute()
  const sum = (column: 'bytes' | 'billed_bytes' | 'charged_micros') => charges.reduce((total, row) => total + row[column], 0)
  expect([sum('bytes'), sum('billed_bytes'), sum('charged_micros')]).toEqual([3900, blocks * kb, micros])
})
