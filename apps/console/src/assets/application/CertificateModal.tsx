import type { Asset } from '@masthead/contract/assets/asset'
import { setCertificate } from '@masthead/contract/devices/agent/operations'
import { useFormContext } from 'react-hook-form'
import { useError } from '../../kit/FormField.tsx'
import { FormModal } from '../../kit/FormModal.tsx'
import { TextArea } from '../../ui/TextArea.tsx'

/** Gives the device of an asset a certificate to sign in with. */
export const CertificateModal = ({ asset, onClose }: { asset: Asset; onClose: () => void }) => (
  <FormModal
    open
    onClose={onClose}
    title={`The certificate that ${asset.name} signs in with`}
    operation={setCertificate}
    values={{ certificate: '' }}
    input={(body) => ({ params: { asset_id: asset.id }, body })}
    submit="Set certificate"
  >
    <Certificate />
    <p className="text-fg-2">
      It takes the place of the one that the device may have: a connection that was opened with that one ends. Its token stays good, and an
      agent that has no files of a certificate, or knows of none, goes on with it.
    </p>
  </FormModal>
)

const Certificate = () => (
  <TextArea
    {...useFormContext().register('certificate')}
    label="Certificate"
    hint="As text, from “-----BEGIN CERTIFICATE-----” on, without its key. The agent has both in the files that it was set up with."
    mono
    rows={8}
    spellCheck={false}
    error={useError('certificate')}
  />
)
