import { type Task, task } from '../../kernel/jobs/jobs.ts'
import { refillBalance } from './refill-balance.ts'

export const refillTasks: readonly Task[] = [task('billing.refill_balance', refillBalance)]
