// What the meter, corrections and reports use of rating.
export { chargeAgain, type ChargedBack, correctCharges } from './correct-charges.ts'
export { type Rate, ratesOf } from './charges.ts'
export { findFreeTests } from './free-tests.ts'
export { forgetScopes } from './forget-scopes.ts'
export { type LastCharge, rateUsage } from './rate-usage.ts'
export type { TakenFromPool } from './charged-usage.ts'
