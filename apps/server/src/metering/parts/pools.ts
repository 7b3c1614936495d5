import { exhaustPools } from '../pool-limit.ts'
import { fragment, parameter } from './fragment.ts'
import type { Part } from './part.ts'
import { records } from './usage.ts'

const today = fragment`${parameter('today')}::date`
const parts = 32

/**
 * What SIMs use of their pool's limit. A batch adds it in one row for each pool, in its connection's part, so that no two connections wait for each
 * other however many SIMs share the pool. The pool is used up when its parts together say so. Of two batches that commit at the same moment neither
 * sees the other's bytes: then the pool's next record says so, or the job that looks after limits.
 */
export const pools: Part = {
  share: {
    with: {
      pooled: fragment`insert into pool_counter as p (account_id, limit_id, period_start, part, bytes)
        select l.account_id, l.id, limit_start(l.period, (r.event_at at time zone 'UTC')::date), pg_backend_pid() % ${String(parts)},
          sum(r.bytes_up::numeric + r.bytes_down)
        from ${records.rows} as r join sim s on s.account_id = r.account_id and s.id = r.sim_id and s.pool_id is not null
          join usage_limit l on l.account_id = s.account_id and l.pool_id = s.pool_id
        group by 1, 2, 3 order by 1, 2, 3
        on conflict (account_id, limit_id, period_start, part) do update set bytes = p.bytes + excluded.bytes
        returning p.account_id, p.limit_id, p.period_start, p.part, p.bytes`,
    },
    answers: [
      fragment`select 'pool_at_limit', p.account_id, p.limit_id from pooled p
        join usage_limit l on l.account_id = p.account_id and l.id = p.limit_id and l.reached_at is null
        where p.period_start >= limit_start(l.period, ${today}) and limit_allows(l.bytes, l.raised_bytes, l.raised_period, l.period, ${today})
          <= p.bytes + (select coalesce(sum(o.bytes), 0) from pool_counter o
            where o.account_id = p.account_id and o.limit_id = p.limit_id and o.period_start = p.period_start and o.part <> p.part)`,
    ],
  },
  after: ({ at }, answers, tx) => {
    const reached = answers.flatMap(([about, account_id, limit_id]) => (about === 'pool_at_limit' ? [{ account_id, limit_id }] : []))
    return exhaustPools(tx, reached, at)
  },
}
