import { sql } from 'kysely'
import type { Parsed, Reply } from '@masthead/contract/kernel/operation'
import type { listSilentSims as promise } from '@masthead/contract/usage/network-operations'
import type { Actor, Db, ReadDb } from '../kernel/app.ts'
import { pageByKey } from '../kernel/http/page-by-key.ts'
import { countUpToCap } from '../kernel/http/paging.ts'
import { shareMoment } from './large-account.ts'
import { usagePeriod, type Period } from './usage-period.ts'
import { silentSims } from './usage-queries.ts'

type Query = Parsed<typeof promise>['query']

/** Active SIMs without a byte in a period, by the names of their assets. */
export async function listSilentSims(db: ReadDb, actor: Actor, query: Query): Promise<Reply<typeof promise>> {
  const period = usagePeriod(query, query.interval, actor.at)
  const { page, page_size, after } = query
  return shareMoment(db, actor, ['silent SIMs', { page, page_size, after, ...period }], (tx) => readSilentSims(tx, actor, query, period))
}

async function readSilentSims(db: Db, actor: Actor, query: Query, period: Period): Promise<Reply<typeof promise>> {
  const { account_id } = actor
  const silent = db.selectFrom(sql<{ id: string }>`(select sim.id from ${silentSims(actor, period, actor.at)})`.as('silent'))
  return pageByKey(db, query, {
    name: 'silent SIMs',
    all: silent
      .innerJoin('sim as s', (join) => join.on('s.account_id', '=', account_id).onRef('s.id', '=', 'silent.id'))
      .innerJoin('asset as a', (join) => join.on('a.account_id', '=', account_id).onRef('a.id', '=', 's.asset_id')),
    // Without the joins, because a large account has many of them.
    count: () => countUpToCap(db, silent),
    keys: [
      { of: sql`lower(a.name)`, is: 'text' },
      { of: sql.ref('s.id'), is: 'text' },
    ],
    order: 'asc',
    rows: (page) =>
      page.select([
        's.asset_id',
        'a.name',
        's.iccid',
        sql<Date | null>`(select until from sim_sent k where k.account_id = s.account_id and k.sim_id = s.id)`.as('sent_at'),
        sql<Date | null>`(select seen_at from sim_counter c where c.account_id = s.account_id and c.sim_id = s.id)`.as('seen_at'),
        sql<boolean>`s.blocks <> '[]'`.as('blocked'),
      ]),
    items: (rows) =>
      rows.map(({ sent_at, seen_at, ...row }) => ({
        ...row,
        sent_at: sent_at?.toISOString() ?? null,
        seen_at: seen_at?.toISOString() ?? null,
      })),
  })
}
