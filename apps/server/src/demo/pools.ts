import { sql } from 'kysely'
import { decideTerms, insertPool } from '../datapools/index.ts'
import { newId } from '@masthead/contract/kernel/id'
import { formatBytes } from '@masthead/contract/usage/bytes'
import type { Tx } from '../kernel/app.ts'
import { staffEmail } from './people.ts'

const gigabyte = 1_000_000_000

type Plan = {
  zone: string | null
  /** How much of it is used today. */
  share: number
  price_per_gb: number
  overage: { overage_policy: 'stop' | 'percent' | 'payg'; overage_percent: number | null }
  name: (size: string) => string
  /** Which assets draw from it: a condition on `asset`. */
  assets: (account_id: string) => ReturnType<typeof sql>
}

const inZone = (account_id: string, digit: string) =>
  sql`asset.id in (select s.asset_id from sim s join usage_day u on u.account_id = s.account_id and u.sim_id = s.id
    where s.account_id = ${account_id} and u.mccmnc like ${`${digit}%`})`

const plans: readonly Plan[] = [
  {
    zone: 'Europe',
    share: 0.92,
    price_per_gb: 3_000_000,
    overage: { overage_policy: 'payg', overage_percent: null },
    name: (size) => `Europe ${size}`,
    assets: (account_id) => inZone(account_id, '2'),
  },
  {
    zone: 'North America',
    share: 0.45,
    price_per_gb: 2_800_000,
    overage: { overage_policy: 'percent', overage_percent: 20 },
    name: (size) => `North America ${size}`,
    assets: (account_id) => inZone(account_id, '3'),
  },
  {
    zone: null,
    share: 1,
    price_per_gb: 12_000_000,
    overage: { overage_policy: 'stop', overage_percent: null },
    name: (size) => `Trial ${size}`,
    assets: () => sql`asset.name = 'reefer-truck-0131'`,
  },
]

/** Two pools that SIMs share, one near its end, and a small one that is used up: the usage of this month is taken from them. */
export async function writeDemoPools(tx: Tx, account_id: string, now: Date): Promise<void> {
  const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth()))
  // The trial's SIM draws from the trial alone.
  for (const plan of plans.toReversed()) await writePool(tx, account_id, plan, { month, now })
}

async function writePool(tx: Tx, account_id: string, plan: Plan, { month, now }: { month: Date; now: Date }) {
  const members = sql`from asset join sim s on s.account_id = asset.account_id and s.asset_id = asset.id
    where asset.account_id = ${account_id} and ${plan.assets(account_id)}
      and not exists (select from data_pool_asset other where other.account_id = asset.account_id and other.asset_id = asset.id)`
  const usage = sql`from usage_hour u where u.account_id = ${account_id} and u.hour >= ${month} and u.sim_id in (select s.id ${members})
    and (${plan.zone}::text is null or zone_of(u.mccmnc, (u.hour at time zone 'UTC')::date) = ${plan.zone})`
  const { rows } = await sql<{ bytes: number }>`select coalesce(sum(u.bytes_up + u.bytes_down), 0)::bigint as bytes ${usage}`.execute(tx)
  const size_bytes =
    plan.share === 1 ? rows[0]!.bytes || gigabyte : Math.max(1, Math.ceil(rows[0]!.bytes / plan.share / gigabyte)) * gigabyte
  const package_id = newId({ prefix: 'pkg' }, month.getTime())
  await tx
    .insertInto('data_package')
    .values({
      id: package_id,
      name: plan.name(formatBytes(size_bytes)),
      kind: 'fixed',
      size_bytes,
      zone: plan.zone,
      validity_count: 1,
      validity_unit: 'month',
      // Whole cents.
      price_micros: Math.round(((size_bytes / gigabyte) * plan.price_per_gb) / 10_000) * 10_000,
      currency: 'USD',
      ...plan.overage,
      max_sims: null,
      prorate_first: false,
      created_at: month,
      created_by: staffEmail,
      retired_at: null,
    })
    .execute()
  const opened = { account_id, package_id, auto_renew: plan.share < 1, by: staffEmail, at: month }
  const { id: pool_id } = await insertPool(tx, opened)
  await sql`insert into data_pool_asset (account_id, pool_id, asset_id, added_at)
    select distinct ${account_id}, ${pool_id}, asset.id, ${month}::timestamptz ${members}`.execute(tx)
  await sql`select follow_pools(${account_id}, array(select asset_id from data_pool_asset where account_id = ${account_id} and pool_id = ${pool_id}), ${month}::timestamptz)`.execute(
    tx
  )
  const term = sql`${account_id}, ${pool_id}, ${month}::timestamptz`
  const ofPool = sql`from usage_hour u join data_pool_sim m on m.account_id = u.account_id and m.sim_id = u.sim_id and m.pool_id = ${pool_id}
    where u.account_id = ${account_id} and u.hour >= ${month}
      and (${plan.zone}::text is null or zone_of(u.mccmnc, (u.hour at time zone 'UTC')::date) = ${plan.zone})`
  const bytes = sql`sum(u.bytes_up + u.bytes_down)::bigint`
  await sql`insert into data_pool_counter (account_id, pool_id, starts_at, part, within_bytes) select ${term}, 0, ${bytes} ${ofPool} having count(*) > 0`.execute(
    tx
  )
  await sql`insert into data_pool_day (account_id, pool_id, starts_at, day, part, bytes)
    select ${term}, (u.hour at time zone 'UTC')::date, 0, ${bytes} ${ofPool} group by 4`.execute(tx)
  await sql`insert into data_pool_usage (account_id, pool_id, starts_at, sim_id, bytes) select ${term}, u.sim_id, ${bytes} ${ofPool} group by u.sim_id`.execute(
    tx
  )
  // What its SIMs say of it, it says of itself.
  const { rows: ended } = await sql<{ since: Date | null }>`select min((block ->> 'since')::timestamptz) as since
    from data_pool_sim m join sim s on s.account_id = m.account_id and s.id = m.sim_id cross join jsonb_array_elements(s.blocks) block
    where m.account_id = ${account_id} and m.pool_id = ${pool_id} and block ->> 'code' = 'pool_exhausted'`.execute(tx)
  await decideTerms(tx, [{ account_id, pool_id, starts_at: month }], ended[0]!.since ?? now)
}
