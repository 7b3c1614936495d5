import type { TariffEffect } from '@masthead/contract/backoffice/tariff-operations'
import { micros, type Currency } from '@masthead/contract/billing/money'
import { activeFees, type SimFees } from '@masthead/contract/billing/tariff'
import { notFound, Problem } from '@masthead/contract/kernel/problem'
import { dayOf } from '@masthead/contract/kernel/time'
import { sql } from 'kysely'
import type { Db } from '../../kernel/app.ts'

const shown = 100

type Row = {
  account_id: string
  email: string
  team_name: string
  /** Of data: what was charged, and what it would have been. */
  charged: number
  would: number
  fees: number
  active: number
  inactive: number
  standby: number
  activated: number
  reactivated: number
}

/**
 * What the last whole month would have cost by a version of a price list: of the accounts that pay by it on the day from which the version is valid. Data is
 * taken as it was billed, so what another block or scope would round up is not in it. Throws not_found.
 */
export async function getTariffEffect(db: Db, at: Date, tariff_id: string, number: number): Promise<TariffEffect> {
  const version = await db
    .selectFrom('tariff_version as v')
    .innerJoin('tariff as t', 't.id', 'v.tariff_id')
    .select(['v.fees', 'v.effective_from', 't.currency'])
    .where('v.tariff_id', '=', tariff_id)
    .where('v.number', '=', number)
    .executeTakeFirst()
  if (!version) throw new Problem(notFound)
  const [month, next] = [-1, 0].map((shift) => dayOf(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + shift))) as [string, string]
  const count = (kind: string) => sql`(count(*) filter (where f.kind = ${kind}))::int`
  const { rows } = await sql<Row>`with paying as (
      select * from (select distinct on (account_id) account_id, tariff_id, own_prices from account_tariff where from_day <= ${version.effective_from}::date
        order by account_id, from_day desc) given where tariff_id = ${tariff_id}
    ), used as (
      select c.account_id, c.mccmnc, sum(c.billed_bytes) as billed, sum(c.charged_micros) as charged from charge c join paying using (account_id)
      where c.day >= ${month}::date and c.day < ${next}::date and not c.is_late
        -- A free test is charged in no zone, whatever zone its network is in; what is in none may be in one of this version.
        and not (c.zone_id = '' and tariff_zone_of(c.tariff_id, c.number, c.mccmnc) is not null)
      group by 1, 2
    ), zones as (
      select mccmnc, tariff_zone_of(${tariff_id}, ${number}, mccmnc) as zone_id from (select distinct mccmnc from used) each
    ), data as (
      select u.account_id, sum(u.charged)::bigint as charged,
        sum(round(u.billed * coalesce((p.own_prices ->> z.id)::bigint, z.price_micros, 0) / (v.kb::numeric * v.kb)))::bigint as would
      from used u join paying p using (account_id) join zones using (mccmnc)
        join tariff_version v on v.tariff_id = ${tariff_id} and v.number = ${number}
        left join tariff_zone z on z.tariff_id = v.tariff_id and z.number = v.number and z.id = zones.zone_id
      group by 1
    ), fees as (
      select f.account_id, sum(f.micros)::bigint as fees, ${count('sim_active')} as active, ${count('sim_inactive')} as inactive,
        ${count('sim_standby')} as standby, ${count('sim_activation')} as activated, ${count('sim_reactivation')} as reactivated
      from sim_fee f join paying using (account_id) where f.month = ${month}::date group by 1
    )
    select paying.account_id, person.email, account.team_name, coalesce(data.charged, 0) as charged, coalesce(data.would, 0) as would, coalesce(fees.fees, 0) as fees,
      coalesce(active, 0) as active, coalesce(inactive, 0) as inactive, coalesce(standby, 0) as standby, coalesce(activated, 0) as activated,
      coalesce(reactivated, 0) as reactivated
    from paying join account on account.id = paying.account_id join person on person.account_id = account.id
      left join data on data.account_id = account.id left join fees on fees.account_id = account.id where account.closed_at is null order by 1`.execute(
    db
  )
  const items = rows.map((row) => ({
    email: row.email,
    team_name: row.team_name,
    charged_micros: micros(row.charged + row.fees),
    would_micros: micros(row.would + feesBy(version.fees, row)),
  }))
  const sum = (of: 'charged_micros' | 'would_micros') => micros(items.reduce((total, item) => total + item[of], 0))
  const change = (item: (typeof items)[number]) => Math.abs(item.would_micros - item.charged_micros)
  return {
    month,
    currency: version.currency as Currency,
    accounts: items.length,
    charged_micros: sum('charged_micros'),
    would_micros: sum('would_micros'),
    items: items.toSorted((a, b) => change(b) - change(a)).slice(0, shown),
  }
}

const feesBy = (fees: SimFees, row: Row): number =>
  activeFees(fees, row.active) +
  row.inactive * fees.inactive_monthly_micros +
  row.standby * fees.standby_monthly_micros +
  row.activated * fees.activation_micros +
  row.reactivated * fees.reactivation_micros
