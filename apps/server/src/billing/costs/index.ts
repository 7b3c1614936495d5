export { costRoutes } from './routes.ts'
