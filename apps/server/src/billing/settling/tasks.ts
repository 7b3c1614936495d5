import { task } from '../../kernel/jobs/jobs.ts'
import { forgetScopes } from '../rating/index.ts'
import { followBalance, followBalances } from './balances.ts'
import { chargeAllFees } from './charge-fees.ts'
import { settleEndedDays } from './settle.ts'

export const settlingTasks = [
  task('follow_balance', (app, payload: { account_id: string }) => followBalance(app, payload)),
  task('follow_balances', followBalances, '* * * * *'),
  task('charge_sim_fees', chargeAllFees, '56 * * * *'),
  task('billing.forget_scopes', forgetScopes, '43 3 * * *'),
  task('settle_ended_days', (app) => settleEndedDays(app), '2 */2 * * *'),
]
