import './tables.ts'
export { giveBonuses, bringBonuses } from './bonuses.ts'
export { couponRoutes } from './routes.ts'
