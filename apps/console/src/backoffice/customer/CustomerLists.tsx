import type { Asset } from '@masthead/contract/assets/asset'
import { assetTypes } from '@masthead/contract/assets/asset-types'
import { monthLimitOf } from '@masthead/contract/assets/month-limit'
import { listCustomerAssets } from '@masthead/contract/backoffice/account-operations'
import { listStaffLog } from '@masthead/contract/backoffice/staff-log-operations'
import { useState } from 'react'
import { LimitBar } from '../../kit/Bytes.tsx'
import { QueryTable } from '../../kit/QueryTable.tsx'
import { RelativeTime } from '../../kit/RelativeTime.tsx'
import { CopyText } from '../../ui/CopyText.tsx'
import { StatusDot } from '../../ui/StatusDot.tsx'
import { TwoLines, type Column } from '../../ui/Table.tsx'
import { TypeBadge } from '../../ui/TypeBadge.tsx'
import { CellLink } from '../../kit/CellLink.tsx'
import { logColumns } from '../log-columns.tsx'
import { LogEntrySheet } from '../LogEntrySheet.tsx'

const addressOf = ({ id }: Asset) => `/masa/assets/${id}`
const assetColumns: Column<Asset>[] = [
  {
    id: 'asset',
    header: 'Asset',
    fixed: true,
    list: 'title',
    shape: 'two',
    cell: (asset) => <TwoLines first={<CellLink to={addressOf(asset)}>{asset.name}</CellLink>} second={asset.serial} />,
  },
  { id: 'type', header: 'Type', width: 118, drop: 2, cell: ({ type }) => <TypeBadge type={type} label={assetTypes[type]} /> },
  { id: 'status', header: 'SIM status', width: 150, list: 'aside', cell: ({ sim }) => (sim ? <StatusDot status={sim.status} /> : '—') },
  { id: 'iccid', header: 'ICCID', width: 190, drop: 1, cell: ({ sim }) => <CopyText text={sim?.iccid} label="ICCID" /> },
  {
    id: 'usage',
    header: 'Usage this month',
    width: 148,
    numeric: true,
    list: 'below',
    shape: 'bar',
    cell: ({ sim }) => sim && <LimitBar used={sim.usage.period_bytes} limit={monthLimitOf(sim.usage)} />,
  },
  { id: 'seen', header: 'Last seen', width: 120, numeric: true, drop: 2, cell: ({ last_seen_at }) => <RelativeTime at={last_seen_at} /> },
]

/** The assets of a customer. */
export const CustomerAssets = ({ email }: { email: string }) => (
  <QueryTable
    operation={listCustomerAssets}
    input={{ params: { email } }}
    label="Assets of the customer"
    columns={assetColumns}
    rowId={(asset) => asset.id}
    rowName={(asset) => asset.name}
    rowHref={addressOf}
    search="Name, serial, ICCID, IMSI, IMEI"
  />
)

/** What staff did and looked at there. */
export function CustomerLog({ email }: { email: string }) {
  const [open, setOpen] = useState<string | null>(null)
  return (
    <>
      <QueryTable
        operation={listStaffLog}
        input={{ query: { account: email } }}
        label="Audit log of the account"
        columns={logColumns(setOpen).filter(({ id }) => id !== 'account')}
        rowId={(entry) => entry.id}
        prefix="log_"
        live
      />
      <LogEntrySheet id={open} onClose={() => setOpen(null)} />
    </>
  )
}
