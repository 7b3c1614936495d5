export { lockRule, rulesOf } from './change-rules.ts'
export { refillRoutes } from './routes.ts'
export { refillTasks } from './tasks.ts'
export { watchBalances } from './watch-balances.ts'
