export { beginTopUp } from './create-top-up.ts'
export { paymentRoutes } from './routes.ts'
export { paymentTasks } from './tasks.ts'
export { openStates } from './top-up-queries.ts'
