import { exportDocument, listDocuments } from '@masthead/contract/billing/invoices/operations'
import { Download } from 'lucide-react'
import { QueryTable } from '../../kit/QueryTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { documentColumns } from './document-columns.tsx'
import { saveDocument } from './save-document.ts'

/** What was issued: invoices of months, receipts of payments, and credit notes. */
export const DocumentsTable = () => (
  <QueryTable
    operation={listDocuments}
    label="Invoices and receipts"
    columns={documentColumns}
    rowId={({ id }) => id}
    rowName={({ number }) => number}
    rowActions={(document) => [
      {
        label: 'Download PDF',
        icon: Download,
        onSelect: () => void saveDocument(exportDocument, { params: { document_id: document.id } }, document),
      },
    ]}
    prefix="doc_"
    live
    empty={
      <EmptyState title="No data found">
        The receipt of your first payment will be here, and an invoice for each month with charges.
      </EmptyState>
    }
  />
)
