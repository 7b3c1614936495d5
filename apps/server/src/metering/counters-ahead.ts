import { dayOf } from '@masthead/contract/kernel/time'
import type { App } from '../kernel/app.ts'
import { recountAhead } from '../usage/index.ts'
import { blockAtLimits, unblockBelowLimits } from './data-limit.ts'

const simsAtOnce = 500

/** After a clock that was days ahead: counters are of today again, and limits hold by them. */
export async function mendCountersAhead({ db, clock }: Pick<App, 'db' | 'clock'>): Promise<void> {
  const at = clock.now()
  for (let mended = simsAtOnce; mended === simsAtOnce;)
    mended = await db.transaction().execute(async (tx) => {
      const sims = await recountAhead(tx, dayOf(at), simsAtOnce)
      await unblockBelowLimits(tx, sims, at)
      await blockAtLimits(tx, sims, at)
      return sims.length
    })
}
