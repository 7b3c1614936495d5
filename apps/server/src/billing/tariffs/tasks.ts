import { type Task, task } from '../../kernel/jobs/jobs.ts'
import { announcePrices } from './announce-prices.ts'

export const tariffTasks: readonly Task[] = [
  // Once a version is valid, it is the turn of the next one.
  task('billing.announce_prices', (app) => announcePrices(app), '29 * * * *'),
]
