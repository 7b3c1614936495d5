import {
  addGateway,
  removeGateway,
  updateGateway,
  type Gateway,
  type GatewayAddress,
} from '@masthead/contract/backoffice/gateway-operations'
import { useOperation } from '../api/query.ts'
import { FormModal } from '../kit/FormModal.tsx'
import { SecretModal } from '../kit/SecretModal.tsx'
import { FormText } from '../kit/FormField.tsx'
import { Confirm } from '../ui/Confirm.tsx'
import { toast } from '../ui/toast.ts'
import { AddAddress, AddressFields, ChangeAddress, NewSecret, RemoveAddress, SecretField } from './AddressDialogs.tsx'
import { JoinGateways } from './JoinGateways.tsx'

export type GatewayDialog =
  | { show: 'add'; address?: string }
  | { show: 'rename' | 'switch' | 'remove' | 'add-address'; gateway: Gateway }
  | { show: 'join'; gateway: Gateway; others: readonly Gateway[] }
  | { show: 'change-address' | 'rotate' | 'remove-address'; gateway: Gateway; at: GatewayAddress }
  | { show: 'secret'; name: string; secret: string }

type Props = { dialog: GatewayDialog; onChange: (dialog: GatewayDialog | null) => void }

/** Everything that is done to a gateway and its addresses. */
export function GatewayDialogs({ dialog, onChange }: Props) {
  const onClose = () => onChange(null)
  const onMade = ({ gateway, secret }: { gateway: Gateway; secret: string }) =>
    queueMicrotask(() => onChange({ show: 'secret', name: gateway.name, secret }))
  switch (dialog.show) {
    case 'secret':
      return <Secret {...dialog} onClose={onClose} />
    case 'add':
      return <Adding address={dialog.address} onClose={onClose} onMade={onMade} />
    case 'join':
      return <JoinGateways {...dialog} onClose={onClose} />
    case 'rename':
      return <Renaming gateway={dialog.gateway} onClose={onClose} />
    case 'switch':
      return <Switching gateway={dialog.gateway} onClose={onClose} />
    case 'remove':
      return <Removing gateway={dialog.gateway} onClose={onClose} />
    case 'add-address':
      return <AddAddress gateway={dialog.gateway} onClose={onClose} onMade={onMade} />
    case 'change-address':
      return <ChangeAddress {...dialog} onClose={onClose} />
    case 'rotate':
      return <NewSecret {...dialog} onClose={onClose} onMade={onMade} />
    case 'remove-address':
      return <RemoveAddress {...dialog} onClose={onClose} />
  }
}

type AddingProps = { address: string | undefined; onClose: () => void; onMade: (made: { gateway: Gateway; secret: string }) => void }

const Adding = ({ address = '', onClose, onMade }: AddingProps) => (
  <FormModal
    open
    onClose={onClose}
    title="Add a gateway"
    operation={addGateway}
    values={{ name: '', address, legacy: false, coa_port: 3799 }}
    submit="Add gateway"
    onDone={onMade}
  >
    <FormText name="name" label="Name" />
    <AddressFields />
    <SecretField />
  </FormModal>
)

const Renaming = ({ gateway, onClose }: { gateway: Gateway; onClose: () => void }) => (
  <FormModal
    open
    onClose={onClose}
    title={`Rename ${gateway.name}`}
    operation={updateGateway}
    values={{ name: gateway.name }}
    input={(body) => ({ params: { gateway_id: gateway.id }, body })}
    submit="Rename"
    onDone={() => toast.success('The gateway is renamed')}
  >
    <FormText name="name" label="Name" />
  </FormModal>
)

const Secret = ({ name, secret, onClose }: { name: string; secret: string; onClose: () => void }) => (
  <SecretModal what="secret" name={name} secret={secret} onClose={onClose}>
    Set it on the gateway now, because it is not shown again.
  </SecretModal>
)

const lost = (sessions: number) =>
  sessions === 0
    ? ' until it is switched on again'
    : `, and what its ${sessions === 1 ? 'open session uses' : `${sessions.toLocaleString('en')} open sessions use`} is not counted until it is switched on again`

function Switching({ gateway, onClose }: { gateway: Gateway; onClose: () => void }) {
  const mutation = useOperation(updateGateway)
  const on = gateway.state === 'disabled'
  return (
    <Confirm
      open
      onClose={onClose}
      title={on ? `Switch ${gateway.name} on?` : `Switch ${gateway.name} off?`}
      confirm={on ? 'Switch on' : 'Switch off'}
      color={on ? 'success' : 'danger'}
      loading={mutation.isPending}
      failure={mutation.error}
      onConfirm={() => mutation.mutate({ params: { gateway_id: gateway.id }, body: { disabled: !on } }, { onSuccess: onClose })}
    >
      <p>
        {on
          ? 'Its packets are accepted and answered again.'
          : `Its packets are dropped without an answer from now on: no SIM can connect through it${lost(gateway.open_sessions)}.`}
      </p>
    </Confirm>
  )
}

function Removing({ gateway, onClose }: { gateway: Gateway; onClose: () => void }) {
  const mutation = useOperation(removeGateway)
  return (
    <Confirm
      open
      onClose={onClose}
      title={`Remove ${gateway.name}?`}
      confirm="Remove"
      color="danger"
      loading={mutation.isPending}
      failure={mutation.error}
      onConfirm={() => mutation.mutate({ params: { gateway_id: gateway.id } }, { onSuccess: onClose })}
    >
      <p>It has reported nothing, so nothing is lost.</p>
    </Confirm>
  )
}
