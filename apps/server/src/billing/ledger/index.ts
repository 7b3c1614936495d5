// What other areas may use of the ledger.
export { findBillingAccount, switchOn } from './billing-account.ts'
export { post } from './post.ts'
export type { Posting } from './posting.ts'
export { proofInWords, proveLedger } from './prove.ts'
export { ledgerTasks } from './tasks.ts'
export { ledgerFigures } from './watch-ledger.ts'
