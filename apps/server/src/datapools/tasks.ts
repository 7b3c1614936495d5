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
]

async function renewAndPay(app: App): Promise<void> {
  await renewDuePools(app)
  await wakeEnded(app)
  await payDueTerms(app)
}
