import { getPendingCharge, listPendingCharges } from '@masthead/contract/billing/cost-operations'
import type { Currency } from '@masthead/contract/billing/money'
import type { PendingCharge } from '@masthead/contract/billing/pending-charge'
import { useQuery } from '@tanstack/react-query'
import { Hourglass } from 'lucide-react'
import { useMemo } from 'react'
import { q } from '../api/query.ts'
import { QueryTable } from '../kit/QueryTable.tsx'
import { MomentTime } from '../kit/RelativeTime.tsx'
import { EmptyState, ErrorState } from '../ui/EmptyState.tsx'
import { Facts } from '../ui/Panel.tsx'
import { Sheet } from '../ui/Sheet.tsx'
import type { Column } from '../ui/Table.tsx'
import { Computed } from './ComputedFrom.tsx'
import { NotSettled } from './ledger-columns.tsx'
import { LineWords } from './LineWords.tsx'
import { signed } from './money-words.ts'
import { AmountFacts } from './TransactionSheet.tsx'

/** The meter counts without an event: so often it is asked again, in milliseconds. */
const askedAgain = 5000

/** What was used and is not in the ledger yet. `asset_id`: of one asset alone, or empty. */
export function PendingCharges({ asset_id, currency, onOpen }: { asset_id: string; currency: Currency; onOpen: (id: string) => void }) {
  // eslint-disable-next-line react-hooks/exhaustive-deps
  const columns = useMemo(() => pendingColumns(currency, onOpen), [currency])
  return (
    <>
      <QueryTable
        operation={listPendingCharges}
        input={{ query: asset_id ? { asset_id } : {} }}
        label="Not settled yet"
        columns={columns}
        rowId={({ id }) => id}
        live
        again={() => askedAgain}
        empty={
          <EmptyState icon={Hourglass} title="No data found">
            All that was charged is in the ledger.
          </EmptyState>
        }
      />
      <p className="pt-2 text-xs text-fg-3">
        What a SIM uses on a day in a zone becomes an entry in steps, and the rest once the day is over. It is taken off what you can spend
        already.
      </p>
    </>
  )
}

const pendingColumns = (currency: Currency, onOpen: (id: string) => void): Column<PendingCharge>[] => [
  {
    id: 'at',
    header: 'Used until',
    width: 150,
    drop: 2,
    list: 'below',
    listHead: true,
    cell: ({ usage_to }) => usage_to && <MomentTime at={usage_to} />,
  },
  {
    id: 'state',
    header: 'State',
    width: 120,
    list: 'below',
    cell: () => <NotSettled />,
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
    id: 'amount',
    header: 'Amount',
    width: 120,
    numeric: true,
    list: 'aside',
    cell: ({ amount_micros }) => <span className="text-fg-3">{signed(amount_micros, currency)}</span>,
  },
]

/** All of what is not settled of a SIM's day, with what it is computed from. */
export function PendingSheet({ id, currency, onAsset, onClose }: PendingSheetProps) {
  const { data, error, refetch } = useQuery({
    ...q(getPendingCharge, { params: { pending_id: id } }),
    refetchInterval: ({ state }) => !state.error && askedAgain,
  })
  if (error?.status === 404)
    return (
      <Sheet open onClose={onClose} title="Settled">
        <p className="text-fg-2">Nothing of it is left to settle: what was charged is in the ledger, among the entries.</p>
      </Sheet>
    )
  if (!data && error)
    return (
      <Sheet open onClose={onClose} title="Not settled yet">
        <ErrorState title="The charge could not be loaded" failure={error} onRetry={() => void refetch()} />
      </Sheet>
    )
  if (!data) return null
  const { charge, usage } = data
  return (
    <Sheet
      open
      onClose={onClose}
      title={`${signed(charge.amount_micros, currency)}, ${charge.description}`}
      note="Not settled yet: it may still grow"
      wide
    >
      <Facts>
        <AmountFacts line={charge} currency={currency} assetPath={(asset) => `/assets/${asset}`} onAsset={onAsset} />
      </Facts>
      <Computed line={charge} usage={usage} currency={currency} isPending />
    </Sheet>
  )
}

type PendingSheetProps = { id: string; currency: Currency; onAsset: (id: string) => void; onClose: () => void }
