import { type Task, task } from '../../kernel/jobs/jobs.ts'
import { announcePrices } from './announce-prices.ts'

export const tariffTasks: readonly Task[] = [
  // Of lists that were given to accounts meanwhile, too, and of what comes next once a version is valid.
  task('billing.announce_prices', (app) => announcePrices(app), '29 * * * *'),
]
