import './tables.ts'
export { giveBonuses, takeBackBonuses } from './bonuses.ts'
export { couponRoutes } from './routes.ts'
