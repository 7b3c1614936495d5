import { exportCustomerDocument, listCustomerDocuments } from '@masthead/contract/backoffice/money-operations'
import { Download } from 'lucide-react'
import { documentColumns, saveDocument } from '../../billing/index.ts'
import { QueryTable } from '../../kit/QueryTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'

/** What was issued to a customer. */
export const CustomerDocuments = ({ email }: { email: string }) => (
  <QueryTable
    operation={listCustomerDocuments}
    input={{ params: { email } }}
    label="Invoices and receipts"
    columns={documentColumns}
    rowId={({ id }) => id}
    rowName={({ number }) => number}
    rowActions={(document) => [
      {
        label: 'Download PDF',
        icon: Download,
        onSelect: () => void saveDocument(exportCustomerDocument, { params: { email, any_document_id: document.id } }, document),
      },
    ]}
    prefix="doc_"
    empty={<EmptyState title="No data found">Nothing was issued yet.</EmptyState>}
  />
)
