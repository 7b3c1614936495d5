export { beginTopUp } from './create-top-up.ts'
export { askToPayBack } from './pay-back.ts'
export { paymentRoutes } from './routes.ts'
export { paymentTasks } from './tasks.ts'
