import { supportTimes, type SupportAccess } from '@masthead/contract/terminal/support'
import { allowSupport, refuseSupport } from '@masthead/contract/terminal/support-operations'
import { FormText } from '../../kit/FormField.tsx'
import { FormModal } from '../../kit/FormModal.tsx'
import { FormNumberSelect } from '../../kit/FormSelect.tsx'
import { toast } from '../../ui/toast.ts'

const times = Object.entries(supportTimes).map(([value, label]) => ({ value, label }))

/** Lets support in: for how long. */
export function AllowForm({ access, onClose }: { access: SupportAccess; onClose: () => void }) {
  return (
    <FormModal
      open
      onClose={onClose}
      title={`Allow ${access.staff} to use ${access.asset_name}?`}
      operation={allowSupport}
      values={{ minutes: access.minutes }}
      input={(body) => ({ params: { support_id: access.id }, body })}
      submit="Allow"
      color="success"
      onDone={() => toast.success('Support may use the terminal now')}
    >
      <p className="text-fg-2 text-pretty wrap-anywhere">“{access.reason}”</p>
      <p className="text-fg-2 text-pretty">
        They open a terminal on this one device. It is recorded, you may watch along, and you can end it at any moment: it stops within 2
        seconds.
      </p>
      <FormNumberSelect name="minutes" label="For how long" options={times} />
    </FormModal>
  )
}

export function RefuseForm({ access, onClose }: { access: SupportAccess; onClose: () => void }) {
  return (
    <FormModal
      open
      onClose={onClose}
      title={`Refuse ${access.staff} the terminal of ${access.asset_name}?`}
      operation={refuseSupport}
      values={{ words: '' }}
      input={(body) => ({ params: { support_id: access.id }, body })}
      submit="Refuse"
      color="danger"
      onDone={() => toast.success('Refused')}
    >
      <p className="text-fg-2 text-pretty wrap-anywhere">“{access.reason}”</p>
      <FormText name="words" label="What you say to them" hint="Support reads it. You may leave it empty." />
    </FormModal>
  )
}
