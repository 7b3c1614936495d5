import { type Task, task } from '../../kernel/jobs/jobs.ts'
import { followCostCaps } from './block-at-caps.ts'
import { followAllPrices, followCostLimits } from './follow-cost-limits.ts'

export const costLimitTasks: readonly Task[] = [
  task('billing.follow_cost_limits', followCostLimits),
  task('billing.follow_cost_caps', (app) => followCostCaps(app), '* * * * *'),
  // Prices change at midnight.
  task('billing.follow_prices', followAllPrices, '1 0 * * *'),
]
