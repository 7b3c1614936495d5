export { tariffRoutes } from './routes.ts'
export { tariffTasks } from './tasks.ts'
