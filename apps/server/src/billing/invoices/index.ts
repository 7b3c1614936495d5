export { getDocument, listDocuments } from './document-queries.ts'
export { invoiceRoutes, sendDocument } from './routes.ts'
export { invoiceTasks } from './tasks.ts'
