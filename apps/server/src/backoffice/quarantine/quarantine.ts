import { sql } from 'kysely'
import type {
  getQuarantineTotals as totalsOp,
  listQuarantine as listOp,
  Quarantined,
} from '@masthead/contract/backoffice/quarantine-operations'
import type { Parsed, Reply } from '@masthead/contract/kernel/operation'
import type { Db } from '../../kernel/app.ts'
import { pageByKey } from '../../kernel/http/page-by-key.ts'
import { networksOf } from '../../networks/index.ts'
import { beginning } from '../../kernel/http/like.ts'
import { holdersOf, whyNotCounted } from './why-not-counted.ts'

type Query = Parsed<typeof listOp>['query']

/** Usage that was not counted, the latest first. */
export async function listQuarantine(db: Db, query: Query): Promise<Reply<typeof listOp>> {
  return pageByKey(db, query, {
    name: 'quarantine',
    all: matching(db, query),
    keys: [
      { of: sql.ref('q.last_at'), is: 'time' },
      { of: sql.ref('q.id'), is: 'text' },
    ],
    order: 'desc',
    rows: (page) =>
      page
        .innerJoin('gateway', 'gateway.id', 'q.gateway_id')
        .leftJoin('sim', (join) => join.onRef('sim.account_id', '=', 'q.matched_account_id').onRef('sim.id', '=', 'q.matched_sim_id'))
        .leftJoin('asset', (join) => join.onRef('asset.account_id', '=', 'sim.account_id').onRef('asset.id', '=', 'sim.asset_id'))
        .leftJoin('data_session as of', (join) => join.onRef('of.account_id', '=', 'q.account_id').onRef('of.id', '=', 'q.session_id'))
        .leftJoin('sim as own', (join) => join.onRef('own.account_id', '=', 'of.account_id').onRef('own.id', '=', 'of.sim_id'))
        .leftJoin('person as owner', 'owner.account_id', 'q.matched_account_id')
        .select([
          'q.id',
          'q.state',
          'q.kind',
          'q.reason',
          'gateway.name as gateway',
          'q.acct_session_id',
          'q.identity',
          'q.first_at',
          'q.last_at',
        ])
        .select(['q.packets', 'q.counter_up', 'q.counter_down', 'q.mccmnc', 'q.rat', 'q.last_packet', 'q.resolved_at', 'q.resolved_by'])
        .select([
          'q.resolve_reason',
          'q.counted_at',
          'sim.iccid',
          'own.iccid as session_sim',
          'asset.id as asset_id',
          'asset.name as asset_name',
          'owner.email as account',
        ])
        .select((eb) =>
          eb
            .selectFrom('data_session as s')
            .innerJoin('gateway as other', 'other.id', 's.gateway_id')
            .select('other.name')
            .where('q.kind', '=', 'elsewhere')
            .whereRef('s.acct_session_id', '=', 'q.acct_session_id')
            .whereRef('s.nas', '=', 'q.nas')
            .whereRef('s.gateway_id', '<>', 'q.gateway_id')
            .where('s.superseded', '=', false)
            .orderBy('s.heard_at', 'desc')
            .limit(1)
            .as('counted_by')
        ),
    items: async (rows) => {
      const networks = await networksOf(
        db,
        rows.map(({ mccmnc }) => mccmnc)
      )
      const holders = await holdersOf(
        db,
        rows.flatMap(({ id, state }) => (state === 'open' ? [id] : []))
      )
      return rows.map((row): Quarantined => {
        const network = row.mccmnc === null ? undefined : networks.get(row.mccmnc)
        const { account, asset_id, asset_name, iccid } = row
        return {
          id: row.id,
          state: row.state,
          kind: row.kind,
          why: row.reason,
          cannot_match: whyNotCounted(row, holders.get(row.id)),
          only_sim: holders.get(row.id)?.iccid ?? null,
          gateway: row.gateway,
          counted_by: row.counted_by,
          acct_session_id: row.acct_session_id,
          identity: row.identity,
          session_sim: row.session_sim,
          first_at: row.first_at.toISOString(),
          last_at: row.last_at.toISOString(),
          packets: row.packets,
          bytes_up: row.counter_up,
          bytes_down: row.counter_down,
          mccmnc: row.mccmnc,
          network: network?.name ?? null,
          country: network?.country ?? null,
          rat: row.rat,
          last_packet: row.last_packet,
          resolved_at: row.resolved_at?.toISOString() ?? null,
          resolved_by: row.resolved_by,
          resolve_reason: row.resolve_reason,
          matched: account && asset_id && asset_name && iccid ? { account, asset_id, asset_name, iccid } : null,
          counted_at: row.counted_at?.toISOString() ?? null,
        }
      })
    },
  })
}

function matching(db: Db, { state, search, gateway }: Query) {
  let rows = db.selectFrom('quarantine as q').where('q.state', '=', state)
  if (search)
    rows = rows.where(sql<boolean>`(lower(q.identity) like ${beginning(search)} or lower(q.acct_session_id) = ${search.toLowerCase()})`)
  if (gateway) rows = rows.where('q.gateway_id', '=', gateway)
  return rows
}

/** How much waits, and how much was dealt with. */
export async function getQuarantineTotals(db: Db): Promise<Reply<typeof totalsOp>> {
  const { rows } = await sql<{ open: number; numbers: number; bytes: number; oldest: Date | null; matched: number; discarded: number }>`
    select count(*) filter (where state = 'open') as open,
      count(distinct identity) filter (where state = 'open') as numbers,
      coalesce(sum(counter_up::numeric + counter_down) filter (where state = 'open' and kind <> 'elsewhere'), 0) as bytes,
      min(first_at) filter (where state = 'open') as oldest,
      count(*) filter (where state = 'matched') as matched,
      count(*) filter (where state = 'discarded') as discarded
    from quarantine`.execute(db)
  const { oldest, ...totals } = rows[0]!
  return { ...totals, oldest_at: oldest?.toISOString() ?? null }
}
