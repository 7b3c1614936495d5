import { sql } from 'kysely'
import { correctionReachDays } from '@masthead/contract/usage/correction'
import { forgetRows } from '../kernel/jobs/forget-rows.ts'
import { task } from '../kernel/jobs/jobs.ts'
import type { App } from '../kernel/app.ts'
import { payDueTerms } from './buying/pay-due-terms.ts'
import { followPools, followRates, wakeEnded } from './follow-pools.ts'
import { followTags } from './pool-members.ts'
import { renewDuePools } from './renew-pools.ts'

export const poolTasks = [
  task('follow_pools', (app, payload: { account_id: string }) => followPools(app, payload)),
  task('follow_tags', (app, payload: { account_id: string; tag_ids: string[] }) => followTags(app, payload)),
  // Rates and price lists begin with a day; also later on it, should its first minute have been missed.
  task('follow_rates', followRates, '0 * * * *'),
  task('renew_pools', renewAndPay, '* * * * *'),
  task('datapools.forget_stays', forgetStays, '35 3 * * *'),
]

async function renewAndPay(app: App): Promise<void> {
  await renewDuePools(app)
  await wakeEnded(app)
  await payDueTerms(app)
}

/** Stays in pools that no correction can be about any more. */
async function forgetStays(app: App): Promise<void> {
  const before = new Date(app.clock.now().getTime() - (correctionReachDays + 1) * 86_400_000)
  await forgetRows(app, 'data_pool_left', sql`left_at < ${before}`)
}
