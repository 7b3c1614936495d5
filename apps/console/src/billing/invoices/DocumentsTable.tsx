import { exportDocument, listDocuments } from '@masthead/contract/billing/invoices/operations'
import { QueryTable } from '../../kit/QueryTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { documentTable } from './document-table.ts'
import { saveDocument } from './save-document.ts'

/** What was issued: invoices of months, receipts of payments, and credit notes. */
export const DocumentsTable = () => (
  <QueryTable
    operation={listDocuments}
    {...documentTable((document) => saveDocument(exportDocument, { params: { document_id: document.id } }, document))}
    live
    empty={
      <EmptyState title="No data found">
        The receipt of your first payment will be here, and an invoice for each month with charges.
      </EmptyState>
    }
  />
)
