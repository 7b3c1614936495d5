import { sql } from 'kysely'
import { mostRecords, type TransactionUsage } from '@masthead/contract/billing/transaction-usage'
import { micros } from '@masthead/contract/billing/money'
import type { RoundingScope } from '@masthead/contract/billing/rating'
import { notFound, Problem } from '@masthead/contract/kernel/problem'
import { visibleTo } from '../../assets/index.ts'
import type { Actor, Db } from '../../kernel/app.ts'

type Viewer = Pick<Actor, 'account_id' | 'tags'>
/** What is asked about: usage of a SIM between two times at one price, as far as it was posted by then. */
export type UsageLine = {
  sim_id: string
  usage_from: Date
  usage_to: Date
  posted_at: Date
  price_micros: number
  kb: number
  block_bytes: number
  rounding_scope: RoundingScope
}
type Place = { mccmnc: string; name: string | null; country: string | null }
export type UsageDay = Place & { day: string; bytes: number; billed_bytes: number; charged_micros: number; settled_micros: number }
type Found = Place & { event_at: Date; session_id: string; rat: string; bytes_up: number; bytes_down: number; total: number }

const networkOf = ({ mccmnc, name, country }: Place) => ({ mccmnc, name, country })

/**
 * What an entry of usage was computed from: the days that it is of, and what the SIM reported in them until its end. Throws not_found, also for an entry that is of
 * something else or of an asset that the viewer does not see.
 */
export async function getTransactionUsage(db: Db, { account_id, tags }: Viewer, id: string): Promise<TransactionUsage> {
  const seen =
    tags.length === 0
      ? sql`true`
      : sql`exists (select from asset where asset.account_id = t.account_id and asset.id = t.asset_id and ${visibleTo({ account_id, tags })})`
  const { rows: lines } =
    await sql<UsageLine>`select t.sim_id, t.usage_from, t.usage_to, t.posted_at, t.unit_price_micros::bigint as price_micros,
      v.kb, v.block_bytes, v.rounding_scope
    from ledger_transaction t join tariff_version v on v.tariff_id = split_part(t.tariff_version, ':', 1) and v.tariff_id || ':' || v.number = t.tariff_version
    where t.account_id = ${account_id} and t.id = ${id} and t.source = 'usage' and t.unit = 'byte' and ${seen}`.execute(db)
  const [line] = lines
  if (!line) throw new Problem(notFound)
  // The key names the first day of the entry, and whether its usage was reported late.
  const { rows: days } =
    await sql<UsageDay>`select c.day, c.mccmnc, n.name, n.country, c.bytes, c.billed_bytes, c.charged_micros, c.settled_micros
    from ledger_transaction t join charge c on c.account_id = t.account_id and c.sim_id = t.sim_id
        and c.tariff_id || ':' || c.number = t.tariff_version and c.zone_id = coalesce(t.zone, '')
        and c.source = case t.sub_type when 'payg_data' then 'payg' else 'pool_overage' end
        and c.is_late = (split_part(t.key, ':', 10) = 'true')
        and c.day >= split_part(t.key, ':', 3)::date and c.day <= (t.posted_at at time zone 'UTC')::date
        and c.used_from <= t.usage_to and c.used_to >= t.usage_from
      left join network n on n.mccmnc = c.mccmnc
    where t.account_id = ${account_id} and t.id = ${id} order by c.day, c.mccmnc`.execute(db)
  return usageOf(db, account_id, line, days)
}

/** From what these days were computed. */
export async function usageOf(db: Db, account_id: string, line: UsageLine, days: readonly UsageDay[]): Promise<TransactionUsage> {
  const { rows: records } = await recordsOf(db, account_id, line, [...new Set(days.map(({ mccmnc }) => mccmnc))])
  const { rows: kept } = await sql<{
    since: Date
  }>`select records_since as since from usage_coverage where records_since > ${line.usage_from}`.execute(db)
  const { price_micros, kb, block_bytes, rounding_scope } = line
  return {
    price_micros: micros(price_micros),
    kb,
    block_bytes,
    rounding_scope,
    days: days.map(({ day, bytes, billed_bytes, charged_micros, settled_micros, ...place }) => ({
      day,
      network: networkOf(place),
      bytes,
      billed_bytes,
      charged_micros: micros(charged_micros),
      settled_micros: micros(settled_micros),
    })),
    records: records.map(({ event_at, session_id, rat, bytes_up, bytes_down, ...place }) => ({
      event_at: event_at.toISOString(),
      session_id,
      network: networkOf(place),
      rat,
      bytes_up,
      bytes_down,
    })),
    total: records[0]?.total ?? 0,
    records_since: kept[0]?.since.toISOString() ?? null,
  }
}

/** Usage is cut at midnight, and its record comes after that. Records lie by the day on which they came: not before their usage, nor after what was posted of them. */
const recordsOf = (db: Db, account_id: string, { sim_id, usage_from, usage_to, posted_at }: UsageLine, networks: readonly string[]) => {
  const endsAtMidnight = (usage_to.getTime() + 1) % 86_400_000 === 0
  const of = (u: string) => sql`${sql.ref(`${u}.account_id`)} = ${account_id} and ${sql.ref(`${u}.sim_id`)} = ${sim_id}
    and ${sql.ref(`${u}.mccmnc`)} = any(${[...networks]}::text[])
    and ${sql.ref(`${u}.received_at`)} >= ${usage_from}::timestamptz - interval '1 day' and ${sql.ref(`${u}.received_at`)} <= ${posted_at}`
  const last = endsAtMidnight
    ? sql`coalesce((select min(v.event_at) from usage_record v where ${of('v')} and v.event_at > ${usage_to}), ${usage_to})`
    : sql`${usage_to}`
  return sql<Found>`select u.event_at, u.session_id, u.mccmnc, n.name, n.country, u.rat, u.bytes_up, u.bytes_down, (count(*) over ())::int as total
    from usage_record u left join network n on n.mccmnc = u.mccmnc
    where ${of('u')} and u.event_at >= ${usage_from} and u.event_at <= ${last} order by u.event_at, u.session_id limit ${mostRecords}`.execute(
    db
  )
}
