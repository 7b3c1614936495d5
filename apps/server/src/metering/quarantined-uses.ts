import { sql } from 'kysely'
import type { Tx } from '../kernel/app.ts'
import type { SessionReading } from './reading.ts'
import { beginsAnew, rounding } from './sessions/possible-usage.ts'
import { beganAt } from './sessions/session-rules.ts'

/** What staff said of a row. */
export type Said = {
  state: 'open' | 'matched' | 'discarded'
  resolved_at: Date | null
  resolved_by: string | null
  resolve_reason: string | null
  matched_account_id: string | null
  matched_sim_id: string | null
}
type Key = { gateway_id: string; nas: string; acct_session_id: string; identity: string; kind: string }
type Row = Key & { use: string; session_id: string | null; last_packet: string; reading: SessionReading }
/** One use of an id, and its newest report. */
type Use = { use: string; last: SessionReading; said: Said | null }

const keyOf = ({ gateway_id, nas, acct_session_id, identity, kind }: Key) =>
  JSON.stringify([gateway_id, nas, acct_session_id, identity, kind])

/**
 * Gives each row the use of its id that it is of: gateways use ids again, and the counters of each use count. It keeps the newest report of that, and
 * what staff said of the one before. What belongs to a session has its use already.
 */
export async function byUse<Given extends Row>(tx: Tx, rows: readonly Given[]): Promise<(Omit<Given, 'reading'> & Partial<Said>)[]> {
  const uses = await findUses(
    tx,
    rows.filter(({ session_id }) => session_id === null)
  )
  return rows.map(({ reading, ...row }) => {
    if (row.session_id !== null) return row
    const key = keyOf(row)
    const all = uses.get(key) ?? []
    uses.set(key, all)
    const own = useOf(reading, all)
    // Whose SIM it is stays known; what was reported at another gateway is looked at anew.
    const said = row.kind === 'unknown' ? own.said : null
    // By a row of an earlier version, which may not say when it was.
    if (!(reading.event_at < own.last.event_at)) own.last = reading
    return { ...row, ...said, use: own.use, last_packet: JSON.stringify(own.last) }
  })
}

/** The use that a report is of: the latest that it is not from before, or the next one. `uses`: the latest first; a new one is added. */
function useOf(reading: SessionReading, uses: Use[]): Use {
  const [latest] = uses
  if (!latest || beginsAnew(keptOf(latest.last), reading)) {
    const next: Use = { use: latest ? String(Number(latest.use) + 1) : '', last: reading, said: latest?.said ?? null }
    uses.unshift(next)
    return next
  }
  return uses.find(({ last }) => !(reading.event_at < beganBefore(last))) ?? uses.at(-1)!
}

const saysWhen = ({ kind, session_time }: SessionReading) => kind === 'start' || session_time !== null
const beganBefore = (last: SessionReading) => (saysWhen(last) ? beganAt(last) - rounding : -Infinity)

/** As the meter keeps it of a session that it counts. */
const keptOf = (last: SessionReading) => ({
  started_at: beganAt(last),
  updated_at: last.event_at,
  ended_at: last.kind === 'stop' ? last.event_at : null,
  session_time: last.session_time ?? (last.kind === 'start' ? 0 : null),
})

/** Those that are kept, the latest first, by the keys of their rows; locked until the commit. */
async function findUses(tx: Tx, rows: readonly Key[]): Promise<Map<string, Use[]>> {
  if (rows.length === 0) return new Map()
  const distinct = [...new Map(rows.map((row) => [keyOf(row), row])).values()]
  const of = (name: keyof Key) => sql`${distinct.map((row) => row[name])}::text[]`
  const { rows: kept } = await sql<Key & Said & { use: string; last_packet: SessionReading }>`
    select q.gateway_id, q.nas, q.acct_session_id, q.identity, q.kind, q.use, q.last_packet, q.state, q.resolved_at, q.resolved_by, q.resolve_reason,
      q.matched_account_id, q.matched_sim_id
    from unnest(${of('gateway_id')}, ${of('nas')}, ${of('acct_session_id')}, ${of('identity')}, ${of('kind')}) as k(gateway_id, nas, acct_session_id, identity, kind)
    join quarantine q on q.gateway_id = k.gateway_id and q.nas = k.nas and q.acct_session_id = k.acct_session_id and q.identity = k.identity and q.kind = k.kind
    order by q.gateway_id, q.nas, q.acct_session_id, q.identity, q.kind, length(q.use) desc, q.use desc for update of q`.execute(tx)
  const uses = Map.groupBy(kept, keyOf)
  return new Map(
    [...uses].map(([key, all]) => [
      key,
      all.map(({ use, last_packet: last, state, resolved_at, resolved_by, resolve_reason, matched_account_id, matched_sim_id }) => {
        const said = { state, resolved_at, resolved_by, resolve_reason, matched_account_id, matched_sim_id }
        return { use, last, said: state === 'open' ? null : said }
      }),
    ])
  )
}
