import { type Task, task } from '../../kernel/jobs/jobs.ts'
import { watchLedger, watchTask } from './watch-ledger.ts'

export const ledgerTasks: readonly Task[] = [task(watchTask, async (app) => void (await watchLedger(app)), '0 2 * * *')]
