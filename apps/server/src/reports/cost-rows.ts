import { dayOf } from '@masthead/contract/kernel/time'
import { roundingScopes, type RoundingScope } from '@masthead/contract/billing/rating'
import { sql } from 'kysely'
import type { Value } from '../kernel/http/csv.ts'
import type { Asked } from './asset-sims.ts'
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
] as const

/**
 * A line for what a SIM was charged on a day at one price in a network, and for each fee; days are those of UTC that begin in the period. `records`: those of the day in that
 * network that came within four days; nothing where they are not kept any more, or usage was reported late.
 */
export function costRows({ actor: { account_id }, start, end }: Asked): RowsOfSim<CostRow> {
  const day = (at: Date) => dayOf(Math.ceil(at.getTime() / 86_400_000) * 86_400_000)
  const at = sql`r.day::timestamp at time zone 'UTC'`
  return {
    select: sql`r.day, r.kind, r.is_late, t.name as price_list, v.number as version, r.zone_id as zone, r.mccmnc, n.name as network, n.country, r.used_from, r.used_to,
      case when r.bytes is not null and not r.is_late and r.day > (select min(substr(c.relname, 14)::date) from pg_inherits i join pg_class c on c.oid = i.inhrelid
          where i.inhparent = 'usage_record'::regclass) then (select count(*)::int from usage_record u where u.account_id = ${account_id} and u.sim_id = r.sim_id
        and u.mccmnc = r.mccmnc and u.event_at >= ${at} and u.event_at < ${at} + interval '1 day'
        and u.received_at >= ${at} - interval '1 day' and u.received_at < ${at} + interval '4 days') end as records,
      r.bytes, r.billed_bytes, v.rounding_scope, v.block_bytes, v.kb, r.price_micros, r.amount_micros, b.currency`,
    from: sql`(select sim_id, day, source as kind, is_late, tariff_id, number, from_day, zone_id, mccmnc, used_from, used_to, bytes, billed_bytes, price_micros,
          charged_micros as amount_micros from charge where account_id = ${account_id}
        union all select sim_id, (least(charged_at, ((month + interval '1 month') at time zone 'UTC') - interval '1 second') at time zone 'UTC')::date, kind, false,
          '', 0, month, null, '', null, null, null, null, micros, micros from sim_fee where account_id = ${account_id}) r
      join billing_account b on b.account_id = ${account_id}
      left join tariff t on t.id = r.tariff_id left join tariff_version v on v.tariff_id = r.tariff_id and v.number = r.number
      left join network n on n.mccmnc = r.mccmnc
      where r.day >= ${day(start)}::date and r.day < ${day(end)}::date`,
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
]

/** How the amount comes about. What is one of several lines of a session, day or month has its share of the rounding. */
function formulaOf({ billed_bytes, rounding_scope, block_bytes, kb, price_micros }: CostRow): string {
  if (billed_bytes === null || rounding_scope === null) return `1 SIM x ${price_micros} micros`
  const rounded = block_bytes === 1 ? '' : `, ${roundingScopes[rounding_scope]} rounded up to ${block_bytes} bytes`
  return `${billed_bytes} bytes x ${price_micros} micros / ${kb}^2${rounded}`
}
