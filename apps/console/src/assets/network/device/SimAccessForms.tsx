import type { Asset } from '@masthead/contract/assets/asset'
import { updateSimAccess } from '@masthead/contract/devices/network/operations'
import type { Network } from '@masthead/contract/devices/network/view'
import { FormText } from '../../../kit/FormField.tsx'
import { FormModal } from '../../../kit/FormModal.tsx'
import { Notice } from '../../../ui/Notice.tsx'

type Apn = NonNullable<Network['wanted']>['apn']

export function ApnModal({ asset, apn, onClose }: { asset: Asset; apn: Apn; onClose: () => void }) {
  return (
    <FormModal
      open
      onClose={onClose}
      title={`APN of ${asset.name}`}
      operation={updateSimAccess}
      values={{ apn: apn?.name ?? '', user: apn?.user ?? '' }}
      input={(body) => ({
        params: { asset_id: asset.id },
        // An APN without a user has no password either.
        body: body.user === null && body.password === undefined ? { ...body, password: null } : body,
      })}
      submit="Send APN"
    >
      <FormText name="apn" label="APN" mono />
      <FormText name="user" label="User" emptyIsNull hint="Empty: none" />
      <FormText
        name="password"
        label="Password"
        type="password"
        autoComplete="new-password"
        emptyIsNone
        hint={apn?.has_password ? 'Empty: the one that is set stays. It is never shown.' : 'It is kept encrypted and never shown again.'}
      />
      <Notice tone="info">
        The modem connects anew with it. If the device does not reach this console within 90 seconds, it puts the previous APN back by
        itself.
      </Notice>
    </FormModal>
  )
}

export function PinModal({ asset, onClose }: { asset: Asset; onClose: () => void }) {
  return (
    <FormModal
      open
      onClose={onClose}
      title={`SIM PIN of ${asset.name}`}
      operation={updateSimAccess}
      values={{}}
      input={({ pin }) => ({ params: { asset_id: asset.id }, body: { pin } })}
      submit="Send PIN"
    >
      <FormText
        name="pin"
        label="PIN"
        type="password"
        inputMode="numeric"
        autoComplete="new-password"
        emptyIsNone
        hint="4 to 8 digits. It is kept encrypted and never shown again."
      />
      <Notice tone="warn">
        The device gives it to the SIM once, when the SIM asks for one. After three wrong ones the SIM asks for its PUK, so the last try is
        never used.
      </Notice>
    </FormModal>
  )
}
