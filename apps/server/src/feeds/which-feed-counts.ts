import { sql } from 'kysely'
import type { Db } from '../kernel/app.ts'

const day = 86_400_000
/** A feed that said nothing of a SIM for so long counts for it no longer. */
const silentFor = 7 * day
/** Gateways report before files come, but a record may end a little before the session that it is of begins here. */
const ahead = day

/** A time that a record covers, in milliseconds since 1970. */
export type Used = { account_id: string; sim_id: string; record_id: string; from: number; to: number }

/** What is known of a record's SIM at that time. `radius`: a gateway reported of it. `own`: the record is counted already. */
type Known = { radius: boolean; own: boolean; feed_id: string | null; counted_to: Date | null }

/**
 * One feed counts for a SIM. RADIUS does where a session that a gateway reported of the SIM was open within 7 days before the record or a day after it; else the
 * feed that counted for it last, unless it has been silent for 7 days; else this one. Pure, so that it can be read as a table.
 */
function doesCount(feed_id: string, { from }: Pick<Used, 'from'>, { radius, own, feed_id: other, counted_to }: Known): boolean {
  if (own) return true
  if (radius) return false
  return other === null || other === feed_id || counted_to!.getTime() < from - silentFor
}

/** A session of the SIM that no feed reported: those of feeds are named by them, and there may be very many. */
const ofGateway = sql`s.account_id = k.account_id and s.sim_id = k.sim_id and s.nas <> s.gateway_id`

/** `gateway_at`: until when a gateway had gone on with a session from before the feed counted, as that was read; null: none has. */
type Counts = { counts: boolean; gateway_at: string | null }

/**
 * Whether each of these counts, in their order. A long session that is over is looked for through all that the SIM had: not where this feed counted for it within
 * the 7 days before, as there was none then, unless a gateway has gone on with one since.
 */
export async function whichCount(db: Db, feed_id: string, used: readonly Used[]): Promise<Counts[]> {
  if (used.length === 0) return []
  const time = (ms: number) => new Date(ms)
  const { rows } = await sql<Known & Pick<Counts, 'gateway_at'>>`
    select exists (select from data_session s where ${ofGateway} and s.started_at >= k.since and s.started_at <= k.until)
      or exists (select from data_session s where ${ofGateway} and s.ended_at is null and s.started_at <= k.until)
      or (coalesce(f.feed_id <> ${feed_id} or coalesce(f.gateway_at >= f.counted_to, false) or f.counted_to not between k.since and k.since + ${silentFor / 1000}::float8 * interval '1 second', true)
        and exists (select from data_session s where ${ofGateway} and s.ended_at >= k.since and s.started_at < k.since)) as radius,
      exists (select from data_session s where s.gateway_id = ${feed_id} and s.nas = ${feed_id} and s.acct_session_id = k.record_id
        and not s.superseded) as own,
      f.feed_id, f.counted_to, f.gateway_at::text
    from unnest(${used.map((each) => each.account_id)}::text[], ${used.map((each) => each.sim_id)}::text[], ${used.map((each) => each.record_id)}::text[],
        ${used.map(({ from }) => time(from - silentFor))}::timestamptz[], ${used.map(({ to }) => time(to + ahead))}::timestamptz[])
      with ordinality as k(account_id, sim_id, record_id, since, until, n)
    left join sim_feed f on f.account_id = k.account_id and f.sim_id = k.sim_id
    order by k.n`.execute(db)
  return rows.map(({ gateway_at, ...known }, i) => ({ counts: doesCount(feed_id, used[i]!, known), gateway_at }))
}
