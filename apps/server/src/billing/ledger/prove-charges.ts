import { sql } from 'kysely'
import { openHours } from '@masthead/contract/billing/rating'
import type { Db } from '../../kernel/app.ts'
import { readDifferences, type Differences } from './differences.ts'

/** Of what a SIM was charged at one price. */
const key = sql`account_id, sim_id, tariff_id, number, from_day, zone_id, source`
const price = (of: 'c' | 's') => sql`coalesce((a.own_prices ->> ${sql.ref(`${of}.zone_id`)})::bigint, z.price_micros, 0)`
const priceOf = (of: 'c' | 's') => sql`
  left join account_tariff a on a.account_id = ${sql.ref(`${of}.account_id`)} and a.from_day = ${sql.ref(`${of}.from_day`)} and a.tariff_id = ${sql.ref(`${of}.tariff_id`)}
  left join tariff_zone z on z.tariff_id = ${sql.ref(`${of}.tariff_id`)} and z.number = ${sql.ref(`${of}.number`)} and z.id = ${sql.ref(`${of}.zone_id`)}`

/**
 * Compares charges with what they are made from: their prices with the versions of price lists, what sessions, days and months were charged with their bytes, their bytes
 * with usage less what pools gave, fees with what price lists ask for them, and the ledger and all sums with them. `at`: now.
 *
 * Left out, because nothing kept says it: usage of SIMs that were in use before they paid by a price list, or whose account paid by none for a while; rounding of
 * each session or record where usage was subtracted, and of sessions of months closed long ago.
 */
export function findChargeDifferences(db: Db, at: Date): Promise<Differences> {
  const closing = new Date(at.getTime() - openHours * 3_600_000)
  const remembered = new Date(Date.UTC(closing.getUTCFullYear(), closing.getUTCMonth() - 1))
  return readDifferences(
    db,
    sql`with subtracted as (
      select distinct account_id, sim_id from usage_correction where bytes_up < 0 or bytes_down < 0
    ), by_price as (
      select ${key}, sum(charged_micros) as charged, sum(bytes) as bytes, min(used_from) as used_from from charge group by ${key}
    ), by_scope as (
      select ${key}, sum(charged_micros) as charged, sum(bytes) as bytes from charge_scope group by ${key}
    ), posted as (
      select account_id, sim_id, tariff_version, coalesce(zone, '') as zone, sub_type, -sum(amount_micros) as amount from ledger_transaction
      where source = 'usage' and unit = 'byte' and sim_id is not null group by 1, 2, 3, 4, 5
    ), settled as (
      select account_id, sim_id, tariff_id || ':' || number as tariff_version, zone_id as zone, case source when 'payg' then 'payg_data' else 'overage' end as sub_type,
        sum(settled_micros) as amount from charge group by 1, 2, 3, 4, 5
    ), summed as (
      select account_id, month, sim_id, kind, sum(micros) as micros, sum(bytes) as bytes from (
        select account_id, date_trunc('month', day::timestamp)::date as month, sim_id, source as kind, summed_micros as micros, summed_bytes as bytes from charge
        union all select account_id, month, sim_id, kind, micros, 0 from sim_fee) each group by 1, 2, 3, 4
    ), unsettled as (
      select account_id, sum(summed_micros - settled_micros) as amount from charge group by 1
    ), paying as (
      select account_id, min(from_day) as from_day from account_tariff group by 1 having bool_and(tariff_id is not null)
    ), waiting as (
      select distinct account_id, sim_id from usage_record where xid >= coalesce((select xid from rollup_progress where name = 'usage'), '0')
    ), used as (
      select account_id, sim_id, sum(bytes) as bytes, min(day) as day from (
        select account_id, sim_id, bytes_up::numeric + bytes_down as bytes, month as day from usage_month
        union all select account_id, sim_id, bytes_up::numeric + bytes_down, (hour at time zone 'UTC')::date from usage_open_hour) each
      where account_id in (select account_id from paying) group by 1, 2
    ), given as (
      select account_id, sim_id, sum(bytes) as bytes from data_pool_usage group by 1, 2
    ), paid as (
      select account_id, sim_id, sum(bytes) filter (where source = 'payg') as bytes from charge group by 1, 2
    ), compared as (
      select u.account_id, u.sim_id, coalesce(p.bytes, 0) + coalesce(g.bytes, 0) - u.bytes as more from used u
        join paying on paying.account_id = u.account_id
        left join paid p on p.account_id = u.account_id and p.sim_id = u.sim_id left join given g on g.account_id = u.account_id and g.sim_id = u.sim_id
      where not exists (select from waiting w where w.account_id = u.account_id and w.sim_id = u.sim_id)
        and (u.day >= paying.from_day or (u.day >= date_trunc('month', paying.from_day::timestamp)::date
          and not exists (select from usage_day d where d.account_id = u.account_id and d.sim_id = u.sim_id and d.day >= u.day and d.day < paying.from_day)))
    ), fees_on as (
      -- What is charged after its month is charged by what was valid on its last day.
      select *, least((charged_at at time zone 'UTC')::date, (month + interval '1 month')::date - 1) as day from sim_fee
    ), fee_terms as (
      select asked.account_id, asked.day, v.tariff_id, v.number, v.fees from (select distinct account_id, day from fees_on) asked
        cross join lateral (select a.tariff_id from account_tariff a where a.account_id = asked.account_id and a.from_day <= asked.day
          order by a.from_day desc limit 1) given
        cross join lateral (select w.tariff_id, w.number, w.fees from tariff_version w where w.tariff_id = given.tariff_id and w.effective_from <= asked.day
          order by w.effective_from desc limit 1) v
    ), fees_due as (
      select account_id, f.month, f.kind, f.micros, t.tariff_id, t.number, case f.kind
          when 'sim_active' then (select (step ->> 'price_micros')::bigint from jsonb_array_elements(t.fees -> 'active_monthly') step
            where (step ->> 'from')::integer <= f.n order by (step ->> 'from')::integer desc limit 1)
          when 'sim_activation' then coalesce((t.fees ->> 'activation_micros')::bigint, 0)
          when 'sim_reactivation' then coalesce((t.fees ->> 'reactivation_micros')::bigint, 0)
          when 'sim_inactive' then coalesce((t.fees ->> 'inactive_monthly_micros')::bigint, 0)
          else coalesce((t.fees ->> 'standby_monthly_micros')::bigint, 0) end as price
        from (select *, row_number() over (partition by account_id, month, kind order by day, charged_at, sim_id) as n from fees_on) f
          left join fee_terms t using (account_id, day)
    ), fees_of_price as (
      -- Which SIM has which step of a price is not kept with its fee; how many have each is.
      select account_id, month, kind, micros, sum(charged) as charged, sum(due) as due from (
        select account_id, month, kind, tariff_id, number, micros, 1 as charged, 0 as due from fees_due
        union all select account_id, month, kind, tariff_id, number, price, 0, 1 from fees_due where number is not null) each
      group by account_id, month, kind, tariff_id, number, micros having sum(charged) <> sum(due)
    ), found as (
      select c.account_id, 'price' as what, 'The price of what ' || c.sim_id || ' used on ' || c.day || ' is not that of its price list' as words,
          c.price_micros - ${price('c')} as difference
        from charge c ${priceOf('c')} where a.account_id is null or c.price_micros <> ${price('c')}
      union all
      select s.account_id, 'scope', s.sim_id || ' was charged something else for its bytes of ' || to_char(s.month, 'YYYY-MM') || ' (' || s.scope || ') than its price list says',
          s.charged_micros - cost.micros
        from charge_scope s join tariff_version v on v.tariff_id = s.tariff_id and v.number = s.number ${priceOf('s')}
          -- what somebody named is not rounded up
          cross join lateral (select case when s.scope like 'session:%' and exists (select from usage_correction k
            where k.account_id = s.account_id and k.id = substr(s.scope, 9)) then 1 else v.block_bytes end as block) b
          cross join lateral (select ((greatest(s.bytes, 0) + b.block - 1) / b.block * b.block)::numeric * ${price('s')} as dividend, v.kb::numeric * v.kb as divisor) d
          -- to the nearest, and from the middle to the even one
          cross join lateral (select div(dividend, divisor) + case when dividend % divisor * 2 > divisor
            or (dividend % divisor * 2 = divisor and div(dividend, divisor) % 2 = 1) then 1 else 0 end as micros) cost
        where s.charged_micros <> cost.micros
      union all
      select account_id, 'charged', 'What ' || sim_id || ' was charged in zone ' || zone_id || ' is not what its sessions, days or months cost',
          coalesce(c.charged, 0) - coalesce(s.charged, 0)
        from by_price c full join by_scope s using (${key}) join tariff_version v using (tariff_id, number)
        where v.rounding_scope <> 'record' and (v.rounding_scope <> 'session' or coalesce(c.used_from, 'infinity') >= ${remembered})
          and (coalesce(c.charged, 0) <> coalesce(s.charged, 0) or coalesce(c.bytes, 0) <> coalesce(s.bytes, 0))
          and not exists (select from subtracted k where k.account_id = coalesce(c.account_id, s.account_id) and k.sim_id = coalesce(c.sim_id, s.sim_id))
      union all
      select account_id, 'settled', 'What the ledger has of the usage of ' || sim_id || ' in zone ' || zone || ' is not what was settled of it',
          coalesce(l.amount, 0) - coalesce(s.amount, 0)
        from posted l full join settled s using (account_id, sim_id, tariff_version, zone, sub_type) where coalesce(l.amount, 0) <> coalesce(s.amount, 0)
      union all
      select f.account_id, 'fee', 'The ledger has another fee of ' || f.sim_id || ' for ' || to_char(f.month, 'YYYY-MM') || ' than was charged', -coalesce(t.amount_micros, 0) - f.micros
        from sim_fee f left join ledger_transaction t on t.account_id = f.account_id and t.key = 'fee:' || f.kind || ':' || f.sim_id || ':' || f.month
        where f.micros > 0 and f.micros <> -coalesce(t.amount_micros, 0)
      union all
      select account_id, 'fee_price', 'Fees of ' || to_char(month, 'YYYY-MM') || ' (' || kind || ') of ' || micros || ' micros: ' || charged || ' charged, ' || due
          || ' by the price list', (charged - due) * micros from fees_of_price
      union all
      select account_id, 'sums', 'The sum of ' || to_char(month, 'YYYY-MM') || ' that is kept of ' || sim_id || ' is not what it was charged', coalesce(k.micros, 0) - coalesce(s.micros, 0)
        from summed s full join cost_sim k using (account_id, month, sim_id, kind)
        where coalesce(k.micros, 0) <> coalesce(s.micros, 0) or coalesce(k.bytes, 0) <> coalesce(s.bytes, 0)
      union all
      select account_id, 'sums', 'The sum of ' || to_char(month, 'YYYY-MM') || ' that is kept is not that of its SIMs', coalesce(m.micros, 0) - coalesce(s.micros, 0)
        from (select account_id, month, kind, sum(micros) as micros, sum(bytes) as bytes from cost_month group by 1, 2, 3) m
          full join (select account_id, month, kind, sum(micros) as micros, sum(bytes) as bytes from cost_sim group by 1, 2, 3) s using (account_id, month, kind)
        where coalesce(m.micros, 0) <> coalesce(s.micros, 0) or coalesce(m.bytes, 0) <> coalesce(s.bytes, 0)
      union all
      select account_id, 'sums', 'The sum of ' || to_char(month, 'YYYY-MM') || ' that is kept is not that of its zones', coalesce(m.micros, 0) - coalesce(s.micros, 0)
        from (select account_id, month, kind, sum(micros) as micros, sum(bytes) as bytes from cost_month where kind in ('payg', 'pool_overage') group by 1, 2, 3) m
          full join (select account_id, month, kind, sum(micros) as micros, sum(bytes) as bytes from cost_zone group by 1, 2, 3) s using (account_id, month, kind)
        where coalesce(m.micros, 0) <> coalesce(s.micros, 0) or coalesce(m.bytes, 0) <> coalesce(s.bytes, 0)
      union all
      select account_id, 'pending', 'What is charged and not in the ledger is not the sum of its charges', coalesce(k.unsettled_micros, 0) - coalesce(u.amount, 0)
        from charge_account k full join unsettled u using (account_id) where coalesce(k.unsettled_micros, 0) <> coalesce(u.amount, 0)
      union all
      select account_id, 'pending', 'What ' || sim_id || ' was charged on ' || day || ' is not in the sums, and nothing brings it there', charged_micros - summed_micros
        from charge where not is_open and (charged_micros <> summed_micros or bytes <> summed_bytes)
      union all
      select account_id, case when more > 0 then 'records' else 'uncharged' end,
          sim_id || case when more > 0 then ' was charged for more bytes than it used' else ' used bytes that no pool gave and that were not charged' end
            || ': ' || abs(more) || ' bytes', 0 from compared where more <> 0
    )`
  )
}
