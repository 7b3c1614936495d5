import { documentKinds, type BillingDocument } from '@masthead/contract/billing/invoices/document'
import { formatDay } from '@masthead/contract/kernel/time'
import { TwoLines, type Column } from '../../ui/Table.tsx'
import { inCents } from '../money-words.ts'

/** Its name fetches it, as that of a report does. */
export const documentColumns = (save: (document: BillingDocument) => Promise<void>): Column<BillingDocument>[] => [
  {
    id: 'document',
    header: 'Document',
    fixed: true,
    list: 'title',
    shape: 'two',
    cell: (document) => (
      <TwoLines
        first={
          <button type="button" className="max-w-full truncate font-medium hover:underline" onClick={() => void save(document)}>
            {documentKinds[document.kind]}: {document.title}
          </button>
        }
        second={<span className="mono">{document.number}</span>}
      />
    ),
  },
  { id: 'date', header: 'Date', width: 110, list: 'below', cell: ({ issued_at }) => formatDay(issued_at) },
  {
    id: 'amount',
    header: 'Amount',
    width: 120,
    numeric: true,
    list: 'aside',
    cell: ({ total_micros, currency }) => inCents(total_micros, currency),
  },
]
