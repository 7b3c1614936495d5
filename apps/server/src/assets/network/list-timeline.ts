import { sql, type RawBuilder } from 'kysely'
import type { TimelineEntry } from '@masthead/contract/assets/connection'
import type { listTimeline as listOp } from '@masthead/contract/assets/connection-operations'
import type { Parsed, Reply } from '@masthead/contract/kernel/operation'
import { eventsRead, findActivities, readerOf } from '../../activities/index.ts'
import type { Actor, Db } from '../../kernel/app.ts'
import { pageByKey } from '../../kernel/http/page-by-key.ts'
import { networksOf } from '../../networks/index.ts'
import { alertsSeen } from '../../notifications/index.ts'

type Query = Parsed<typeof listOp>['query']
type Kind = NonNullable<Query['kind']>[number]

type Row = Omit<TimelineEntry, 'at' | 'last_at' | 'network' | 'activity' | 'alert'> & { at: Date; last_at: Date; mccmnc: string | null }

/** Columns that a part does not have. */
const none = {
  count: '1',
  words: 'null',
  mccmnc: 'null',
  rat: 'null',
  gateway: 'null',
  before: 'null',
  after: 'null',
  bytes: 'null::numeric',
}

const partOf = (columns: { kind: string; id: string; at: string; last_at?: string } & Partial<typeof none>, from: RawBuilder<unknown>) => {
  const { kind, id, at, last_at = at, ...own } = columns
  const rest = Object.entries({ ...none, ...own }).map(([name, of]) => `${of} as ${name}`)
  return sql`select ${sql.raw([`${kind} as kind`, `${id} as id`, `${at} as at`, `${last_at} as last_at`, ...rest].join(', '))} ${from}`
}

/** What happened to an asset, newest first: one list of what the network reports, what people and staff did, and what was alerted. */
export async function listTimeline(db: Db, actor: Actor, asset_id: string, query: Query): Promise<Reply<typeof listOp>> {
  const { account_id } = actor
  const own = sql`s.account_id = ${account_id} and s.asset_id = ${asset_id}
    and s.sim_id = any(array(select id from sim where sim.account_id = ${account_id} and sim.asset_id = ${asset_id}))`
  const bytes = 's.bytes_up::numeric + s.bytes_down'
  const sessions = { id: "s.id || ':start'", mccmnc: 's.mccmnc', rat: 's.rat', gateway: 'g.name' }
  const events = eventsRead(db, readerOf(actor), { scan: true, ordered: false }).where('asset_id', '=', asset_id).select(['id', 'at'])
  const alerts = alertsSeen(db, actor)
    .where('alert.asset_id', '=', asset_id)
    .select(['alert.id', 'alert.first_at', 'alert.last_at', 'alert.count'])
  const parts: Record<Kind, RawBuilder<unknown>[]> = {
    network: [
      partOf(
        {
          kind: 's.kind',
          id: "concat_ws(' ', s.sim_id, extract(epoch from s.hour)::int8, s.kind, s.key)",
          at: 's.first_at',
          last_at: 's.last_at',
          count: 's.count',
          words: 's.words',
          mccmnc: 's.mccmnc',
          rat: 's.rat',
          gateway: 's.gateway',
          before: 's.before',
          after: 's.after',
        },
        sql`from connection_event s where ${own}`
      ),
    ],
    sessions: [
      partOf(
        { kind: "'session_started'", at: 's.started_at', ...sessions },
        sql`from data_session s join gateway g on g.id = s.gateway_id where ${own}`
      ),
      partOf(
        { kind: "'session_updated'", ...sessions, id: "s.id || ':update'", at: 's.updated_at', bytes },
        sql`from data_session s join gateway g on g.id = s.gateway_id where ${own} and s.ended_at is null and s.updated_at > s.started_at`
      ),
      partOf(
        {
          kind: "'session_ended'",
          ...sessions,
          id: "s.id || ':end'",
          at: 's.ended_at',
          words: 's.end_cause',
          bytes,
        },
        sql`from data_session s join gateway g on g.id = s.gateway_id where ${own} and s.ended_at is not null`
      ),
    ],
    activities: [partOf({ kind: "'activity'", id: 's.id', at: 's.at' }, sql`from (${events}) s`)],
    alerts: [partOf({ kind: "'alert'", id: 's.id', at: 's.first_at', last_at: 's.last_at', count: 's.count' }, sql`from (${alerts}) s`)],
  }
  const wanted = (query.kind ?? (Object.keys(parts) as Kind[])).flatMap((kind) => parts[kind])
  return pageByKey(db, query, {
    name: 'timeline',
    all: db.selectFrom(sql<Row>`(${sql.join(wanted, sql` union all `)})`.as('entry')),
    keys: [
      { of: sql.ref('entry.at'), is: 'time' },
      { of: sql.ref('entry.id'), is: 'text' },
    ],
    order: 'desc',
    rows: (page) => page.select(['kind', 'id', 'at', 'last_at', 'count', 'words', 'mccmnc', 'rat', 'gateway', 'before', 'after', 'bytes']),
    items: (rows) => asEntries(db, actor, rows),
  })
}

async function asEntries(db: Db, actor: Actor, rows: readonly Row[]): Promise<TimelineEntry[]> {
  const idsOf = (kind: Row['kind']) => rows.filter((row) => row.kind === kind).map(({ id }) => id)
  const activities = new Map((await findActivities(db, actor, idsOf('activity'))).map((activity) => [activity.id, activity]))
  const networks = await networksOf(
    db,
    rows.map(({ mccmnc }) => mccmnc)
  )
  const ids = idsOf('alert')
  const found = ids.length === 0 ? [] : await alertsSeen(db, actor).where('alert.id', 'in', ids).selectAll('alert').execute()
  const alerts = new Map(
    found.map(({ id, severity, title, resolved_at }) => [id, { id, severity, title, resolved_at: resolved_at?.toISOString() ?? null }])
  )
  return rows.map(({ mccmnc, at, last_at, ...row }) => ({
    ...row,
    count: Number(row.count),
    at: at.toISOString(),
    last_at: last_at.toISOString(),
    network: mccmnc === null ? null : networks.get(mccmnc)!,
    activity: activities.get(row.id) ?? null,
    alert: alerts.get(row.id) ?? null,
  }))
}
