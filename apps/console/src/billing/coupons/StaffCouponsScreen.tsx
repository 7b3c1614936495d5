import { couponWords, type Coupon } from '@masthead/contract/billing/coupons/coupon'
import { createCoupon, endCoupon, listCoupons } from '@masthead/contract/backoffice/coupon-operations'
import { formatDay } from '@masthead/contract/kernel/time'
import { CircleStop, Plus, Users } from 'lucide-react'
import { useMemo, useState } from 'react'
import { BackofficeEnd } from '../../backoffice/index.ts'
import { ActionButton, useDenied } from '../../kit/ActionButton.tsx'
import { ConfirmCall } from '../../kit/ConfirmCall.tsx'
import { later } from '../../kit/later.tsx'
import { QueryTable } from '../../kit/QueryTable.tsx'
import { Badge } from '../../ui/Badge.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { TwoLines, type Column } from '../../ui/Table.tsx'

const CreateCoupon = later(async () => (await import('./CreateCoupon.tsx')).CreateCoupon)
const CouponUses = later(async () => (await import('./CouponUses.tsx')).CouponUses)

const states: Record<Coupon['state'], { label: string; tone: 'ok' | 'idle' }> = {
  open: { label: 'Open', tone: 'ok' },
  used_up: { label: 'Used up', tone: 'idle' },
  expired: { label: 'Expired', tone: 'idle' },
  ended: { label: 'Ended', tone: 'idle' },
}

const columnsOf = (onOpen: (coupon: Coupon) => void): Column<Coupon>[] => [
  {
    id: 'code',
    header: 'Code',
    fixed: true,
    list: 'title',
    shape: 'two',
    cell: (coupon) => (
      <TwoLines
        first={
          <button type="button" className="max-w-full truncate font-medium hover:underline" onClick={() => onOpen(coupon)}>
            {coupon.code}
          </button>
        }
        second={couponWords(coupon)}
      />
    ),
  },
  {
    id: 'state',
    header: 'State',
    width: 110,
    list: 'aside',
    cell: ({ state }) => <Badge tone={states[state].tone}>{states[state].label}</Badge>,
  },
  {
    id: 'uses',
    header: 'Uses',
    width: 130,
    numeric: true,
    list: 'below',
    listHead: true,
    cell: ({ uses, most_uses }) => `${uses.toLocaleString('en')}${most_uses === null ? '' : ` of ${most_uses.toLocaleString('en')}`}`,
  },
  {
    id: 'expires',
    header: 'Redeemed until',
    width: 140,
    drop: 1,
    cell: ({ expires_at }) => (expires_at === null ? 'No end' : formatDay(expires_at)),
  },
  { id: 'created', header: 'Created', width: 120, drop: 2, cell: ({ created_at }) => formatDay(created_at) },
]

/** For staff: what is given away by a code, and who redeemed it. */
export default function StaffCouponsScreen() {
  const [creating, setCreating] = useState(false)
  const [open, setOpen] = useState<Coupon | null>(null)
  const [ending, setEnding] = useState<Coupon | null>(null)
  const denied = useDenied()
  const columns = useMemo(() => columnsOf(setOpen), [])
  return (
    <>
      <BackofficeEnd>
        <ActionButton operation={createCoupon} color="primary-solid" icon={Plus} onClick={() => setCreating(true)}>
          Create coupon
        </ActionButton>
      </BackofficeEnd>
      <QueryTable
        operation={listCoupons}
        label="Coupons"
        columns={columns}
        rowId={({ id }) => id}
        rowName={({ code }) => code}
        rowActions={(coupon) => [
          { label: 'Who redeemed it', icon: Users, onSelect: () => setOpen(coupon) },
          {
            label: 'End coupon',
            icon: CircleStop,
            danger: true,
            disabled: denied(endCoupon) ?? (coupon.ended_at === null ? null : 'This coupon has ended already'),
            onSelect: () => setEnding(coupon),
          },
        ]}
        empty={<EmptyState title="No data found">Create a coupon, and give its code to customers.</EmptyState>}
      />
      {creating && <CreateCoupon onClose={() => setCreating(false)} />}
      {open && <CouponUses coupon={open} onClose={() => setOpen(null)} />}
      {ending && (
        <ConfirmCall
          operation={endCoupon}
          input={{ params: { coupon_id: ending.id } }}
          title={`End ${ending.code}?`}
          confirm="End coupon"
          color="danger"
          done={`${ending.code} has ended`}
          onClose={() => setEnding(null)}
        >
          Nobody redeems it any more. What was redeemed stays, and a bonus that waits is given still.
        </ConfirmCall>
      )}
    </>
  )
}
