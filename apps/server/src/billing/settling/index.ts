// What puts charges into the ledger, and decides what follows from a balance.
export { chargeFees } from './charge-fees.ts'
export { chargeColumns, type ChargeRow, poolBeyond, postingOf, unsettledDays } from './charge-postings.ts'
export { settleOpen, startSettling } from './settle.ts'
export { settlingTasks } from './tasks.ts'
