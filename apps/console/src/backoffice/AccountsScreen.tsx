import { listAccounts, type Customer } from '@masthead/contract/backoffice/account-operations'
import { QueryTable } from '../kit/QueryTable.tsx'
import type { Filter } from '../kit/filters.ts'
import { RelativeTime } from '../kit/RelativeTime.tsx'
import { StatusDot } from '../ui/StatusDot.tsx'
import { TwoLines, type Column } from '../ui/Table.tsx'
import { CellLink } from '../kit/CellLink.tsx'
import { BackofficeEnd } from './StayMark.tsx'

const addressOf = ({ email }: Customer) => `/masa/accounts/${encodeURIComponent(email)}`

const columns: Column<Customer>[] = [
  {
    id: 'team',
    header: 'Team',
    sort: 'team_name',
    fixed: true,
    list: 'title',
    shape: 'two',
    cell: (row) => <TwoLines first={<CellLink to={addressOf(row)}>{row.team_name}</CellLink>} second={row.email} />,
  },
  {
    id: 'state',
    header: 'State',
    width: 220,
    list: 'aside',
    shape: 'two',
    cell: ({ suspended_at, suspended_reason }) =>
      suspended_at ? (
        <TwoLines first={<StatusDot status="blocked" label="Suspended" />} second={suspended_reason} />
      ) : (
        <StatusDot status="active" label="In service" />
      ),
  },
  { id: 'assets', header: 'Assets', width: 100, numeric: true, cell: ({ assets }) => assets.toLocaleString('en') },
  { id: 'members', header: 'Members', width: 100, numeric: true, drop: 1, cell: ({ members }) => members.toLocaleString('en') },
  {
    id: 'created',
    header: 'Created',
    width: 130,
    sort: 'created_at',
    descendingFirst: true,
    numeric: true,
    drop: 2,
    cell: ({ created_at }) => <RelativeTime at={created_at} />,
  },
]
const filters: Filter[] = [
  {
    key: 'suspended',
    label: 'State',
    options: [
      { value: 'true', label: 'Suspended' },
      { value: 'false', label: 'In service' },
    ],
  },
]

/** Every account. */
export default function AccountsScreen() {
  return (
    <>
      <BackofficeEnd />
      <QueryTable
        operation={listAccounts}
        label="Accounts"
        columns={columns}
        rowId={(row) => row.id}
        rowName={(row) => row.team_name}
        rowHref={addressOf}
        filters={filters}
        search="Team or e-mail"
        defaultSort="team_name"
        remember="masa-accounts"
      />
    </>
  )
}
