import { sql } from 'kysely'
import type { getPendingCharge as getOp, listPendingCharges as listOp } from '@masthead/contract/billing/cost-operations'
import type { PendingCharge } from '@masthead/contract/billing/pending-charge'
import type { Parsed, Reply } from '@masthead/contract/kernel/operation'
import { notFound, Problem } from '@masthead/contract/kernel/problem'
import { dayOf } from '@masthead/contract/kernel/time'
import { visibleTo } from '../../assets/index.ts'
import type { Actor, Db } from '../../kernel/app.ts'
import { pageByKey, type Key } from '../../kernel/http/page-by-key.ts'
import { chargeColumns, type ChargeRow, postingOf, unsettledDays } from '../settling/index.ts'
import { usageOf, type UsageDay, type UsageLine } from './transaction-usage.ts'

type Viewer = Pick<Actor, 'account_id' | 'tags' | 'at'>

/** Names a charge until all of it is in the ledger. */
const idOf = sql<string>`concat_ws(':', c.sim_id, c.day, c.tariff_id, c.number, c.from_day, c.zone_id, c.source, c.mccmnc, c.is_late::text)`

/** Below zero: the most first. */
const left = sql<number>`(c.settled_micros - c.charged_micros)`

/** The most first, then by what tells charges apart. Column by column: to write the name of each charge would take most of the time of a page. */
const keys: readonly Key[] = [
  { of: left, is: 'number' },
  { of: sql.ref('c.sim_id'), is: 'text' },
  { of: sql.ref('c.day'), is: 'day' },
  { of: sql.ref('c.tariff_id'), is: 'text' },
  { of: sql.ref('c.number'), is: 'number' },
  { of: sql.ref('c.from_day'), is: 'day' },
  { of: sql.ref('c.zone_id'), is: 'text' },
  { of: sql.ref('c.source'), is: 'text' },
  { of: sql.ref('c.mccmnc'), is: 'text' },
  { of: sql.ref('c.is_late'), is: 'boolean' },
]

/** Which SIMs may have some is known from the sums of months: charges of each are looked up for the days of late. */
function pending(db: Db, { account_id, tags, at }: Viewer, asset_id?: string) {
  const since = dayOf(at.getTime() - unsettledDays * 86_400_000)
  let rows = db
    .selectFrom('charge as c')
    .where('c.account_id', '=', account_id)
    .where('c.day', '>', since)
    .whereRef('c.charged_micros', '<>', 'c.settled_micros')
    .where(
      sql<boolean>`c.sim_id in (select sim_id from cost_sim where account_id = ${account_id}
        and month >= date_trunc('month', ${since}::timestamp)::date and kind in ('payg', 'pool_overage'))`
    )
  if (asset_id || tags.length > 0)
    rows = rows.where(
      sql<boolean>`c.sim_id in (select s.id from asset join sim s on s.account_id = asset.account_id and s.asset_id = asset.id
        where ${visibleTo({ account_id, tags })} and ${asset_id ? sql`asset.id = ${asset_id}` : sql`true`})`
    )
  return rows
}

/** What is shown of them is looked up for these alone: there may be as many as SIMs. */
const inFull = (db: Db, rows: ReturnType<typeof pending>) =>
  db
    .selectFrom(rows.selectAll('c').as('c'))
    .leftJoin('sim as s', (on) => on.onRef('s.account_id', '=', 'c.account_id').onRef('s.id', '=', 'c.sim_id'))
    .leftJoin('asset', (on) => on.onRef('asset.account_id', '=', 's.account_id').onRef('asset.id', '=', 's.asset_id'))
    .leftJoin('tariff as t', 't.id', 'c.tariff_id')
    .leftJoin('tariff_version as v', (on) => on.onRef('v.tariff_id', '=', 'c.tariff_id').onRef('v.number', '=', 'c.number'))
    .leftJoin('network as n', 'n.mccmnc', 'c.mccmnc')
    .select([
      sql<ChargeRow>`${chargeColumns}, ${idOf}`.as('id'),
      'asset.name as asset_name',
      't.name as price_list',
      'v.kb',
      'v.block_bytes',
      'v.rounding_scope',
      'n.name',
      'n.country',
    ])
type Row = ChargeRow &
  Pick<UsageLine, 'kb' | 'block_bytes' | 'rounding_scope'> &
  Pick<UsageDay, 'name' | 'country'> & { id: string; asset_name: string | null; price_list: string }

/** As it would be posted now. */
function asPending({ id, asset_name, price_list, kb, ...row }: Row): PendingCharge {
  const { sub_type, amount_micros, description, usage_from, usage_to, unit_price_micros, zone, tariff_version, quantity } = postingOf([row])
  return {
    id,
    sub_type,
    amount_micros,
    description,
    source: 'usage',
    usage_from: usage_from!.toISOString(),
    usage_to: usage_to!.toISOString(),
    quantity: quantity!,
    unit: 'byte',
    unit_price_micros: unit_price_micros!,
    zone: zone ?? null,
    zone_name: row.zone,
    tariff_version: tariff_version!,
    price_list: `${price_list}, version ${row.number}`,
    kb,
    asset_id: row.asset_id,
    asset_name,
    sim_id: row.sim_id,
  }
}

/** The most first. */
export const listPendingCharges = (db: Db, viewer: Viewer, query: Parsed<typeof listOp>['query']): Promise<Reply<typeof listOp>> =>
  pageByKey(db, query, {
    name: 'pending',
    all: pending(db, viewer, query.asset_id),
    keys,
    order: 'asc',
    rows: ((page: ReturnType<typeof pending>) =>
      inFull(db, page)
        .select(sql`c.place_of_row`.as('place_of_row'))
        .orderBy(sql.join(keys.map(({ of }) => of)))) as never,
    items: (rows: Row[]) => rows.map(asPending),
  })

/** With what it is computed from. Throws not_found, also once it is settled. */
export async function getPendingCharge(db: Db, viewer: Viewer, id: string): Promise<Reply<typeof getOp>> {
  const [sim_id = ''] = id.split(':')
  const [row] = (await inFull(db, pending(db, viewer).where('c.sim_id', '=', sim_id).where(idOf, '=', id)).execute()) as unknown as Row[]
  if (!row) throw new Problem(notFound)
  const { used_from, used_to, price_micros, kb, block_bytes, rounding_scope, ...day } = row
  const line = { sim_id, usage_from: used_from, usage_to: used_to, posted_at: viewer.at, price_micros, kb, block_bytes, rounding_scope }
  return { charge: asPending(row), usage: await usageOf(db, viewer.account_id, line, [day]) }
}
