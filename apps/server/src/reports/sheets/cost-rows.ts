import { dayOf } from '@masthead/contract/kernel/time'
import { ledgerTypes, type LedgerType } from '@masthead/contract/billing/ledger'
import { roundingScopes, type RoundingScope } from '@masthead/contract/billing/rating'
import { sql } from 'kysely'
import type { Value } from '../../kernel/http/csv.ts'
import { knowTags, matching } from '../../assets/index.ts'
import type { Db } from '../../kernel/app.ts'
import { poolBeyond } from '../../billing/settling/index.ts'
import { filterOf, isWhole, nobody, simCells, type Asked } from './asset-sims.ts'
import type { RowsOfSim } from './rows-of-sims.ts'

const kinds = {
  payg: 'Data',
  pool_overage: 'Data beyond a pool',
  sim_active: 'Active SIM',
  sim_inactive: 'Inactive SIM',
  sim_standby: 'SIM on standby',
  sim_activation: 'Activation',
  sim_reactivation: 'Reactivation',
} as const

type CostRow = {
  day: string
  kind: keyof typeof kinds
  is_late: boolean
  price_list: string | null
  version: number | null
  zone: string | null
  zone_name: string | null
  data_pool: string | null
  mccmnc: string | null
  network: string | null
  country: string | null
  used_from: Date | null
  used_to: Date | null
  records: number | null
  bytes: number | null
  billed_bytes: number | null
  rounding_scope: RoundingScope | null
  block_bytes: number | null
  kb: number | null
  price_micros: number
  amount_micros: number
  currency: string
}

export const costColumns = [
  'day',
  'kind',
  'reported_late',
  'price_list',
  'version',
  'zone',
  'zone_name',
  'data_pool',
  'mccmnc',
  'network',
  'country',
  'used_from',
  'used_to',
  'records',
  'bytes',
  'billed_bytes',
  'price_micros',
  'amount_micros',
  'currency',
  'formula',
  'description',
  'reason',
] as const

/**
 * A line for what a SIM was charged on a day at one price in a network, and for each fee. `records`: of how many the charge is; null
 * where it was begun before they were counted.
 */
export function costRows({ actor: { account_id }, start, end }: Asked): RowsOfSim<CostRow> {
  return {
    select: sql`r.day, r.kind, r.is_late, t.name as price_list, v.number as version, r.zone_id as zone, z.name as zone_name,
      ${poolBeyond('r')} ->> 'name' as data_pool, r.mccmnc, n.name as network, n.country, r.used_from, r.used_to,
      r.records, r.bytes, r.billed_bytes, v.rounding_scope, v.block_bytes, v.kb, r.price_micros, r.amount_micros, b.currency`,
    from: sql`(select account_id, sim_id, day, source as kind, source, is_late, tariff_id, number, from_day, zone_id, mccmnc, used_from, used_to, records, bytes, billed_bytes, price_micros,
          charged_micros as amount_micros from charge where account_id = ${account_id}
        union all select account_id, sim_id, (least(charged_at, ((month + interval '1 month') at time zone 'UTC') - interval '1 second') at time zone 'UTC')::date, kind, '', false,
          '', 0, month, null, '', null, null, null, null, null, micros, micros from sim_fee where account_id = ${account_id}) r
      join billing_account b on b.account_id = ${account_id}
      left join tariff t on t.id = r.tariff_id left join tariff_version v on v.tariff_id = r.tariff_id and v.number = r.number
      left join tariff_zone z on z.tariff_id = r.tariff_id and z.number = r.number and z.id = r.zone_id
      left join network n on n.mccmnc = r.mccmnc
      where r.day >= ${dayOf(start)}::date and r.day < ${dayOf(end)}::date`,
    place: [
      { of: sql`r.day`, type: sql`date` },
      { of: sql`r.kind`, type: sql`text` },
      { of: sql`r.tariff_id`, type: sql`text` },
      { of: sql`r.number`, type: sql`integer` },
      { of: sql`r.from_day`, type: sql`date` },
      { of: sql`coalesce(r.zone_id, '')`, type: sql`text` },
      { of: sql`r.mccmnc`, type: sql`text` },
      { of: sql`r.is_late`, type: sql`boolean` },
    ],
  }
}

export const costCells = (row: CostRow): Value[] => [
  row.day,
  kinds[row.kind],
  row.is_late ? 'yes' : 'no',
  row.price_list,
  row.version,
  row.zone,
  row.zone_name,
  row.data_pool,
  row.mccmnc,
  row.network,
  row.country,
  row.used_from?.toISOString(),
  row.used_to?.toISOString(),
  row.records,
  row.bytes,
  row.billed_bytes,
  row.price_micros,
  row.amount_micros,
  row.currency,
  formulaOf(row),
  null,
  null,
]

/** How the amount comes about. What is one of several lines of a session, day or month has its share of the rounding. */
function formulaOf({ billed_bytes, rounding_scope, block_bytes, kb, price_micros }: CostRow): string {
  if (billed_bytes === null || rounding_scope === null) return `1 SIM x ${price_micros} micros`
  const rounded = block_bytes === 1 ? '' : `, ${roundingScopes[rounding_scope]} rounded up to ${block_bytes} bytes`
  return `${billed_bytes} bytes x ${price_micros} micros / ${kb}^2${rounded}`
}

type Entry = {
  id: string
  at: Date
  type: LedgerType
  sub_type: string
  description: string
  reason: string | null
  usage_from: Date | null
  usage_to: Date | null
  unit: string | null
  unit_price_micros: number | null
  amount_micros: number
  currency: string
  asset_name: string | null
  serial: string | null
  data_pool: string | null
}

const entriesAtOnce = 1000

/**
 * A line for each entry of the ledger that is a cost, or takes one back, and that no charge of a SIM has: terms of data pools, and refunds. Where assets are chosen, or
 * the viewer does not see all, of these alone.
 */
export async function* costEntries(db: Db, asked: Asked): AsyncGenerator<Value[][]> {
  const { actor, start, end } = asked
  const ofAssets = isWhole(asked)
    ? sql`true`
    : sql`asset.id is not null and ${matching(actor, await knowTags(db, actor, filterOf(asked.filter)))}`
  for (let after = { at: start, id: '' }, more = true; more;) {
    const { rows } =
      await sql<Entry>`select t.id, t.effective_at as at, t.type, t.sub_type, t.description, t.reason, t.usage_from, t.usage_to, t.unit,
        t.unit_price_micros, 0 - t.amount_micros as amount_micros, b.currency, asset.name as asset_name, asset.serial, p.name as data_pool
      from ledger_transaction t join billing_account b on b.account_id = t.account_id
        left join asset on asset.account_id = t.account_id and asset.id = t.asset_id
        left join data_pool p on p.account_id = t.account_id and p.id = t.pool_id
      where t.account_id = ${actor.account_id} and (t.effective_at, t.id) > (${after.at}, ${after.id}) and t.effective_at < ${end}
        and t.source <> 'usage' and t.type in ('charge', 'refund', 'adjustment') and exists (select from ledger_entry e
          where e.account_id = t.account_id and e.transaction_id = t.id and e.ledger_account = 'revenue') and ${ofAssets}
      order by t.effective_at, t.id limit ${entriesAtOnce}`.execute(db)
    yield rows.map(entryCells)
    after = rows.at(-1) ?? after
    more = rows.length === entriesAtOnce
  }
}

function entryCells(row: Entry): Value[] {
  const cells: Partial<Record<(typeof costColumns)[number], Value>> = {
    day: dayOf(row.at),
    kind: row.type === 'charge' && row.sub_type === 'data_pool' ? 'Data pool' : ledgerTypes[row.type],
    reported_late: 'no',
    data_pool: row.data_pool,
    used_from: row.usage_from?.toISOString(),
    used_to: row.usage_to?.toISOString(),
    price_micros: row.unit_price_micros,
    amount_micros: row.amount_micros,
    currency: row.currency,
    formula: row.unit === 'term' ? `1 term x ${row.unit_price_micros} micros` : '',
    description: row.description,
    reason: row.reason,
  }
  return [...costColumns.map((column) => cells[column]), ...simCells({ ...nobody, name: row.asset_name, serial: row.serial })]
}
