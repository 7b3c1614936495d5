export { paymentRoutes } from './routes.ts'
export { paymentTasks } from './tasks.ts'
