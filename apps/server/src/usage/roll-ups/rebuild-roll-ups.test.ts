import { dayOf } from '@masthead/contract/kernel/time'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openMeteredHouse, packetOf, type MeteredHouse } from '../../metering/test-network.ts'
import { proveRollUps, rebuildRollUps } from './rebuild-roll-ups.ts'
import { noteRecordsSince } from './record-keeping.ts'
import { rollUp } from './roll-up.ts'

const day = 86_400_000

/** Usage in two hours of the day before yesterday and in one of yesterday; `from` and `to` are around all. */
async function openCountedHouse() {
  const house = await openMeteredHouse()
  const sim = await house.newSim()
  const now = house.clock.now().getTime()
  const today = Math.floor(now / day) * day
  const hours = [today - 2 * day, today - 2 * day + 3_600_000, today - day]
  await sql`update usage_coverage set records_since = ${new Date(today - 5 * day)}`.execute(house.db)
  for (const [i, at] of hours.entries())
    await house.client.account(packetOf(sim, 'interim', { id: `s${i}`, time: 60, up: 100 * (i + 1), down: 10, at: at / 1000 + 600 }))
  await expect
    .poll(async () => (await rollUp(house.app), (await hoursOf(house)).map(([, up]) => up)), { timeout: 20_000 })
    .toEqual([100, 200, 300])
  return { house, sim, hours, from: dayOf(today - 3 * day), to: dayOf(today), last: today - day }
}

const hoursOf = async ({ db }: MeteredHouse) =>
  (await db.selectFrom('usage_hour').select(['hour', 'bytes_up']).orderBy('hour').execute()).map((row) => [
    row.hour.getTime(),
    row.bytes_up,
  ])
const daysOf = async ({ db }: MeteredHouse) =>
  (await db.selectFrom('usage_day').select('bytes_up').orderBy('day').execute()).map((row) => row.bytes_up)
const monthsOf = async ({ db }: MeteredHouse) =>
  (await db.selectFrom('usage_month').select('bytes_up').execute()).reduce((sum, row) => sum + row.bytes_up, 0)
const right = { wrong_hours: 0, wrong_days: 0, wrong_months: 0, wrong_account_hours: 0 }

test('what is wrong in hours, days and months is found, and made right from the records', async () => {
  const { house, from, to } = await openCountedHouse()
  await using _ = house
  expect(await proveRollUps(house.app, from, to)).toMatchObject(right)
  await sql`update usage_hour set bytes_up = bytes_up + 1`.execute(house.db)
  await sql`update usage_month set bytes_down = bytes_down + 1`.execute(house.db)
  expect(await proveRollUps(house.app, from, to)).toMatchObject({
    ...right,
    wrong_hours: 3,
    wrong_days: 2,
    wrong_account_hours: 3,
    wrong_months: expect.toSatisfy((wrong) => wrong > 0),
  })
  await sql`delete from usage_day`.execute(house.db)
  expect(await proveRollUps(house.app, from, to)).toMatchObject({ wrong_hours: 3, wrong_days: 2, wrong_account_hours: 3 })
  await rebuildRollUps(house.app, from, to)
  expect(await proveRollUps(house.app, from, to)).toMatchObject(right)
  expect(await daysOf(house)).toEqual([300, 300])
  expect(await monthsOf(house)).toBe(600)
})

test('hours that are still open are proved and rebuilt like others', async () => {
  const { house, sim, from } = await openCountedHouse()
  await using _ = house
  const to = dayOf(house.clock.now().getTime() + day)
  await house.client.account(
    packetOf(sim, 'interim', { id: 'open', time: 60, up: 50, down: 10, at: Math.floor(house.clock.now().getTime() / 1000) })
  )
  const open = async () => (await house.db.selectFrom('usage_open_hour').select('bytes_up').execute()).map((row) => row.bytes_up)
  await expect.poll(async () => (await rollUp(house.app), open()), { timeout: 20_000 }).toEqual([50])
  expect(await proveRollUps(house.app, from, to)).toMatchObject(right)
  await sql`update usage_open_hour set bytes_up = bytes_up + 1`.execute(house.db)
  expect(await proveRollUps(house.app, from, to)).toMatchObject({ ...right, wrong_hours: 1, wrong_account_hours: 1 })
  await rebuildRollUps(house.app, from, to)
  expect(await proveRollUps(house.app, from, to)).toMatchObject(right)
  expect((await hoursOf(house)).map(([, up]) => up)).toEqual([100, 200, 300, 50])
})

test('hours whose records are gone, and their part of a day, stay as they are', async () => {
  const { house, hours, from, to } = await openCountedHouse()
  await using _ = house
  // The records of the first hour are dropped; those of the second are the first that are all kept.
  await sql`delete from usage_record where event_at < ${new Date(hours[1]!)}`.execute(house.db)
  await noteRecordsSince(house.db, new Date(hours[0]! + 1))
  await sql`update usage_hour set bytes_up = 7 where hour >= ${new Date(hours[1]!)}`.execute(house.db)
  expect(await rebuildRollUps(house.app, from, to)).toEqual({ since: new Date(hours[1]!) })
  expect(await hoursOf(house)).toEqual([
    [hours[0], 100],
    [hours[1], 200],
    [hours[2], 300],
  ])
  expect(await daysOf(house)).toEqual([300, 300])
  expect(await proveRollUps(house.app, from, to)).toEqual({ ...right, since: new Date(hours[1]!) })
})

test('a first hour may lack what arrived just before it by a gateway whose clock is ahead', async () => {
  const { house, hours, from, to, last } = await openCountedHouse()
  await using _ = house
  await noteRecordsSince(house.db, new Date(last))
  expect(await rebuildRollUps(house.app, from, to)).toEqual({ since: new Date(last + 3_600_000) })
  await noteRecordsSince(house.db, new Date(last + 54 * 60_000))
  expect((await rebuildRollUps(house.app, from, to)).since).toEqual(new Date(last + 3_600_000))
  await noteRecordsSince(house.db, new Date(last + 56 * 60_000))
  expect((await rebuildRollUps(house.app, from, to)).since).toEqual(new Date(last + 2 * 3_600_000))
  expect((await hoursOf(house)).map(([at]) => at)).toEqual(hours)
})

test('of days of which no records are left nothing is changed', async () => {
  const { house, from, to } = await openCountedHouse()
  await using _ = house
  await noteRecordsSince(house.db, new Date(`${to}T00:00:00Z`))
  await sql`delete from usage_record`.execute(house.db)
  expect(await rebuildRollUps(house.app, from, to)).toEqual({ since: null })
  expect((await hoursOf(house)).map(([, up]) => up)).toEqual([100, 200, 300])
  expect(await proveRollUps(house.app, from, to)).toEqual({ ...right, since: null })
})
