import type { Asset } from '@masthead/contract/assets/asset'
import { updateAccessCode } from '@masthead/contract/terminal/access-code-operations'
import { FormPassword } from '../../kit/FormField.tsx'
import { FormModal } from '../../kit/FormModal.tsx'
import { toast } from '../../ui/toast.ts'

/** Sets the code of a device, or another one. */
export function AccessCodeForm({ asset, onClose }: { asset: Asset; onClose: () => void }) {
  return (
    <FormModal
      open
      onClose={onClose}
      title={`Access code of ${asset.name}`}
      operation={updateAccessCode}
      values={{ code: '' }}
      input={(body) => ({ params: { asset_id: asset.id }, body })}
      submit="Set code"
      onDone={() => toast.success('The terminal asks for the code now')}
    >
      <FormPassword
        name="code"
        label="Code"
        autoComplete="new-password"
        hint="At least 6 characters. Nobody can look it up later, you neither: keep it where those who need it find it."
      />
    </FormModal>
  )
}
