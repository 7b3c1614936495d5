// What the meter and corrections use of rating.
export { chargeAgain, type ChargedBack, correctCharges } from './correct-charges.ts'
export { findFreeTests } from './free-tests.ts'
export { forgetScopes } from './forget-scopes.ts'
export { type LastCharge, rateUsage } from './rate-usage.ts'
export type { TakenFromPool } from './charged-usage.ts'
