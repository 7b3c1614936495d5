import { couponWords, type Coupon } from '@masthead/contract/billing/coupons/coupon'
import { listUsesOfCoupon } from '@masthead/contract/backoffice/coupon-operations'
import type { Reply } from '@masthead/contract/kernel/operation'
import { formatDay } from '@masthead/contract/kernel/time'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { q } from '../../api/query.ts'
import { EmptyState, ErrorState } from '../../ui/EmptyState.tsx'
import { Sheet } from '../../ui/Sheet.tsx'
import { PlainTable, TwoLines, type Column } from '../../ui/Table.tsx'
import { inCents } from '../money-words.ts'

type Use = Reply<typeof listUsesOfCoupon>['items'][number]

const columns: Column<Use>[] = [
  {
    id: 'account',
    header: 'Account',
    list: 'title',
    shape: 'two',
    cell: ({ account_email, team_name, used_by }) => (
      <TwoLines first={<Link to={`/masa/accounts/${encodeURIComponent(account_email)}`}>{team_name}</Link>} second={`by ${used_by}`} />
    ),
  },
  { id: 'used', header: 'Redeemed', width: 120, list: 'below', listHead: true, cell: ({ used_at }) => formatDay(used_at) },
  {
    id: 'given',
    header: 'Given',
    width: 110,
    numeric: true,
    list: 'aside',
    cell: ({ given_micros, currency }) => (given_micros === null ? 'Waits' : inCents(given_micros, currency)),
  },
]

/** Who redeemed a coupon: the newest hundred. */
export function CouponUses({ coupon, onClose }: { coupon: Coupon; onClose: () => void }) {
  const { data, error, refetch } = useQuery(q(listUsesOfCoupon, { params: { coupon_id: coupon.id }, query: { page_size: 100 } }))
  return (
    <Sheet open onClose={onClose} title={`Coupon ${coupon.code}`} note={couponWords(coupon)}>
      {error && !data ? (
        <ErrorState title="The uses could not be loaded" failure={error} onRetry={() => void refetch()} />
      ) : (
        <>
          <PlainTable
            label="Uses"
            columns={columns}
            rows={data?.items}
            skeletonRows={3}
            rowId={({ account_email }) => account_email}
            empty={<EmptyState title="No data found">Nobody has redeemed it yet.</EmptyState>}
          />
          {data?.next && <p className="px-4 py-2 text-xs text-fg-3">Only the newest hundred are shown.</p>}
        </>
      )}
    </Sheet>
  )
}
