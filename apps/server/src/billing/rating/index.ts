// What the meter and corrections use of rating.
export { correctCharges } from './correct-charges.ts'
export { chargeFees } from './charge-fees.ts'
export { rateUsage } from './rate-usage.ts'
export { settleOpen, startSettling } from './settle.ts'
export { ratingTasks } from './tasks.ts'
export type { TakenFromPool } from './stretches.ts'
