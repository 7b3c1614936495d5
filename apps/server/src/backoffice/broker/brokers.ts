import { sql } from 'kysely'
import type { Broker, BrokerClient, listBrokerClients as listOp } from '@masthead/contract/backoffice/broker-operations'
import type { Parsed, Reply } from '@masthead/contract/kernel/operation'
import type { Db } from '../../kernel/app.ts'
import { beginning } from '../../kernel/http/like.ts'
import { runsSince } from '../../devices/index.ts'
import { pageByKey } from '../../kernel/http/page-by-key.ts'

/** Those that run, with what they counted since they started. There are few. */
export async function listBrokers(db: Db, at: Date): Promise<Broker[]> {
  const rows = await db.selectFrom('broker').selectAll().where('seen_at', '>=', runsSince(at)).orderBy('name').execute()
  return rows.map(({ name, started_at, seen_at, clients, counters }) => {
    // "refused_total size": the name, and of what kind.
    const counted = Object.entries(counters as Record<string, number>).map(([key, count]) => [...key.split(' '), count] as const)
    const sum = (wanted: string) => counted.reduce((total, [family, ...rest]) => total + (family === wanted ? Number(rest.at(-1)) : 0), 0)
    const refusals = counted
      .filter(([family]) => family === 'refused_total')
      .map((each) => ({ why: String(each[1]), count: Number(each.at(-1)) }))
      .filter(({ count }) => count > 0)
      .toSorted((one, other) => other.count - one.count)
    return {
      name,
      started_at: started_at.toISOString(),
      seen_at: seen_at.toISOString(),
      clients,
      connections: sum('connections_total'),
      messages: sum('messages_total'),
      sent: sum('sent_total'),
      stored: sum('stored_total'),
      refusals,
    }
  })
}

type Query = Parsed<typeof listOp>['query']

/** Devices of all accounts by their ids, the newest first. */
export const listBrokerClients = (db: Db, query: Query): Promise<Reply<typeof listOp>> =>
  pageByKey(db, query, {
    name: 'broker_clients',
    all: matching(db, query),
    keys: [{ of: sql.ref('d.id'), is: 'text' }],
    order: 'desc',
    rows: (page) =>
      page
        .innerJoin('person as owner', 'owner.account_id', 'd.account_id')
        .select(['d.id as device_id', 'd.kind', 'd.asset_id', 'asset.name as asset_name', 'owner.email as account', 'd.online'])
        .select(['d.held_by as broker', 'd.since', 'd.last_seen_at', 'd.last_ip as ip', 'd.cut_at', 'd.cut_by']),
    items: (rows) =>
      rows.map(({ since, last_seen_at, cut_at, ...row }): BrokerClient => ({
        ...row,
        since: since?.toISOString() ?? null,
        last_seen_at: last_seen_at?.toISOString() ?? null,
        cut_at: cut_at?.toISOString() ?? null,
      })),
  })

function matching(db: Db, { state, search }: Query) {
  let rows = db
    .selectFrom('device as d')
    .innerJoin('asset', (join) => join.onRef('asset.account_id', '=', 'd.account_id').onRef('asset.id', '=', 'd.asset_id'))
  if (state === 'cut') rows = rows.where('d.cut_at', 'is not', null)
  else if (state) rows = rows.where('d.cut_at', 'is', null).where('d.online', '=', state === 'online')
  if (search)
    rows = rows.where(({ or, eb }) =>
      or([
        eb('d.id', '=', search),
        eb('d.asset_id', '=', search),
        eb('d.last_ip', '=', search),
        eb(sql`lower(asset.name)`, 'like', beginning(search.toLowerCase())),
      ])
    )
  return rows
}
