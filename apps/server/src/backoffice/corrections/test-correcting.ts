import { sql } from 'kysely'
import { expect } from 'vitest'
import { correctUsage, getCorrectionPreview, undoCorrection } from '@masthead/contract/backoffice/correction-operations'
import { enterStaff } from '../test-backoffice.ts'
import { openMeteredHouse, readingOf, stored, type TestSim } from '../../metering/test-network.ts'
import { rollUpAll } from '../../usage/roll-ups/test-roll-up-all.ts'

export type Given = { day?: string; bytes_up?: number; bytes_down?: number; mccmnc?: string; rat?: string; reason?: string }

let sessions = 0

/** A house with a meter at noon of 20 November, and somebody of staff who corrects what its SIMs used. */
export async function openCorrectingHouse() {
  const house = await openMeteredHouse()
  const noon = '2026-11-20T12:00:00Z'
  house.clock.set(noon)
  let staff = await enterStaff(house)
  /** A stay is half an hour: staff enter again after the clock was set. */
  const setClock = async (to: string) => {
    house.clock.set(to)
    staff = await enterStaff(house)
  }
  /** A SIM that was registered long ago. */
  const newSim = async (options?: { limit_bytes?: number }): Promise<TestSim> => {
    const sim = await house.newSim(options)
    await sql`update sim set created_at = '2026-01-01' where id = ${sim.id}`.execute(house.db)
    await sql`update gateway set created_at = '2026-01-01'`.execute(house.db)
    return sim
  }

  /** A session of ten minutes up to a time, reported and rolled up. */
  const use = async (sim: TestSim, at: string, up: number, down = 0, mccmnc = '262-01') => {
    const reading = { acct_session_id: `c${++sessions}`, event_at: Date.parse(at), session_time: 600, mccmnc, rat: 'LTE' }
    expect(await stored(house, readingOf(house, sim, { ...reading, counter_up: up, counter_down: down }))).toBe(true)
    await rollUpAll(house.app)
  }

  const params = (sim: TestSim) => ({ any_asset_id: sim.asset_id })
  const correct = (sim: TestSim, given: Given, headers = {}) =>
    staff.call(
      correctUsage,
      { params: params(sim), body: { day: '2026-11-20', bytes_up: 0, bytes_down: 0, reason: 'Ticket 7', ...given } },
      headers
    )
  const undo = (sim: TestSim, correction_id: string) =>
    staff.call(undoCorrection, { params: { ...params(sim), correction_id }, body: { reason: 'A mistake' } })
  const preview = async (sim: TestSim, query: Given) =>
    (await staff.call(getCorrectionPreview, { params: params(sim), query: { day: '2026-11-20', ...query } as never })).body
  const hoursOf = async ({ id }: TestSim) =>
    (
      await sql<{ hour: string; mccmnc: string; up: number; down: number }>`
        select to_char(hour at time zone 'UTC', 'MM-DD HH24') as hour, mccmnc, sum(bytes_up) as up, sum(bytes_down) as down from (
          select * from usage_hour union all select * from usage_open_hour) h where sim_id = ${id} group by 1, 2 order by 1, 2`.execute(
        house.db
      )
    ).rows.map(({ hour, mccmnc, up, down }) => [hour, mccmnc, up, down])

  return {
    house,
    noon,
    setClock,
    newSim,
    use,
    params,
    correct,
    undo,
    preview,
    hoursOf,
    call: ((...all) => staff.call(...all)) as typeof staff.call,
  }
}
