import {
  getSupportTerminal,
  leaveSupport,
  listStaffSupport,
  openSupportTerminal,
  askSupport,
  type StaffSupport,
} from '@masthead/contract/backoffice/support-operations'
import { LifeBuoy, Plus, Power, Router, Terminal, Users } from 'lucide-react'
import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { ActionButton, useDenied } from '../../kit/ActionButton.tsx'
import { ConfirmCall } from '../../kit/ConfirmCall.tsx'
import type { Filter } from '../../kit/filters.ts'
import { later } from '../../kit/later.tsx'
import { QueryTable } from '../../kit/QueryTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import type { MenuItem } from '../../ui/Menu.tsx'
import { BackofficeEnd } from '../StayMark.tsx'
import { staffSupportColumns } from './support-columns.tsx'

const AskForm = later(() => import('./AskForm.tsx').then((file) => file.AskForm))

const filters: Filter[] = [
  {
    key: 'state',
    label: 'State',
    multiple: true,
    options: [
      { value: 'asked', label: 'Asked' },
      { value: 'allowed', label: 'Allowed' },
      { value: 'over', label: 'Over' },
    ],
  },
]

/** Access of support to devices of customers: asked for, open, and over. */
export default function SupportScreen() {
  const [params, setParams] = useSearchParams()
  const [asking, setAsking] = useState(params.get('ask'))
  const [leaving, setLeaving] = useState<StaffSupport | null>(null)
  const items = useItems(setLeaving)
  const ask = { icon: Plus, operation: askSupport, onClick: () => setAsking('') } as const
  return (
    <>
      <BackofficeEnd>
        <ActionButton {...ask} color="primary-solid">
          Ask for access
        </ActionButton>
      </BackofficeEnd>
      <QueryTable
        operation={listStaffSupport}
        label="Support access"
        columns={staffSupportColumns}
        rowId={({ id }) => id}
        rowName={({ asset_name, staff }) => `the access of ${staff} to ${asset_name}`}
        rowActions={items}
        filters={filters}
        remember="remote-support"
        live
        empty={
          <EmptyState icon={LifeBuoy} title="No data found" actions={<ActionButton {...ask}>Ask for access</ActionButton>}>
            A terminal on a customer’s device is opened only while that customer allows it. What you ask, and who answered, is listed here.
          </EmptyState>
        }
      />
      {asking !== null && (
        <AskForm
          device={asking}
          onClose={() => {
            setAsking(null)
            if (params.has('ask')) setParams({}, { replace: true })
          }}
        />
      )}
      {leaving && (
        <ConfirmCall
          onClose={() => setLeaving(null)}
          operation={leaveSupport}
          input={{ params: { any_support_id: leaving.id } }}
          title={leaving.state === 'asked' ? 'Withdraw the request?' : `End the access to ${leaving.asset_name}?`}
          confirm={leaving.state === 'asked' ? 'Withdraw' : 'End access'}
          color="danger"
          done={leaving.state === 'asked' ? 'The request is withdrawn' : 'The access is over'}
        >
          {leaving.state === 'asked'
            ? `${leaving.account.team_name} is not asked any more.`
            : 'A terminal that is open by it is closed within 2 seconds.'}
        </ConfirmCall>
      )}
    </>
  )
}

function useItems(onLeave: (access: StaffSupport) => void) {
  const navigate = useNavigate()
  const denied = useDenied()
  return (access: StaffSupport): MenuItem[] => {
    const open = access.terminals.find(({ state }) => state === 'open' || state === 'connecting')
    const why =
      access.state === 'asked'
        ? 'The customer has not answered yet'
        : access.state === 'over'
          ? 'This access is over'
          : access.mine
            ? null
            : `The customer allowed this to ${access.staff} only`
    return [
      {
        label: open ? 'Back to the terminal' : 'Open terminal',
        icon: Terminal,
        onSelect: () => void navigate(`/alpon-remote-support/${access.id}/terminal${open ? `?session=${open.id}` : ''}`),
        disabled: denied(openSupportTerminal) ?? why,
      },
      ...(access.mine ? access.colleagues : []).map(({ terminal_id, staff }) => ({
        label: `Take part with ${staff}`,
        icon: Users,
        onSelect: () => void navigate(`/alpon-remote-support/${access.id}/terminal?session=${terminal_id}`),
        disabled: denied(getSupportTerminal),
      })),
      { label: 'Look at the device', icon: Router, onSelect: () => void navigate(`/masa/assets/${access.asset_id}/alpon`) },
      {
        label: access.state === 'asked' ? 'Withdraw' : 'End access',
        icon: Power,
        danger: true,
        onSelect: () => onLeave(access),
        disabled: access.state === 'over' ? 'This access is over' : denied(leaveSupport),
      },
    ]
  }
}
