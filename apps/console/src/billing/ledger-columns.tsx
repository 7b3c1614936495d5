import { ledgerTypes, type LedgerTransaction } from '@masthead/contract/billing/ledger'
import type { Currency } from '@masthead/contract/billing/money'
import type { PendingCharge } from '@masthead/contract/billing/pending-charge'
import { MomentTime } from '../kit/RelativeTime.tsx'
import { Badge } from '../ui/Badge.tsx'
import type { Column } from '../ui/Table.tsx'
import { LineWords } from './LineWords.tsx'
import { inCents, quantityWords, signed, sourceWords, typeLooks, unitPriceWords } from './money-words.ts'

/** An entry, or what is charged and will be one. */
export type LedgerLine = LedgerTransaction | PendingCharge
export const isEntry = (line: LedgerLine): line is LedgerTransaction => 'posted_at' in line

export const NotSettled = () => (
  <Badge tone="info" shape="ring">
    Not settled
  </Badge>
)

/** Columns of the ledger; the description opens the whole of an entry. */
export const ledgerColumns = (currency: Currency, onOpen: (line: LedgerLine) => void): Column<LedgerLine>[] => [
  {
    id: 'at',
    header: 'Time',
    width: 150,
    drop: 2,
    list: 'below',
    cell: (line) => <MomentTime at={isEntry(line) ? line.posted_at : line.usage_to!} />,
  },
  {
    id: 'type',
    header: 'Type',
    width: 120,
    list: 'below',
    cell: (line) => (isEntry(line) ? <Badge {...typeLooks[line.type]}>{ledgerTypes[line.type]}</Badge> : <NotSettled />),
  },
  {
    id: 'description',
    header: 'Description',
    fixed: true,
    list: 'title',
    shape: 'two',
    cell: (line) => <LineWords of={line} currency={currency} onOpen={() => onOpen(line)} />,
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
    cell: (line) => (
      <span className={isEntry(line) ? (line.amount_micros > 0 ? 'font-medium text-ok-fg' : 'font-medium') : undefined}>
        {signed(line.amount_micros, currency)}
      </span>
    ),
  },
  {
    id: 'balance',
    header: 'Balance after',
    width: 130,
    numeric: true,
    drop: 1,
    cell: (line) => (isEntry(line) ? inCents(line.balance_after_micros, currency) : '—'),
  },
]
