import './tables.ts'
export { giveBonuses, bringBonuses, returnableWithBonuses } from './bonuses.ts'
export { couponRoutes } from './routes.ts'
