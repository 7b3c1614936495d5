import { useQuery } from '@tanstack/react-query'
import { assetTypes } from '@masthead/contract/assets/asset-types'
import { listAssets } from '@masthead/contract/assets/operations'
import { deviceKindOf } from '@masthead/contract/devices/device-kind'
import { tunnelTimes } from '@masthead/contract/terminal/tunnel'
import { getTunnelRules, openTunnel } from '@masthead/contract/terminal/tunnel-operations'
import { useState } from 'react'
import { useFormState } from 'react-hook-form'
import { q } from '../../api/query.ts'
import { FormCheckbox, FormNumber, FormText } from '../../kit/FormField.tsx'
import { FormLines } from '../../kit/FormLines.tsx'
import { FormModal } from '../../kit/FormModal.tsx'
import { FormNumberSelect } from '../../kit/FormSelect.tsx'
import { FailureWords } from '../../ui/FailureNotice.tsx'
import { Select } from '../../ui/Select.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { toast } from '../../ui/toast.ts'

const most = 100
const withAgent = (Object.keys(assetTypes) as (keyof typeof assetTypes)[]).filter((type) => deviceKindOf(type) === 'agent')
const times = Object.entries(tunnelTimes).map(([value, label]) => ({ value, label }))

const noSuchDevice = 'This account has no device with this id, serial number or ICCID.'

/** Opens a tunnel: to which port of which device, from where, for how long. */
export function OpenTunnelForm({ onClose }: { onClose: () => void }) {
  const { data: rules } = useQuery(q(getTunnelRules, {}))
  const [asset, setAsset] = useState<string | null>(null)
  return (
    <FormModal
      open
      onClose={onClose}
      title="Open a tunnel"
      operation={openTunnel}
      values={{ port: 22, address: null, tls: false, encrypted: false, sources: [], minutes: 60 }}
      input={(body) => ({ params: { asset_id: asset || '-' }, body })}
      submit="Open tunnel"
      explain={({ status, detail }) => (status === 404 ? (asset ? noSuchDevice : 'No device is chosen.') : detail)}
      onDone={({ asset_name }) => toast.success(`Opening a tunnel to ${asset_name.slice(0, 60)}`)}
    >
      <DeviceField asset={asset} onChange={setAsset} />
      <FormNumber name="port" label="Port on the device" decimals={0} min={1} max={65_535} />
      <div className="grid gap-1">
        <FormCheckbox name="tls">The port speaks HTTPS</FormCheckbox>
        <p className="text-xs text-fg-3">
          Where this server has names for tunnels, the web page is asked for by HTTPS then, and its own certificate is not checked. At the
          port of the tunnel it shows its own certificate, which browsers do not know.
        </p>
      </div>
      {rules?.certificate && (
        <div className="grid gap-1">
          <FormCheckbox name="encrypted">Our port speaks TLS</FormCheckbox>
          <p className="text-xs text-fg-3">
            With the certificate of this server. For clients that speak TLS themselves, as browsers, to a port of the device that does not;
            SSH and HTTPS of the device go through a port without it.
          </p>
        </div>
      )}
      {rules?.beside && (
        <FormText name="address" emptyIsNull label="Address beside the device" hint="Leave it empty for the device itself." />
      )}
      <FormLines
        name="sources"
        label="From these addresses"
        hint="One range a line, like 203.0.113.0/24. Connections from elsewhere are refused."
      />
      <FormNumberSelect name="minutes" label="For how long" options={times} />
    </FormModal>
  )
}

/** It is in the address of the call and no field of its body: what is missing is marked here, at once with what is wrong in the other fields. */
function DeviceField({ asset, onChange }: { asset: string | null; onChange: (asset: string | null) => void }) {
  const { data, error } = useQuery(q(listAssets, { query: { type: withAgent, page_size: most, sort: 'name' } }))
  const { submitCount } = useFormState()
  const missing = submitCount > 0 && !asset && 'Choose the device that it leads to'
  if (data && data.total > most)
    return (
      <TextField
        label="Device"
        hint="The id of the asset, its serial number or ICCID."
        value={asset ?? ''}
        error={missing}
        onChange={({ target }) => onChange(target.value.trim())}
      />
    )
  return (
    <Select
      label="Device"
      options={(data?.items ?? []).map(({ id, name }) => ({ value: id, label: name }))}
      value={asset}
      onChange={onChange}
      placeholder="Choose a device"
      search
      error={
        error ? (
          <>
            The devices could not be loaded. <FailureWords of={error} />
          </>
        ) : (
          missing
        )
      }
      {...(data?.total === 0 && { hint: 'No asset of this account is a device with our agent: tunnels lead to those alone.' })}
    />
  )
}
