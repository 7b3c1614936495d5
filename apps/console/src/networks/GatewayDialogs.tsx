import {
  addGateway,
  removeGateway,
  rotateGatewaySecret,
  updateGateway,
  type Gateway,
} from '@masthead/contract/backoffice/gateway-operations'
import { Controller } from 'react-hook-form'
import { useOperation } from '../api/query.ts'
import { FormModal } from '../kit/FormModal.tsx'
import { FormNumber, FormText } from '../kit/FormField.tsx'
import { Button } from '../ui/Button.tsx'
import { Checkbox } from '../ui/Checkbox.tsx'
import { Confirm } from '../ui/Confirm.tsx'
import { CopyButton } from '../ui/CopyButton.tsx'
import { Modal } from '../ui/Modal.tsx'
import { Notice } from '../ui/Notice.tsx'
import { toast } from '../ui/toast.ts'

export type GatewayDialog =
  | { show: 'add' }
  | { show: 'edit' | 'rotate' | 'switch' | 'remove'; gateway: Gateway }
  | { show: 'secret'; name: string; secret: string }

type Props = { dialog: GatewayDialog; onChange: (dialog: GatewayDialog | null) => void }

/** Everything that is done to a gateway. */
export function GatewayDialogs({ dialog, onChange }: Props) {
  const close = () => onChange(null)
  const show = ({ gateway, secret }: { gateway: Gateway; secret: string }) => onChange({ show: 'secret', name: gateway.name, secret })
  if (dialog.show === 'secret') return <Secret {...dialog} onClose={close} />
  if (dialog.show === 'add')
    return (
      <FormModal
        open
        onClose={close}
        title="Add a gateway"
        operation={addGateway}
        values={{ name: '', address: '', legacy: false, coa_port: 3799 }}
        submit="Add gateway"
        onDone={(made) => queueMicrotask(() => show(made))}
      >
        <Fields />
        <FormText name="secret" label="Shared secret" mono emptyIsNone hint="Empty: a new one is made. It is shown once." />
      </FormModal>
    )
  const { gateway } = dialog
  const { name, address, legacy, coa_port } = gateway
  const params = { gateway_id: gateway.id }
  if (dialog.show === 'edit')
    return (
      <FormModal
        open
        onClose={close}
        title={`Change ${name}`}
        operation={updateGateway}
        values={{ name, address, legacy, coa_port }}
        input={(body) => ({ params, body })}
        submit="Save"
        onDone={() => toast.success('The gateway is saved. Meters know it at once.')}
      >
        <Fields />
      </FormModal>
    )
  if (dialog.show === 'rotate')
    return (
      <FormModal
        open
        onClose={close}
        title={`New secret for ${name}`}
        operation={rotateGatewaySecret}
        values={{}}
        input={(body) => ({ params, body })}
        submit="Give it a new secret"
        color="danger"
        onDone={(made) => queueMicrotask(() => show(made))}
      >
        <p className="text-fg-2 text-pretty">
          From this moment its packets with the old secret are dropped in silence, until the gateway has the new one. A gateway sends again
          what was not answered.
        </p>
        <FormText name="secret" label="Shared secret" mono emptyIsNone hint="Empty: a new one is made. It is shown once." />
      </FormModal>
    )
  return dialog.show === 'switch' ? <Switching gateway={gateway} onClose={close} /> : <Removing gateway={gateway} onClose={close} />
}

const Fields = () => (
  <>
    <FormText name="name" label="Name" />
    <FormText name="address" label="Address it sends from" mono placeholder="192.0.2.10" />
    <FormNumber
      name="coa_port"
      label="Port for Disconnect-Requests"
      hint="Where it takes CoA, 3799 unless it says otherwise"
      decimals={0}
    />
    <Controller
      name="legacy"
      render={({ field }) => (
        <div className="grid gap-1">
          <Checkbox checked={field.value as boolean} onChange={({ target }) => field.onChange(target.checked)}>
            Legacy: requests may come without Message-Authenticator
          </Checkbox>
          {field.value === true && (
            <Notice tone="warn">
              Such requests can be forged by whoever is on the way (<span className="whitespace-nowrap">CVE-2024-3596</span>). Only for a
              gateway that cannot do otherwise.
            </Notice>
          )}
        </div>
      )}
    />
  </>
)

/** The only time that the secret can be read. */
const Secret = ({ name, secret, onClose }: { name: string; secret: string; onClose: () => void }) => (
  <Modal
    open
    onClose={onClose}
    title={`The secret of ${name}`}
    dismissable={false}
    footer={
      <Button color="primary-solid" onClick={onClose}>
        I have kept it
      </Button>
    }
  >
    <div className="grid gap-3">
      <p className="text-fg-2 text-pretty">Set it at the gateway now. It is not shown again; a lost one is replaced by a new one.</p>
      <div className="flex items-center gap-2 rounded-md border border-line bg-sunken px-3 py-2">
        <code className="mono min-w-0 flex-1 wrap-anywhere" data-testid="secret">
          {secret}
        </code>
        <CopyButton text={secret} label="Copy the secret" />
      </div>
    </div>
  </Modal>
)

const lost = (sessions: number) =>
  sessions === 0
    ? ' until it is on again'
    : `, and what its ${sessions === 1 ? 'open session uses' : `${sessions.toLocaleString('en')} open sessions use`} is not counted until it is on again`

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
      error={mutation.error?.detail ?? null}
      onConfirm={() => mutation.mutate({ params: { gateway_id: gateway.id }, body: { disabled: !on } }, { onSuccess: onClose })}
    >
      <p>
        {on
          ? 'Its packets are heard and answered again.'
          : `Its packets are dropped in silence from now on: no SIM comes on the network by it${lost(gateway.open_sessions)}.`}
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
      error={mutation.error?.detail ?? null}
      onConfirm={() => mutation.mutate({ params: { gateway_id: gateway.id } }, { onSuccess: onClose })}
    >
      <p>It has reported nothing, so nothing is lost.</p>
    </Confirm>
  )
}
