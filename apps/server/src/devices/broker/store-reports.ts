import { sql } from 'kysely'
import type { Reported } from '@masthead/contract/devices/device'
import type { AppDb, Tx } from '../../kernel/app.ts'
import { wholeSections } from './message.ts'

/** What came of one device since the last time. `at`: of its birth or death. */
export type Row = {
  account_id: string
  device_id: string
  seen_at: Date
  birth: boolean
  death: boolean
  sure: boolean
  seq: number | null
  ts: number | null
  at: Date | null
  ip: string | null
  reported: Reported | null
}

/** Sections of a row that take the place of what is kept of them, as PostgreSQL writes a list. */
const wholeOf = ({ reported }: Row) => `{${wholeSections.filter((section) => reported && section in reported).join(',')}}`

/** Bytes of what is kept of a device's reports; past it they begin anew. */
const mostKept = 64 * 1024

/**
 * Stores a batch in one statement and answers the accounts that see something new. A birth counts unless it is older than the one that is known;
 * a death only if the device was born so last: what comes late of an earlier connection changes nothing (docs/decisions/0035).
 */
export async function storeReports(db: AppDb, broker: string, rows: readonly Row[]): Promise<string[]> {
  const column = <Key extends keyof Row>(key: Key) => rows.map((row) => row[key])
  const statement = sql<{ account_id: string; id: string; shown: boolean }>`
    with given as (
      select * from unnest(${column('account_id')}::text[], ${column('device_id')}::text[], ${column('seen_at')}::timestamptz[],
        ${column('birth')}::boolean[], ${column('death')}::boolean[], ${column('sure')}::boolean[], ${column('seq')}::integer[],
        ${column('ts')}::float8[], ${column('at')}::timestamptz[], ${column('ip')}::text[],
        ${rows.map(({ reported }) => reported && JSON.stringify(reported))}::text[], ${rows.map(wholeOf)}::text[])
        as g (account_id, id, seen_at, birth, death, sure, seq, ts, at, ip, reported, whole)
    ), judged as (
      select g.*, d.online as was_online, d.last_seq as known_seq, d.last_ts as known_ts,
        g.birth and (g.sure or d.last_ts is null or g.ts > d.last_ts or (g.ts = d.last_ts and g.seq >= d.last_seq)) as born,
        join_reported(d.reported - g.whole::text[], g.reported::jsonb) as joined
      from given g join device d on d.account_id = g.account_id and d.id = g.id
      order by d.id for no key update of d
    ), settled as (
      select *, death and (born or (was_online and known_seq = seq and known_ts = ts)) as died from judged
    )
    update device d set
      online = case when s.died then false when s.born then true else d.online end,
      since = case when (case when s.died then false when s.born then true else d.online end) <> d.online or (s.born and d.since is null)
        then s.at else d.since end,
      held_by = case when s.born then ${broker} else d.held_by end,
      last_seq = case when s.born then s.seq else d.last_seq end,
      last_ts = case when s.born then s.ts else d.last_ts end,
      last_birth_at = case when s.born then s.at else d.last_birth_at end,
      last_death_at = case when s.died then s.at else d.last_death_at end,
      last_ip = coalesce(s.ip, d.last_ip),
      last_seen_at = greatest(d.last_seen_at, s.seen_at),
      reported = case when s.reported is null then d.reported when pg_column_size(s.joined) <= ${mostKept} then s.joined
        else s.reported::jsonb end,
      reported_at = case when s.reported is null then d.reported_at else s.seen_at end
    from settled s where d.account_id = s.account_id and d.id = s.id
    returning d.account_id, d.id, s.born or s.died or s.reported is not null as shown`
  const { rows: stored } = await db.transaction().execute(async (tx) => {
    const updated = await statement.execute(tx)
    // Their rows are locked by now, in one order: two batches never wait for each other. A device that is gone keeps nothing.
    const there = new Set(updated.rows.map(({ id }) => id))
    await keepVitals(
      tx,
      rows.filter(({ device_id }) => there.has(device_id))
    )
    return updated
  })
  return [...new Set(stored.filter(({ shown }) => shown).map(({ account_id }) => account_id))]
}

/** What devices measured, each minute by itself (docs/decisions/0042). */
async function keepVitals(tx: Tx, rows: readonly Row[]): Promise<void> {
  const measured = rows.filter(({ reported }) => reported?.vitals)
  if (measured.length === 0) return
  const [accounts, devices] = [measured.map(({ account_id }) => account_id), measured.map(({ device_id }) => device_id)]
  const said = measured.map(({ reported }) => JSON.stringify(reported!.vitals))
  const now = measured[0]!.seen_at
  await sql`select keep_device_minutes(${accounts}::text[], ${devices}::text[], ${said}::text[]::jsonb[], ${now})`.execute(tx)
}
