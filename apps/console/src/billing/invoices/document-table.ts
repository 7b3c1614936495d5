import type { BillingDocument } from '@masthead/contract/billing/invoices/document'
import { Download } from 'lucide-react'
import { documentColumns } from './document-columns.tsx'

/** How documents are listed, for the customer and for staff. */
export const documentTable = (save: (document: BillingDocument) => Promise<void>) => ({
  label: 'Invoices and receipts',
  columns: documentColumns(save),
  rowId: ({ id }: BillingDocument) => id,
  rowName: ({ number }: BillingDocument) => number,
  rowActions: (document: BillingDocument) => [{ label: 'Download PDF', icon: Download, onSelect: () => void save(document) }],
  prefix: 'doc_',
})
