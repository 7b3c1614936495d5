import { exportCustomerDocument, listCustomerDocuments } from '@masthead/contract/backoffice/money-operations'
import { documentTable, saveDocument } from '../../billing/index.ts'
import { QueryTable } from '../../kit/QueryTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'

/** What was issued to a customer. */
export const CustomerDocuments = ({ email }: { email: string }) => (
  <QueryTable
    operation={listCustomerDocuments}
    input={{ params: { email } }}
    {...documentTable((document) => saveDocument(exportCustomerDocument, { params: { email, any_document_id: document.id } }, document))}
    empty={<EmptyState title="No data found">Nothing was issued yet.</EmptyState>}
  />
)
