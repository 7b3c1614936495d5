import { type Task, task } from '../../kernel/jobs/jobs.ts'
import { watchLedger } from './watch-ledger.ts'

export const ledgerTasks: readonly Task[] = [task('billing.watch_ledger', async (app) => void (await watchLedger(app)), '0 2 * * *')]
