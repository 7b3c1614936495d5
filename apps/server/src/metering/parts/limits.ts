import { blockAtLimits } from '../data-limit.ts'
import { fragment, parameter } from './fragment.ts'
import type { Answer, Part } from './part.ts'

/** Of the row `s` of a SIM. */
export const unserved = `s.status not in ('ready', 'active', 'standby')`

const today = fragment`${parameter('today')}::date`

/** Of a counter `c` that was written just now, and a limit. */
const isReached = (
  l: string
) => fragment`limit_used(${l}.period, ${today}, c.day, c.day_up, c.day_down, c.period_start, c.bytes_up, c.bytes_down)
    >= limit_allows(${l}.bytes, ${l}.raised_bytes, ${l}.raised_period, ${l}.period, ${today})
  and not exists (select from sim b where b.account_id = c.account_id and b.id = c.sim_id and b.blocks @> '[{"code":"data_limit"}]')`

/**
 * SIMs that have used up their limit are blocked. A SIM's own limit is found by an index of limits. SIMs of groups are found by an index that has
 * those without service as well, so the look-up is one with that for service. Who is not in it, is in the default group.
 */
export const limits: Part = {
  share: {
    with: {
      watched: fragment`select c.account_id, c.sim_id,
          case when own.id is not null then own.action = 'block' and ${isReached('own')} when grouped.id is not null then ${isReached('grouped')} else false end as is_limited,
          coalesce(${unserved}, false) as is_unserved, s.pool_id is not null as is_pooled
        from counted c left join usage_limit own on own.account_id = c.account_id and own.sim_id = c.sim_id
          left join sim s on s.account_id = c.account_id and s.id = c.sim_id and (s.group_id is not null or s.pool_id is not null or ${unserved})
          left join usage_limit grouped on own.id is null and grouped.account_id = c.account_id
            and grouped.group_id = coalesce(s.group_id, 'default') and grouped.action = 'block'
        where own.id is not null or s.id is not null or grouped.id is not null`,
    },
    answers: [fragment`select 'at_limit', account_id, sim_id from watched where is_limited`],
  },
  after: ({ at }, answers, tx) => blockAtLimits(tx, simsAtLimits(answers), at),
}

export const simsAtLimits = (answers: readonly Answer[]) =>
  answers.flatMap(([about, account_id, sim_id]) => (about === 'at_limit' ? [{ account_id, sim_id }] : []))
