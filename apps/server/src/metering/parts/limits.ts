import { blockAtLimits } from '../data-limit.ts'
import { fragment, parameter } from './fragment.ts'
import type { Part } from './part.ts'

/** Of the row `s` of a SIM. */
export const unserved = `s.status not in ('ready', 'active', 'standby')`

const limited = fragment`s.limit_bytes <= c.bytes_up::numeric + c.bytes_down and not s.blocks @> '[{"code":"data_limit"}]'
  and c.period_start >= ${parameter('month')}::date`

/** SIMs that have used up their limit of the current month are blocked. The look-up is one with that for service: an index has both. */
export const limits: Part = {
  share: {
    with: {
      watched: fragment`select c.account_id, c.sim_id, coalesce(${limited}, false) as is_limited, ${unserved} as is_unserved
        from counted c join sim s on s.account_id = c.account_id and s.id = c.sim_id and (s.limit_bytes is not null or ${unserved})`,
    },
    answers: [fragment`select 'at_limit', account_id, sim_id from watched where is_limited`],
  },
  after: ({ at }, answers, tx) => {
    const reached = answers.flatMap(([about, account_id, sim_id]) => (about === 'at_limit' ? [{ account_id, sim_id }] : []))
    return blockAtLimits(tx, reached, at)
  },
}
