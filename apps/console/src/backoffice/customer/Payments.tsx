import { listPayments, type StaffPayment } from '@masthead/contract/backoffice/money-operations'
import { formatMoney } from '@masthead/contract/billing/money'
import { CellLink } from '../../kit/CellLink.tsx'
import type { Filter } from '../../kit/filters.ts'
import { QueryTable } from '../../kit/QueryTable.tsx'
import { MomentTime } from '../../kit/RelativeTime.tsx'
import { Badge } from '../../ui/Badge.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { TwoLines, type Column } from '../../ui/Table.tsx'

const looks = {
  preparing: { label: 'Preparing', tone: 'idle', shape: 'busy' },
  requires_action: { label: 'Waits for the bank', tone: 'idle', shape: 'busy' },
  processing: { label: 'Processing', tone: 'idle', shape: 'busy' },
  succeeded: { label: 'Paid', tone: 'ok', shape: 'done' },
  failed: { label: 'Failed', tone: 'bad', shape: 'broken' },
  canceled: { label: 'Given up', tone: 'idle', shape: 'ring' },
} as const

const filters: Filter[] = [
  { key: 'state', label: 'State', multiple: true, options: Object.entries(looks).map(([value, { label }]) => ({ value, label })) },
  {
    key: 'source',
    label: 'Paid by',
    options: [
      { value: 'card', label: 'Somebody' },
      { value: 'auto_refill', label: 'Auto-refill' },
    ],
  },
  {
    key: 'returned',
    label: 'Taken back',
    options: [
      { value: 'refunded', label: 'Refunded or disputed' },
      { value: 'disputed', label: 'Disputed' },
    ],
  },
]

/** Why it failed, or what was taken back of it; else the tax. */
function detailOf({ state, words, currency, refunded_micros, disputed_at, tax_micros, tax_words }: StaffPayment): string {
  if (state === 'failed' || state === 'canceled') return words ?? 'No reason was given'
  const back = refunded_micros > 0 ? `${formatMoney(refunded_micros, currency)} taken back` : ''
  const tax = tax_words === null ? '' : `${formatMoney(tax_micros, currency)} ${tax_words} on top`
  return [disputed_at ? 'Disputed' : '', back, tax].filter(Boolean).join(', ') || 'Without tax'
}

const columns: Column<StaffPayment>[] = [
  { id: 'at', header: 'Time', width: 150, drop: 2, list: 'below', cell: ({ begun_at }) => <MomentTime at={begun_at} /> },
  {
    id: 'state',
    header: 'State',
    width: 130,
    list: 'below',
    cell: ({ state }) => (
      <Badge tone={looks[state].tone} shape={looks[state].shape}>
        {looks[state].label}
      </Badge>
    ),
  },
  {
    id: 'payment',
    header: 'Payment',
    fixed: true,
    list: 'title',
    shape: 'two',
    cell: (payment) => (
      <TwoLines
        first={
          <span className="truncate font-medium">
            {payment.card_name}
            {payment.source === 'auto_refill' ? ', auto-refill' : ''}
          </span>
        }
        second={
          <span className="truncate" title={detailOf(payment)}>
            {detailOf(payment)}
          </span>
        }
      />
    ),
  },
  {
    id: 'amount',
    header: 'Amount',
    width: 120,
    numeric: true,
    list: 'aside',
    cell: ({ amount_micros, currency }) => formatMoney(amount_micros, currency),
  },
]

const customer: Column<StaffPayment> = {
  id: 'customer',
  header: 'Customer',
  width: 240,
  list: 'below',
  shape: 'two',
  cell: ({ team_name, email }) => (
    <TwoLines first={<CellLink to={`/masa/accounts/${encodeURIComponent(email)}?tab=money`}>{team_name}</CellLink>} second={email} />
  ),
}

/** Payments of every customer; those that failed with the reason. */
export const AllPayments = () => (
  <QueryTable
    operation={listPayments}
    label="Payments"
    columns={[...columns.slice(0, 2), customer, ...columns.slice(2)]}
    rowId={({ id }) => id}
    filters={filters}
    remember="masa-payments"
    empty={<EmptyState title="No data found">Nobody has paid yet.</EmptyState>}
  />
)

/** Payments of a customer; those that failed with the reason. */
export const Payments = ({ email }: { email: string }) => (
  <QueryTable
    operation={listPayments}
    input={{ query: { email } }}
    label="Payments"
    columns={columns}
    rowId={({ id }) => id}
    filters={filters}
    prefix="pay_"
    empty={<EmptyState title="No data found">Nobody has paid yet.</EmptyState>}
  />
)
