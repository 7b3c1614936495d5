// What the backoffice uses of the screens of billing.
export { ledgerColumns } from './ledger-columns.tsx'
export { FormMoney } from './FormMoney.tsx'
export { inCents } from './money-words.ts'
export { TransactionSheet } from './TransactionSheet.tsx'
