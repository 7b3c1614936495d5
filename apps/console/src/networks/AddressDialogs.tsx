import {
  addGatewayAddress,
  removeGatewayAddress,
  rotateGatewaySecret,
  updateGatewayAddress,
  type Gateway,
  type GatewayAddress,
} from '@masthead/contract/backoffice/gateway-operations'
import { Controller } from 'react-hook-form'
import { useOperation } from '../api/query.ts'
import { FormModal } from '../kit/FormModal.tsx'
import { FormNumber, FormText } from '../kit/FormField.tsx'
import { Checkbox } from '../ui/Checkbox.tsx'
import { Confirm } from '../ui/Confirm.tsx'
import { Notice } from '../ui/Notice.tsx'
import { toast } from '../ui/toast.ts'

/** Where a gateway sends from, and what is special about it there. */
export const AddressFields = () => (
  <>
    <FormText name="address" label="Source IP address" mono placeholder="192.0.2.10" />
    <FormNumber
      name="coa_port"
      label="Port for Disconnect-Requests"
      hint="Where the gateway receives them (CoA). The default is 3799."
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
              Such requests can be forged by anybody on the network path (<span className="whitespace-nowrap">CVE-2024-3596</span>). Use
              this only for a gateway that cannot send it.
            </Notice>
          )}
        </div>
      )}
    />
  </>
)

export const SecretField = () => (
  <FormText name="secret" label="Shared secret" mono emptyIsNone hint="Leave it empty to create one. It is shown once." />
)

type Of = { gateway: Gateway; onClose: () => void }
type OfAddress = Of & { at: GatewayAddress }
type Made = { onMade: (made: { gateway: Gateway; secret: string }) => void }
const paramsOf = (gateway: Gateway, at: GatewayAddress) => ({ gateway_id: gateway.id, address_id: at.id })

export const AddAddress = ({ gateway, onClose, onMade }: Of & Made) => (
  <FormModal
    open
    onClose={onClose}
    title={`Add an address to ${gateway.name}`}
    operation={addGatewayAddress}
    values={{ address: '', legacy: false, coa_port: 3799 }}
    input={(body) => ({ params: { gateway_id: gateway.id }, body })}
    submit="Add address"
    onDone={onMade}
  >
    <p className="text-fg-2 text-pretty">
      For the other node of a redundant pair, or a proxy in front of it. Packets from any address of a gateway belong to the same sessions.
    </p>
    <p className="text-fg-2 text-pretty">
      If it takes the place of an address that no longer sends, change that one instead. What a session used before a new address was added
      is not counted but waits in quarantine, unless another address reported the session.
    </p>
    <AddressFields />
    <SecretField />
  </FormModal>
)

export const ChangeAddress = ({ gateway, at, onClose }: OfAddress) => (
  <FormModal
    open
    onClose={onClose}
    title={`Change ${at.address}`}
    operation={updateGatewayAddress}
    values={{ address: at.address, legacy: at.legacy, coa_port: at.coa_port }}
    input={(body) => ({ params: paramsOf(gateway, at), body })}
    submit="Save"
    onDone={() => toast.success('The address is saved and applies at once.')}
  >
    <AddressFields />
  </FormModal>
)

export const NewSecret = ({ gateway, at, onClose, onMade }: OfAddress & Made) => (
  <FormModal
    open
    onClose={onClose}
    title={`New secret for ${gateway.name}`}
    operation={rotateGatewaySecret}
    values={{}}
    input={(body) => ({ params: paramsOf(gateway, at), body })}
    submit="Create new secret"
    color="danger"
    onDone={onMade}
  >
    <p className="text-fg-2 text-pretty">
      From this moment packets from {at.address} with the old secret are dropped without an answer until the gateway has the new one. A
      gateway sends unanswered packets again.
    </p>
    <SecretField />
  </FormModal>
)

export function RemoveAddress({ gateway, at, onClose }: OfAddress) {
  const mutation = useOperation(removeGatewayAddress)
  return (
    <Confirm
      open
      onClose={onClose}
      title={`Remove ${at.address}?`}
      confirm="Remove"
      color="danger"
      loading={mutation.isPending}
      failure={mutation.error}
      onConfirm={() => mutation.mutate({ params: paramsOf(gateway, at) }, { onSuccess: onClose })}
    >
      <p>
        What {gateway.name} sends from there is dropped without an answer from now on. Its sessions continue by its other addresses. The
        secret is deleted.
      </p>
    </Confirm>
  )
}
