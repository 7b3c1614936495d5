import { takeUsage } from '../../datapools/index.ts'
import { fragment, parameter } from './fragment.ts'
import type { Part } from './part.ts'

/**
 * What SIMs used is taken from their data pools, and from those that they left lately. One SIM with a pool, and all of the batch is looked up: as answers they would
 * cost more.
 */
export const pools: Part = {
  share: {
    answers: [
      fragment`(select 'pooled', account_id, sim_id from watched where is_pooled limit 1)`,
      fragment`(select 'pooled', account_id, sim_id from counted c where exists (select from data_pool_left l
        where l.account_id = c.account_id and l.sim_id = c.sim_id and l.left_at > ${parameter('today')}::date - interval '4 days') limit 1)`,
    ],
  },
  after: async (changes, answers, tx) => {
    if (!answers.some(([about]) => about === 'pooled')) return
    const used = changes.counted.filter(({ up, down }) => up + down > 0)
    const taken = await takeUsage(
      tx,
      used.map(({ live, reading, from, up, down }) => ({
        account_id: live.account_id,
        sim_id: live.sim_id,
        from,
        at: reading.event_at,
        bytes: up + down,
        mccmnc: reading.mccmnc ?? live.mccmnc ?? '',
      })),
      changes.at
    )
    for (const { n, from, at, bytes, over, is_paid } of taken) {
      const of = used[n]!
      const before = changes.taken.get(of)
      const more = { from, at, bytes, over, is_paid }
      if (before) before.push(more)
      else changes.taken.set(of, [more])
    }
  },
}
