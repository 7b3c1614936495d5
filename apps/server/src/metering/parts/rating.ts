import { rateUsage } from '../../billing/rating/index.ts'
import { fragment } from './fragment.ts'
import type { Part } from './part.ts'

/** What no pool gave is charged. One SIM of an account that pays by a tariff, and all of the batch is looked up; where nobody does, it is one empty look-up. */
export const rating: Part = {
  share: {
    answers: [
      fragment`(select 'billed', account_id, '' from (select distinct account_id from counted) c
        where exists (select from account_tariff t where t.account_id = c.account_id) limit 1)`,
    ],
  },
  after: async ({ counted, taken, at }, answers, tx) => {
    if (!answers.some(([about]) => about === 'billed')) return
    const used = counted.filter(({ up, down }) => up + down > 0)
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
          session: live,
        }
      }),
      at
    )
  },
}
