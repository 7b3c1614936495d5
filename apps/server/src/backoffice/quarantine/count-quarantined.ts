import { silentAfterSeconds } from '@masthead/contract/assets/sim'
import { type Selectable, sql } from 'kysely'
import type { App } from '../../kernel/app.ts'
import type { Database } from '../../kernel/database/database.ts'
import { countReadings, type Reading } from '../../metering/index.ts'
import { betweenDrops } from '../../usage/index.ts'

/**
 * Counts matched usage through the meter's ingest. A session's counters are cumulative and count once, so that a job that broke off, or a
 * gateway that goes on reporting meanwhile, never counts anything twice. What goes into quarantine meanwhile brings a job of its own.
 */
export const countQuarantined = (app: App, ids: readonly string[]): Promise<void> =>
  // It arrived when it was reported, which may be on a day whose records are to go by now.
  betweenDrops(app, app.clock.now(), app.config.recordRetentionDays, () => countMatched(app, ids))

const atOnce = 500

async function countMatched(app: App, ids: readonly string[]): Promise<void> {
  const rows = await app.db
    .selectFrom('quarantine')
    .innerJoin('sim', (join) => join.onRef('sim.account_id', '=', 'matched_account_id').onRef('sim.id', '=', 'matched_sim_id'))
    .select(['quarantine.id', 'quarantine.last_packet', 'quarantine.last_at', 'packets', 'counter_up', 'counter_down'])
    .select('sim.msisdn')
    .select((eb) =>
      eb
        .selectFrom('sim_imsi')
        .select('imsi')
        .whereRef('sim_imsi.account_id', '=', 'sim.account_id')
        .whereRef('sim_imsi.sim_id', '=', 'sim.id')
        .orderBy('position')
        .limit(1)
        .as('imsi')
    )
    .where('quarantine.id', 'in', [...ids])
    .where('quarantine.state', '=', 'matched')
    .where('quarantine.kind', '=', 'unknown')
    .where('quarantine.counted_at', 'is', null)
    .orderBy('quarantine.id')
    .execute()
  const at = app.clock.now()
  for (let from = 0; from < rows.length; from += atOnce) {
    const piece = rows.slice(from, from + atOnce)
    await countReadings(
      app,
      piece.map((row) => readingOf(row, at))
    )
    // What has been reported since is counted by a job of its own.
    const [counted, packets] = [piece.map(({ id }) => id), piece.map((row) => row.packets)]
    const note = sql`update quarantine q set counted_at = ${at} from unnest(${counted}::text[], ${packets}::bigint[]) as k(id, packets)
      where q.id = k.id and q.packets = k.packets`
    await app.db.transaction().execute((tx) => note.execute(tx))
  }
}

type Matched = Pick<Selectable<Database['quarantine']>, 'last_packet' | 'last_at' | 'counter_up' | 'counter_down'> & {
  msisdn: string | null
  imsi: string | null
}

/** What is kept of a session, as a report of the SIM that it was matched to. */
function readingOf(row: Matched, at: Date): Reading {
  const last = row.last_packet as unknown as Reading
  const over = at.getTime() - row.last_at.getTime() > silentAfterSeconds(null) * 1000
  return {
    ...last,
    // Staff said whose it is: it is not asked whether it began before we knew its SIM. Rows of earlier versions do not say how it was timed.
    is_matched: true,
    is_timed: last.is_timed ?? true,
    heard_from: last.heard_from ?? null,
    // By whatever number the SIM is known.
    imsi: row.imsi,
    msisdn: row.imsi === null ? row.msisdn : last.msisdn,
    // The highest counters that were reported, whichever packet brought them.
    counter_up: row.counter_up,
    counter_down: row.counter_down,
    has_gigawords: last.has_gigawords || Math.max(row.counter_up, row.counter_down) >= 2 ** 32,
    // Nothing was received of it for long: it is not shown as a session that goes on. Should it speak again, that still counts.
    ...(over &&
      last.kind !== 'stop' && {
        kind: 'stop' as const,
        end_cause: 'Lost stop',
        session_time: last.session_time ?? (last.kind === 'start' ? 0 : null),
      }),
  }
}
