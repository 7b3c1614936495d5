import { findFreeTests, rateUsage } from '../../billing/rating/index.ts'
import type { Counted } from '../batch-changes.ts'
import { fragment } from './fragment.ts'
import type { Part } from './part.ts'

/** What no pool gave is charged. One SIM of an account that pays by a tariff, and all of the batch is looked up; where nobody does, it is one empty look-up. */
export const rating: Part = {
  share: {
    answers: [
      fragment`(select 'billed', account_id, '' from (select distinct account_id from counted) c
        where exists (select from account_tariff t where t.account_id = c.account_id) limit 1)`,
      // There is an index of these alone.
      fragment`select 'testing', account_id, sim_id from counted c where exists (select from sim s
        where s.account_id = c.account_id and s.id = c.sim_id and s.state = 'ready' and s.test_bytes is not null)`,
    ],
  },
  after: async ({ counted, taken, at }, answers, tx) => {
    if (!answers.some(([about]) => about === 'billed')) return
    const used = counted.filter(({ up, down }) => up + down > 0)
    const testing = answers.flatMap(([about, account_id, sim_id]) => (about === 'testing' ? [{ account_id, sim_id }] : []))
    const takeFree = freeInOrder(used, await findFreeTests(tx, testing))
    await rateUsage(
      tx,
      used.map((each) => {
        const { live, reading, from, up, down } = each
        const { account_id, sim_id, id: session_id } = live
        const mccmnc = reading.mccmnc ?? live.mccmnc ?? ''
        return {
          account_id,
          sim_id,
          session_id,
          from,
          at: reading.event_at,
          bytes: up + down,
          mccmnc,
          taken: taken.get(each) ?? [],
          free_bytes: takeFree(each),
          session: live,
        }
      }),
      at
    )
  },
}

/** What of each usage is within the free test of its SIM, asked one after the other. `left`: after all of them. */
function freeInOrder(used: readonly Counted[], left: Map<string, number>): (of: Counted) => number {
  for (const { live, up, down } of used) if (left.has(live.sim_id)) left.set(live.sim_id, left.get(live.sim_id)! + up + down)
  return ({ live, up, down }) => {
    const free = Math.max(0, Math.min(left.get(live.sim_id) ?? 0, up + down))
    if (free > 0) left.set(live.sim_id, left.get(live.sim_id)! - free)
    return free
  }
}
