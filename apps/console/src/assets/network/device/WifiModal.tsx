import type { Asset } from '@masthead/contract/assets/asset'
import { connectWifi } from '@masthead/contract/devices/network/operations'
import { FormCheckbox, FormText } from '../../../kit/FormField.tsx'
import { FormModal } from '../../../kit/FormModal.tsx'
import { FormSelect } from '../../../kit/FormSelect.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import type { WifiRow } from './wifi-words.ts'

const securities = [
  { value: 'wpa2', label: 'WPA2, or WPA2 and WPA3' },
  { value: 'wpa3', label: 'WPA3 alone' },
  { value: 'open', label: 'Open, without a password' },
]

/** A network that the device reported, or one that is named. */
export function WifiModal({ asset, network, onClose }: { asset: Asset; network: WifiRow | null; onClose: () => void }) {
  const security = network?.security === 'open' || network?.security === 'wpa3' ? network.security : 'wpa2'
  return (
    <FormModal
      open
      onClose={onClose}
      title={network ? `Connect ${asset.name} to ${network.ssid}` : `Connect ${asset.name} to a Wi-Fi network`}
      operation={connectWifi}
      values={{ ssid: network?.ssid ?? '', security, hidden: false }}
      input={(body) => ({ params: { asset_id: asset.id }, body })}
      submit="Connect"
    >
      {!network && (
        <>
          <FormText name="ssid" label="Name of the network" />
          <FormSelect name="security" label="Security" options={securities} />
          <FormCheckbox name="hidden">The network is hidden</FormCheckbox>
        </>
      )}
      {security === 'open' && network ? (
        <Notice tone="warn">The network is open: others can read what is not encrypted by itself.</Notice>
      ) : (
        <FormText
          name="password"
          label="Password"
          type="password"
          autoComplete="new-password"
          emptyIsNone
          hint="It is kept encrypted and never shown again."
        />
      )}
      <Notice tone="info">
        If the device does not reach this console within 90 seconds of the change, it goes back to what it had before by itself.
      </Notice>
    </FormModal>
  )
}
