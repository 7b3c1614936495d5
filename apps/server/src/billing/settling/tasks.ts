import { task } from '../../kernel/jobs/jobs.ts'
import { followBalance, followBalances } from './balances.ts'
import { chargeAllFees } from './charge-fees.ts'
import { settleEndedDays } from './settle.ts'

export const settlingTasks = [
  task('follow_balance', (app, payload: { account_id: string }) => followBalance(app, payload)),
  task('follow_balances', followBalances, '* * * * *'),
  task('charge_sim_fees', chargeAllFees, '56 * * * *'),
  task('settle_ended_days', settleEndedDays, '2 */2 * * *'),
]
