import { sql } from 'kysely'
import type { App } from '../kernel/app.ts'
import { systemActor } from '../kernel/app.ts'
import { addFeed, storeFile } from '../feeds/index.ts'

const day = 86_400_000
type Row = { id: string; imsi: string; started_at: Date; ended_at: Date; bytes_up: number; bytes_down: number; mccmnc: string; rat: string }

/**
 * The file of CDRs that a carrier of the demo sent for yesterday, read by the job that reads every file: the hours that the gateways reported of some SIMs, in whole
 * kilobytes as carriers count them. So it differs a little from what is counted. Only of SIMs that a gateway reported lately: theirs is compared and counts nothing twice.
 */
export async function addDemoFile(app: App): Promise<void> {
  const { db, clock } = app
  const at = clock.now()
  if (await db.selectFrom('feed').select('id').limit(1).executeTakeFirst()) return
  const yesterday = new Date(Math.floor(at.getTime() / day) * day - day)
  const until = new Date(yesterday.getTime() + day)
  const { rows } = await sql<Row>`with reported as (
      select distinct s.account_id, s.sim_id from data_session s
      where s.started_at >= ${new Date(yesterday.getTime() - 6 * day)} and s.started_at < ${until} order by 1, 2 limit 40)
    select i.imsi || '-' || to_char(u.hour at time zone 'UTC', 'YYYYMMDDHH24') as id, i.imsi, u.hour as started_at, u.hour + interval '1 hour' as ended_at,
      ceil(u.bytes_up / 1000.0)::bigint * 1000 as bytes_up, ceil(u.bytes_down / 1000.0)::bigint * 1000 as bytes_down, u.mccmnc, u.rat
    from reported r join usage_hour u on u.account_id = r.account_id and u.sim_id = r.sim_id and u.hour >= ${yesterday} and u.hour < ${until}
    join sim_imsi i on i.account_id = r.account_id and i.sim_id = r.sim_id and i.position = (
      select min(position) from sim_imsi o where o.account_id = r.account_id and o.sim_id = r.sim_id)
    order by u.hour, i.imsi`.execute(db)
  if (rows.length === 0) return
  const { id: feed_id } = await db
    .transaction()
    .execute((tx) => addFeed(tx, systemActor('', at), { name: 'Northern Carrier', folder: null, silent_after_minutes: 2880 }))
  const columns = ['id', 'imsi', 'started_at', 'ended_at', 'bytes_up', 'bytes_down', 'mccmnc', 'rat'] as const
  const lineOf = (row: Row) => columns.map((name) => (row[name] instanceof Date ? row[name].toISOString() : row[name])).join(',')
  const name = `cdr-${yesterday.toISOString().slice(0, 10)}.csv`
  async function* pieces() {
    yield [columns.join(','), ...rows.map(lineOf), ''].join('\n')
  }
  await storeFile(db, { feed_id, name, source: 'upload', added_by: null }, pieces(), at)
}
