import { sql } from 'kysely'
import { poolPrices } from '../../billing/costs/index.ts'
import type { Asked } from './measures.ts'

const monthOf = (day: string) => `${day.slice(0, 7)}-01`

/** What SIMs were charged by day: for data, and their fees on the day of their month on which these were charged. */
const charged = ({ account_id, from, to }: Asked) => sql`(
  select sim_id, day, charged_micros as micros from charge where account_id = ${account_id} and day between ${monthOf(from)}::date and ${to}::date
  union all select sim_id, least(greatest((charged_at at time zone 'UTC')::date, month), (month + interval '1 month')::date - 1), micros from sim_fee
    where account_id = ${account_id} and month between ${monthOf(from)}::date and ${to}::date)`

/** The sum of a month says nothing of its days: what was given back on one may be more than another cost. */
export const costOfDays = (asked: Asked) => sql`select sim_id, day, sum(micros) as value from ${charged(asked)} c
  where day between ${asked.from}::date and ${asked.to}::date group by 1, 2 having sum(micros) >= ${asked.threshold}::bigint`

/** On the day on which it is reached, once in the month. Of one month the days of those SIMs alone are read whose sum is so much. */
export const costOfSims = (asked: Asked) => {
  const { account_id, from, to, threshold } = asked
  const few = sql`where sim_id = any(array(select sim_id from cost_sim where account_id = ${account_id} and month = ${monthOf(to)}::date
    group by 1 having sum(micros) >= ${threshold}::bigint))`
  return sql`select sim_id, day, so_far as value from (
      select sim_id, day, sum(micros) as micros, sum(sum(micros)) over (partition by sim_id, date_trunc('month', day::timestamp) order by day) as so_far
      from ${charged(asked)} c ${monthOf(from) === monthOf(to) ? few : sql``} group by 1, 2) d
    where day between ${from}::date and ${to}::date and so_far >= ${threshold}::bigint and so_far - micros < ${threshold}::bigint`
}

/** With the price of data pools, as it is now: what it was on a day before is not kept of the whole account. */
export const costOfAccount = ({ account_id, to, threshold }: Asked) =>
  sql`select null::text as sim_id, ${to}::date as day, sum(micros) as value from (
      select micros from cost_month where account_id = ${account_id} and month = ${monthOf(to)}::date
      union all select micros from (${poolPrices(account_id, to.slice(0, 7), 1)}) pools) costs
    having sum(micros) >= ${threshold}::bigint`

/**
 * The first day on which it was known that other prices are valid so soon, with the days until then: by another price list, other agreed prices, or
 * the next version of the list that the account pays by then.
 */
export const priceChanges = ({
  account_id,
  from,
  to,
  threshold,
}: Asked) => sql`select null::text as sim_id, c.known as day, c.valid - c.known as value
  from (
    select valid, greatest(${from}::date, (made_at at time zone 'UTC')::date, valid - ${threshold}::int) as known from (
      select from_day as valid, assigned_at as made_at from account_tariff where account_id = ${account_id}
      union all
      select v.effective_from, v.created_at from account_tariff g join tariff_version v on v.tariff_id = g.tariff_id and v.effective_from > g.from_day
        where g.account_id = ${account_id} and not exists (select from account_tariff n
          where n.account_id = g.account_id and n.from_day > g.from_day and n.from_day <= v.effective_from)) made) c
  where c.known <= c.valid and c.known <= ${to}::date`
