import { documentKinds, type BillingDocument } from '@masthead/contract/billing/invoices/document'
import { formatMoney } from '@masthead/contract/billing/money'
import { formatDay } from '@masthead/contract/kernel/time'
import { TwoLines, type Column } from '../../ui/Table.tsx'

export const documentColumns: Column<BillingDocument>[] = [
  {
    id: 'document',
    header: 'Document',
    fixed: true,
    list: 'title',
    shape: 'two',
    cell: ({ kind, title, number }) => (
      <TwoLines
        first={
          <span className="truncate font-medium">
            {documentKinds[kind]}: {title}
          </span>
        }
        second={<span className="mono">{number}</span>}
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
    cell: ({ total_micros, currency }) => formatMoney(total_micros, currency),
  },
]
