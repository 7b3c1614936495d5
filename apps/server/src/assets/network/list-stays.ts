import { sql } from 'kysely'
import type { Reply } from '@masthead/contract/kernel/operation'
import { mostPlaces, mostStays, placeDays, type Place, type listStays as promise } from '@masthead/contract/assets/place-operations'
import type { Db } from '../../kernel/app.ts'
import { networksOf } from '../../networks/index.ts'
import type { Viewer } from '../viewer.ts'

/** A report that says where a SIM is: of a session, or of what happened on the way to the network. */
export type Seen = { mccmnc: string; rat: string | null; cell: string | null; since: Date; until: Date }

/** More reports than these are not read. */
const mostRead = 2000

/** Where an asset was, as networks reported it and as it was set. A session has the network it was on last: since its start, or since it changed to that network. */
export async function listStays(db: Db, { account_id, at }: Viewer, asset_id: string): Promise<Reply<typeof promise>> {
  const from = new Date(at.getTime() - placeDays * 86_400_000)
  const own = sql`account_id = ${account_id} and asset_id = ${asset_id}
    and sim_id = any(array(select id from sim where sim.account_id = ${account_id} and sim.asset_id = ${asset_id}))`
  const { rows } = await sql<Seen>`
    with event as materialized (
      select sim_id, kind, mccmnc, rat, first_at, last_at from connection_event
      where ${own} and hour >= ${from} and kind in ('accepted', 'network_changed') and mccmnc <> '')
    select * from (
      select s.mccmnc, s.rat, s.cell, greatest(s.started_at, ${from}::timestamptz, (select max(e.last_at) from event e
          where e.sim_id = s.sim_id and e.kind = 'network_changed' and e.last_at between s.started_at and s.updated_at)) as since,
        s.updated_at as until
      from data_session s where ${own} and s.updated_at >= ${from} and s.mccmnc <> ''
      union all
      select mccmnc, rat, null, first_at, last_at from event) seen
    order by until desc, since desc limit ${mostRead + 1}`.execute(db)
  const stays = staysOf(rows.slice(0, mostRead))
  const shown = stays.slice(0, mostStays)
  const networks = await networksOf(
    db,
    shown.map(({ mccmnc }) => mccmnc)
  )
  return {
    items: shown.map(({ mccmnc, rat, cell, since, until }) => ({
      network: networks.get(mccmnc)!,
      rat,
      cell,
      since: since.toISOString(),
      until: until.toISOString(),
    })),
    more: rows.length > mostRead || stays.length > mostStays,
    places: await listPlaces(db, account_id, asset_id, from),
  }
}

async function listPlaces(db: Db, account_id: string, asset_id: string, from: Date): Promise<Place[]> {
  const rows = await db
    .selectFrom('asset_place')
    .select(['latitude', 'longitude', 'since', 'until', 'set_by as by'])
    .where('account_id', '=', account_id)
    .where('asset_id', '=', asset_id)
    .where(({ or, eb }) => or([eb('until', 'is', null), eb('until', '>=', from)]))
    .orderBy('since', 'desc')
    .limit(mostPlaces)
    .execute()
  return rows.map(({ since, until, ...place }) => ({ ...place, since: since.toISOString(), until: until?.toISOString() ?? null }))
}

/** Reports, newest first, as stays: what follows from the same place is one. A report without a cell or a technology says nothing against the one before. */
export function staysOf(reports: readonly Seen[]): Seen[] {
  const stays: Seen[] = []
  for (const { ...seen } of reports) {
    const later = stays.at(-1)
    const agree = (a: string | null, b: string | null) => a === b || a === null || b === null
    if (later && later.mccmnc === seen.mccmnc && agree(later.cell, seen.cell) && agree(later.rat, seen.rat)) {
      later.cell ??= seen.cell
      later.rat ??= seen.rat
      if (seen.since < later.since) later.since = seen.since
    } else stays.push(seen)
  }
  return stays
}
