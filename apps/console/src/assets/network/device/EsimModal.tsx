import type { Asset } from '@masthead/contract/assets/asset'
import { addEsimProfile } from '@masthead/contract/devices/network/operations'
import { FormText } from '../../../kit/FormField.tsx'
import { FormModal } from '../../../kit/FormModal.tsx'

export const EsimModal = ({ asset, onClose }: { asset: Asset; onClose: () => void }) => (
  <FormModal
    open
    onClose={onClose}
    title={`Add a profile to the eSIM of ${asset.name}`}
    operation={addEsimProfile}
    values={{ act_code: '' }}
    input={(body) => ({ params: { asset_id: asset.id }, body })}
    submit="Add profile"
  >
    <FormText
      name="act_code"
      label="Activation code"
      mono
      hint="What the QR code of the operator says, like LPA:1$smdp.example.com$ABC-123. It is never shown again."
    />
    <FormText name="confirmation_code" label="Confirmation code" emptyIsNone hint="Where the operator asks for one" />
    <FormText name="name" label="Name" emptyIsNone hint="What it is called in the list of profiles" />
    <FormText name="apn" label="APN" mono emptyIsNone hint="It is set when the device is switched to this profile" />
  </FormModal>
)
