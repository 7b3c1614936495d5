// What the backoffice uses of the screens of billing.
export { ComputedFrom } from './ComputedFrom.tsx'
export { ledgerColumns } from './ledger-columns.tsx'
export { documentTable } from './invoices/document-table.ts'
export { saveDocument } from './invoices/save-document.ts'
export { FormMoney } from './FormMoney.tsx'
export { inCents } from './money-words.ts'
export { TransactionSheet } from './TransactionSheet.tsx'
