import { ledgerTypes, type LedgerTransaction } from '@masthead/contract/billing/ledger'
import type { Currency } from '@masthead/contract/billing/money'
import { MomentTime } from '../kit/RelativeTime.tsx'
import { Badge } from '../ui/Badge.tsx'
import { TwoLines, type Column } from '../ui/Table.tsx'
import { inCents, priceWords, signed, typeLooks } from './money-words.ts'

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
    cell: (line) => (
      <TwoLines
        first={
          <button type="button" className="block max-w-full truncate text-left font-medium hover:underline" onClick={() => onOpen(line.id)}>
            {line.asset_name ? `${line.description}, ${line.asset_name}` : line.description}
          </button>
        }
        second={line.reason ?? priceWords(line, currency)}
      />
    ),
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
