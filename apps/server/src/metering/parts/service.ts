import { askForCuts, cutAgainAfter } from '../../assets/service/index.ts'
import type { LiveSession } from '../sessions/live-session.ts'
import { fragment, named } from './fragment.ts'
import { simsAtLimits, unserved } from './limits.ts'
import type { Part } from './part.ts'
import { seen } from './session-rows.ts'

/** Of SIMs that nothing was counted of. Sessions that may be asked about are locked here, because what follows comes after counters were. */
const findUnserved = named(
  'find_unserved',
  fragment`with held as (
      select x.account_id, x.sim_id, s.id is null or ${unserved} as is_unserved from ${seen.rows} as u
        join data_session x on x.account_id = u.account_id and x.id = u.id left join sim s on s.account_id = x.account_id and s.id = x.sim_id
      where s.id is null or ${unserved} or x.forbidden is not null order by x.account_id, x.id for no key update of x
    ) select 'unserved', account_id, sim_id from held where is_unserved`
)

/** Has the gateways end what goes on of SIMs without service, or of no account any more, and on networks that a SIM's group does not allow: each session at most once in a while. */
export const service: Part = {
  share: { answers: [fragment`select 'unserved', account_id, sim_id from watched where is_unserved`] },
  gather: ({ onlySeen }) => ({
    values: {},
    before: onlySeen.length > 0 ? [{ statement: findUnserved, values: seen.values(onlySeen) }] : [],
  }),
  after: async ({ going, gone, now: at }, answers, tx) => {
    const sims = new Set(answers.flatMap(([about, account_id, sim_id]) => (about === 'unserved' ? account_id + sim_id : [])))
    // Also by a clock that was ahead: it may be set back while the meter's own stands still.
    const isDue = ({ cut_asked_at }: LiveSession) => cut_asked_at === null || Math.abs(at.getTime() - cut_asked_at) >= cutAgainAfter
    // Those that are open are found once their SIM is blocked; whoever reports of one that is believed closed says now that it goes on. Of those that
    // were written, as they are locked: others come after counters were, and report again.
    const limited = new Set(simsAtLimits(answers).map(({ account_id, sim_id }) => account_id + sim_id))
    const reaches = ({ account_id, sim_id, kept, write }: LiveSession) =>
      write !== null && kept.ended_at !== null && limited.has(account_id + sim_id)
    const isServed = (live: LiveSession) =>
      live.forbidden === null && !sims.has(live.account_id + live.sim_id) && !gone.has(live) && !reaches(live)
    const due = new Set(going.filter((live) => !isServed(live) && !live.superseded && isDue(live)))
    if (due.size === 0) return
    const sessions = [...due].map(({ account_id, id }) => ({ account_id, id }))
    const asked = await askForCuts(tx, sessions, at)
    for (const live of due) {
      if (!asked.has(live.id)) continue
      live.cut_asked_at = at.getTime()
      live.revision++ // by that statement, which comes after the others
    }
  },
}
