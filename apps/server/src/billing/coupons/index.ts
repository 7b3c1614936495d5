import './tables.ts'
export { giveBonuses } from './redeem-coupon.ts'
export { couponRoutes } from './routes.ts'
