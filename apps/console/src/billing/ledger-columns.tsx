import { ledgerTypes, type LedgerTransaction } from '@masthead/contract/billing/ledger'
import type { Currency } from '@masthead/contract/billing/money'
import { MomentTime } from '../kit/RelativeTime.tsx'
import { Badge } from '../ui/Badge.tsx'
import type { Column } from '../ui/Table.tsx'
import { LineWords } from './LineWords.tsx'
import { inCents, quantityWords, signed, sourceWords, typeLooks, unitPriceWords } from './money-words.ts'

/** Columns of the ledger; the description opens the whole of an entry. */
export const ledgerColumns = (currency: Currency, onOpen: (id: string) => void): Column<LedgerTransaction>[] => [
  { id: 'at', header: 'Time', width: 150, drop: 2, list: 'below', cell: ({ posted_at }) => <MomentTime at={posted_at} /> },
  {
    id: 'type',
    header: 'Type',
    width: 120,
    list: 'below',
    cell: ({ type }) => <Badge {...typeLooks[type]}>{ledgerTypes[type]}</Badge>,
  },
  {
    id: 'description',
    header: 'Description',
    fixed: true,
    list: 'title',
    shape: 'two',
    cell: (line) => <LineWords of={line} currency={currency} onOpen={onOpen} />,
  },
  {
    id: 'quantity',
    header: 'Quantity',
    width: 130,
    numeric: true,
    optional: true,
    drop: 3,
    cell: (line) => quantityWords(line) ?? <span className="text-fg-3">—</span>,
  },
  {
    id: 'price',
    header: 'Unit price',
    width: 130,
    numeric: true,
    optional: true,
    drop: 3,
    cell: (line) => unitPriceWords(line, currency) ?? <span className="text-fg-3">—</span>,
  },
  {
    id: 'zone',
    header: 'Zone',
    width: 100,
    optional: true,
    drop: 3,
    cell: ({ zone, zone_name }) => <span className="truncate">{zone_name ?? zone ?? '—'}</span>,
  },
  {
    id: 'source',
    header: 'Source',
    width: 130,
    optional: true,
    drop: 3,
    cell: ({ source }) => <span className="truncate">{sourceWords[source]}</span>,
  },
  {
    id: 'amount',
    header: 'Amount',
    width: 120,
    numeric: true,
    list: 'aside',
    cell: ({ amount_micros }) => (
      <span className={amount_micros > 0 ? 'font-medium text-ok-fg' : 'font-medium'}>{signed(amount_micros, currency)}</span>
    ),
  },
  {
    id: 'balance',
    header: 'Balance after',
    width: 130,
    numeric: true,
    drop: 1,
    cell: ({ balance_after_micros }) => inCents(balance_after_micros, currency),
  },
]
