import { askSupport } from '@masthead/contract/backoffice/support-operations'
import { supportTimes } from '@masthead/contract/terminal/support'
import { useState } from 'react'
import { FormText } from '../../kit/FormField.tsx'
import { FormModal } from '../../kit/FormModal.tsx'
import { FormNumberSelect } from '../../kit/FormSelect.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { toast } from '../../ui/toast.ts'

const times = Object.entries(supportTimes).map(([value, label]) => ({ value, label }))

/** Asks a customer for the terminal of a device. */
export function AskForm({ device: first, onClose }: { device: string; onClose: () => void }) {
  const [device, setDevice] = useState(first)
  return (
    <FormModal
      open
      onClose={onClose}
      title="Ask for the terminal of a device"
      operation={askSupport}
      values={{ minutes: 60, reason: '' }}
      input={(body) => ({ params: { any_asset_id: device.trim() }, body })}
      submit="Ask the customer"
      refused={device.trim() === '' ? 'Enter which device' : null}
      explain={({ status, detail }) => (status === 404 ? 'No asset of any account has this id, serial number or ICCID.' : detail)}
      onDone={({ standing, account }) =>
        toast.success(standing ? 'Allowed at once, by the standing consent' : `Asked ${account.team_name.slice(0, 60)}`)
      }
    >
      <p className="text-fg-2 text-pretty">
        Everybody of the account who may open terminals is notified, and one of them allows or refuses it. Only you may then use it.
      </p>
      <TextField
        label="Device"
        hint="The id of the asset, its serial number or ICCID."
        value={device}
        onChange={({ target }) => setDevice(target.value)}
      />
      <FormNumberSelect name="minutes" label="For how long" options={times} />
      <FormText name="reason" label="Reason" hint="The customer reads it: what is wrong, the ticket, and what you will do." />
    </FormModal>
  )
}
