import type { SigningKey } from '@masthead/contract/registry/signature'
import { addSigningKey, renameSigningKey } from '@masthead/contract/registry/signing-operations'
import { useFormContext } from 'react-hook-form'
import { FormText, useError } from '../../kit/FormField.tsx'
import { FormModal } from '../../kit/FormModal.tsx'
import { TextArea } from '../../ui/TextArea.tsx'
import { toast } from '../../ui/toast.ts'

export const AddKeyForm = ({ onClose }: { onClose: () => void }) => (
  <FormModal
    open
    onClose={onClose}
    title="Add signing key"
    operation={addSigningKey}
    values={{ name: '', public_key: '' }}
    submit="Add signing key"
    onDone={({ name }) => toast.success(`Signatures of ${name} are trusted now`)}
  >
    <FormText name="name" label="Name" hint="Whose key it is: “ci-key”" />
    <PublicKey />
  </FormModal>
)

function PublicKey() {
  return (
    <TextArea
      label="Public key"
      hint="In PEM: ECDSA P-256, Ed25519, or RSA with 2048 bits or more. The private key stays with you."
      mono
      rows={6}
      spellCheck={false}
      placeholder={'-----BEGIN PUBLIC KEY-----\n…\n-----END PUBLIC KEY-----'}
      error={useError('public_key')}
      {...useFormContext().register('public_key')}
    />
  )
}

export const RenameKeyForm = ({ signingKey: { id, name }, onClose }: { signingKey: SigningKey; onClose: () => void }) => (
  <FormModal
    open
    onClose={onClose}
    title={`Rename ${name}`}
    operation={renameSigningKey}
    values={{ name }}
    input={(body) => ({ params: { signing_key_id: id }, body })}
    submit="Rename"
    onDone={(key) => toast.success(`The key is called ${key.name} now`)}
  >
    <FormText name="name" label="Name" />
  </FormModal>
)
