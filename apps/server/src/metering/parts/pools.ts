import { takeUsage } from '../../datapools/index.ts'
import { fragment } from './fragment.ts'
import type { Part } from './part.ts'

/** What SIMs used is taken from their data pools. */
export const pools: Part = {
  share: { answers: [fragment`select 'pooled', account_id, sim_id from watched where is_pooled`] },
  after: async ({ counted, at }, answers, tx) => {
    const sims = new Set(answers.flatMap(([about, account_id, sim_id]) => (about === 'pooled' ? [account_id + sim_id] : [])))
    if (sims.size === 0) return
    const used = counted.filter(({ live, up, down }) => up + down > 0 && sims.has(live.account_id + live.sim_id))
    await takeUsage(
      tx,
      used.map(({ live, reading, from, up, down }) => ({
        account_id: live.account_id,
        sim_id: live.sim_id,
        from,
        at: reading.event_at,
        bytes: up + down,
        mccmnc: reading.mccmnc ?? live.mccmnc ?? '',
      })),
      at
    )
  },
}
