import { dayOf } from '@masthead/contract/kernel/time'
import { sql } from 'kysely'
import { newId } from '@masthead/contract/kernel/id'
import type { House } from '@masthead/testkit/house'
import { expect } from 'vitest'

type OfSim = { account_id: string; sim_id: string; asset_id: string }

/** Usage of a SIM in the first hour of today, as the meter and the roll-up leave it: the SIM's counter, an open hour, the account's hour. */
export async function addUsedDay({ db, clock }: Pick<House, 'db' | 'clock'>, { account_id, sim_id }: OfSim, bytes = 1_000_000) {
  const day = dayOf(clock.now())
  const month = `${day.slice(0, 7)}-01`
  await sql`insert into sim_counter values (${account_id}, ${sim_id}, ${month}, ${bytes}, ${bytes}, ${bytes}, ${bytes}, ${clock.now()})`.execute(
    db
  )
  const hour = sql`${`${day}T00:00:00Z`}, '262-01', 'EUTRAN', ${bytes}, ${bytes}`
  await sql`insert into usage_open_hour values (${account_id}, ${sim_id}, ${hour})`.execute(db)
  await sql`insert into account_usage_hour values (${account_id}, ${hour}) on conflict do nothing`.execute(db)
  return day
}

/** A used day of a SIM with a correction of it, to be undone. */
export async function addCorrection(house: Pick<House, 'db' | 'clock'>, { account_id, sim_id, asset_id }: OfSim) {
  const at = house.clock.now()
  const day = await addUsedDay(house, { account_id, sim_id, asset_id })
  const id = newId('correction', at.getTime())
  const why = { reason: 'A test', by_email: 'staff@example.test', created_at: at, adjustment_month: null, undoes: null }
  const of = { account_id, id, sim_id, asset_id, day, bytes_up: 1000, bytes_down: 0, mccmnc: null, rat: null }
  await house.db
    .insertInto('usage_correction')
    .values({ ...of, ...why })
    .execute()
  await sql`insert into usage_correction_part values
    (${account_id}, ${id}, ${sim_id}, ${`${day}T00:00:00Z`}, '262-01', 'EUTRAN', 1000, 0)`.execute(house.db)
  return { day, correction_id: id }
}

type Scene = { backoffice: { owned: { serial: string }; corrected: { day: string; correction_id: string } }; active: { id: string } }

const reason = 'A ticket'

/** A request of each call about corrections that works on a scene. */
export const correctionSamples = {
  'assets.listSimCorrections': ({ active }: Scene) => ({ params: { asset_id: active.id } }),
  'backoffice.listCorrections': ({ active }: Scene) => ({ params: { any_asset_id: active.id } }),
  'backoffice.getCorrectionPreview': ({ backoffice: { owned, corrected } }: Scene) => ({
    params: { any_asset_id: owned.serial },
    query: { day: corrected.day, bytes_up: '-1000' },
  }),
  'backoffice.correctUsage': ({ backoffice: { owned, corrected } }: Scene) => ({
    params: { any_asset_id: owned.serial },
    body: { day: corrected.day, bytes_up: -1000, bytes_down: 0, reason },
    other: { day: corrected.day, bytes_up: -2000, bytes_down: 0, reason },
  }),
  'backoffice.undoCorrection': ({ backoffice: { owned, corrected } }: Scene) => ({
    params: { any_asset_id: owned.serial, correction_id: corrected.correction_id },
    body: { reason },
    other: { reason: 'Another ticket' },
  }),
}

/**
 * All that is summed up of usage must say the same: hours, open or closed, what was recorded and corrected; days the closed hours and months the
 * days; accounts their SIMs; a SIM's counters its hours, of its month and in all. And nothing may be below zero.
 */
export async function expectTotalsAgree({ db }: Pick<House, 'db'>) {
  const bytes = sql`sum(bytes_up) as up, sum(bytes_down) as down`
  const hours = sql`select * from usage_hour union all select * from usage_open_hour`
  const recorded = sql`select account_id, sim_id, date_trunc('hour', event_at, 'UTC') as hour, mccmnc, rat, bytes_up, bytes_down from usage_record
    union all select account_id, sim_id, hour, mccmnc, rat, bytes_up, bytes_down from usage_correction_part`
  const month = sql`date_trunc('month', hour at time zone 'UTC')::date`
  const pairs = {
    hours: [
      sql`select sim_id as key, hour::text as at, mccmnc, rat, ${bytes} from (${hours}) h group by 1, 2, 3, 4`,
      sql`select sim_id as key, hour::text as at, mccmnc, rat, ${bytes} from (${recorded}) r group by 1, 2, 3, 4`,
    ],
    days: [
      sql`select sim_id as key, day::text as at, mccmnc, rat, ${bytes} from usage_day group by 1, 2, 3, 4`,
      sql`select sim_id as key, (hour at time zone 'UTC')::date::text as at, mccmnc, rat, ${bytes} from usage_hour group by 1, 2, 3, 4`,
    ],
    months: [
      sql`select sim_id as key, month::text as at, mccmnc, rat, ${bytes} from usage_month group by 1, 2, 3, 4`,
      sql`select sim_id as key, ${month}::text as at, mccmnc, rat, ${bytes} from usage_hour group by 1, 2, 3, 4`,
    ],
    accounts: [
      sql`select account_id as key, hour::text as at, mccmnc, rat, ${bytes} from account_usage_hour group by 1, 2, 3, 4`,
      sql`select account_id as key, hour::text as at, mccmnc, rat, ${bytes} from (${hours}) h group by 1, 2, 3, 4`,
    ],
    lifetimes: [
      sql`select sim_id as key, '' as at, '' as mccmnc, '' as rat, lifetime_up as up, lifetime_down as down from sim_counter`,
      sql`select sim_id as key, '' as at, '' as mccmnc, '' as rat, ${bytes} from (${hours}) h group by 1`,
    ],
    periods: [
      sql`select sim_id as key, '' as at, '' as mccmnc, '' as rat, bytes_up as up, bytes_down as down from sim_counter`,
      sql`select h.sim_id as key, '' as at, '' as mccmnc, '' as rat, sum(h.bytes_up) as up, sum(h.bytes_down) as down from (${hours}) h
        join sim_counter c on c.account_id = h.account_id and c.sim_id = h.sim_id and c.period_start = ${month} group by 1`,
    ],
  }
  for (const [name, [kept, right]] of Object.entries(pairs)) {
    const { rows } =
      await sql`select key, at, mccmnc, rat, k.up::text as up, r.up::text as right_up, k.down::text as down, r.down::text as right_down
      from (${kept!}) k full join (${right!}) r using (key, at, mccmnc, rat)
      where coalesce(k.up, 0) <> coalesce(r.up, 0) or coalesce(k.down, 0) <> coalesce(r.down, 0)
        or ${name === 'hours' || name === 'periods' ? sql`k.up < 0 or k.down < 0` : sql`false`}`.execute(db)
    expect({ [name]: rows }).toEqual({ [name]: [] })
  }
}
