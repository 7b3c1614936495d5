import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { usageCorrected } from '@masthead/contract/assets/events'
import { listSimCorrections } from '@masthead/contract/assets/operations'
import { listCorrections } from '@masthead/contract/backoffice/correction-operations'
import { listStaffLog } from '@masthead/contract/backoffice/staff-log-operations'
import { sentenceOf } from '@masthead/contract/kernel/event'
import { getTotalUsage } from '@masthead/contract/usage/operations'
import { addTag } from '../../usage/test-usage.ts'
import { openCorrectingHouse, type Given } from './test-correcting.ts'

const { house, newSim, use, params, correct, preview, hoursOf, call } = await openCorrectingHouse()
afterAll(() => house[Symbol.asyncDispose]())

test('what cannot be corrected is refused in words, and nothing is changed', async () => {
  const sim = await newSim()
  expect((await correct(sim, { bytes_up: 5 })).body).toMatchObject({ code: 'nothing_counted' })
  expect(await preview(sim, { bytes_up: 5 })).toMatchObject({
    refused: 'No usage was ever counted for this SIM, so there is nothing to correct',
  })
  await use(sim, '2026-11-20T08:30:00Z', 100)
  const counter = await house.counter(sim)
  const refused = async (given: Given, expected: object) => {
    const { body } = await correct(sim, given)
    expect(body).toMatchObject(expected)
    return body
  }
  await refused({ day: '2026-11-21', bytes_up: 1 }, { code: 'day_not_correctable', fields: { day: expect.stringMatching(/days to come/) } })
  await refused({ day: '2025-12-31', bytes_up: 1 }, { fields: { day: expect.stringMatching(/registered on 1 Jan 2026/) } })
  await sql`update sim set created_at = '2020-01-01' where id = ${sim.id}`.execute(house.db)
  await refused({ day: '2025-10-01', bytes_up: 1 }, { fields: { day: expect.stringMatching(/^Days can be corrected for 400 days/) } })
  await refused(
    { bytes_up: -101 },
    { code: 'usage_below_zero', detail: 'You cannot subtract more than was counted: 100 B up and 0 B down on 20 Nov 2026' }
  )
  await refused({ bytes_up: 5, bytes_down: -1 }, { code: 'usage_below_zero' })
  await refused({}, { fields: { bytes_up: 'Enter how much to subtract or add' } })
  await refused({ bytes_up: 1.5 }, { fields: { bytes_up: 'Enter whole bytes' } })
  await refused({ bytes_up: 21_600_000_000_001 }, { fields: { bytes_up: expect.stringMatching(/at most 21\.6 TB/) } })
  await refused({ bytes_up: -1, reason: ' ' }, { fields: { reason: 'Say why' } })
  await refused({ day: '2026-02-30', bytes_up: 1 }, { fields: { day: 'Enter a day as 2026-11-03' } })
  expect(await house.counter(sim)).toEqual(counter)
  expect(await hoursOf(sim)).toEqual([['11-20 08', '262-01', 100, 0]])
  expect((await call(listCorrections, { params: params(sim) })).body.total).toBe(0)
  expect(await preview(sim, { bytes_up: -101 })).toMatchObject({ refused: expect.stringMatching(/^You cannot subtract/), after: null })
})

test('the customer sees it: in activities, on the asset, in what is used; staff in their log', async () => {
  const sim = await newSim()
  await use(sim, '2026-11-20T08:30:00Z', 2_000_000_000)
  const key = { 'idempotency-key': 'one correction' }
  const [first, again] = [await correct(sim, { bytes_up: -1_200_000_000 }, key), await correct(sim, { bytes_up: -1_200_000_000 }, key)]
  expect(again.body).toEqual(first.body)
  await correct(sim, { day: '2026-09-03', bytes_up: 1_000_000 })
  const events = (await house.events(house.owner.account_id)).filter(
    ({ name, detail }) => name === usageCorrected.name && detail.sim_id === sim.id
  )
  const [{ detail }] = events as [(typeof events)[0]]
  expect(events.map(({ name, detail }) => sentenceOf(usageCorrected, name, detail))).toEqual([
    `Corrected the usage of ${detail.asset_name as string} on 20 Nov 2026 by −1.2 GB: Ticket 7`,
    `Corrected the usage of ${detail.asset_name as string} on 3 Sep 2026 by +1 MB, as an adjustment in Nov 2026: Ticket 7`,
  ])
  const list = (query: object = {}) =>
    house.owner.call(listSimCorrections, { params: { asset_id: sim.iccid }, query: { page_size: '1', ...query } as never })
  const one = (await list()).body
  expect([one.total, one.items[0]!.day]).toEqual([2, '2026-09-03'])
  expect((await list({ after: one.next! })).body).toMatchObject({ items: [{ id: first.body.id }], next: null })
  expect((await list({ after: 'x' })).status).toBe(400)
  const log = (await call(listStaffLog, { query: { asset_id: sim.asset_id, action: [usageCorrected.name] } })).body.items
  expect(log).toMatchObject([
    { reason: 'Ticket 7' },
    {
      before: { day: '2026-11-20', bytes_up: 2_000_000_000 },
      after: { bytes_up: 800_000_000 },
      sentence: expect.stringMatching(/by −1\.2 GB$/),
    },
  ])
  const { items } = (await house.owner.call(getTotalUsage, { query: { start: '2026-11-20T00:00:00Z', end: '2026-11-21T00:00:00Z' } })).body
  expect(items.find((item) => item.key === sim.asset_id)!.bytes).toBe(800_000_000)
  // Nobody sees that of an asset that is not theirs to see.
  const tag = await addTag(house, house.owner, 'elsewhere')
  const limited = await house.newMember(house.owner, ['assets.view'], [tag])
  expect((await limited.call(listSimCorrections, { params: { asset_id: sim.asset_id } })).status).toBe(404)
})
