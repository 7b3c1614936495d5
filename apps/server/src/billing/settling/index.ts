// What puts charges into the ledger, and decides what follows from a balance.
export { chargeFees } from './charge-fees.ts'
export { settleOpen, startSettling } from './settle.ts'
export { settlingTasks } from './tasks.ts'
