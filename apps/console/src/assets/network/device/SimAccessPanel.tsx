import type { Asset } from '@masthead/contract/assets/asset'
import { updateSimAccess } from '@masthead/contract/devices/network/operations'
import { isChanging, networkState, neverSet, type Network } from '@masthead/contract/devices/network/view'
import { useState, type ReactNode } from 'react'
import { ActionButton } from '../../../kit/ActionButton.tsx'
import { ConfirmCall } from '../../../kit/ConfirmCall.tsx'
import { later } from '../../../kit/later.tsx'
import { RelativeTime } from '../../../kit/RelativeTime.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { StatusDot } from '../../../ui/StatusDot.tsx'
import { oneAtATime, pinWords } from './network-words.ts'

const ApnModal = later(() => import('./SimAccessForms.tsx').then((file) => file.ApnModal), null)
const PinModal = later(() => import('./SimAccessForms.tsx').then((file) => file.PinModal), null)

type Opened = 'apn' | 'pin' | 'forget-apn' | 'forget-pin' | null

/** The APN of the device and the PIN of its SIM: on the left what is wanted, on the right what the device says. */
export function SimAccessPanel({ asset, network }: { asset: Asset; network: Network }) {
  const [opened, setOpened] = useState<Opened>(null)
  const close = () => setOpened(null)
  const { wanted, reported } = network
  const waits = isChanging(network) ? oneAtATime : null
  const pin = pinWords(network)
  const apn = wanted?.apn ?? null
  const differs = apn && reported?.apn && networkState(network) === 'applied' && reported.apn.name !== apn.name
  const button = (label: string, opens: Opened, words: string) => (
    <ActionButton
      operation={updateSimAccess}
      size="small"
      className="mt-1"
      aria-label={words}
      disabled={waits}
      onClick={() => setOpened(opens)}
    >
      {label}
    </ActionButton>
  )
  return (
    <Panel flush title="APN and PIN">
      <div className="grid grid-cols-[4.5rem_minmax(0,1fr)_minmax(0,1fr)] gap-x-3 px-4 py-2 text-xs text-fg-3" aria-hidden>
        <span />
        <span>Wanted</span>
        <span>Reported by the device</span>
      </div>
      <dl className="divide-y divide-line border-t border-line">
        <Pair
          label="APN"
          wanted={
            <>
              {apn ? <span className="mono wrap-anywhere">{apn.name}</span> : <span className="text-fg-3">as the device has it</span>}
              {apn && (apn.user || apn.has_password) && (
                <span className="block text-xs wrap-anywhere text-fg-3">
                  {[apn.user && `user ${apn.user}`, apn.has_password && 'with a password'].filter(Boolean).join(', ')}
                </span>
              )}
              <span className="flex flex-wrap gap-x-3">
                {button(apn ? 'Change' : 'Set', 'apn', apn ? 'Change the APN' : 'Set an APN')}
                {apn && button('Leave it', 'forget-apn', 'Leave it: the APN as the device has it')}
              </span>
            </>
          }
          reported={
            reported?.apn ? (
              <>
                <span className="mono wrap-anywhere">{reported.apn.name ?? 'none'}</span>
                <span className="block text-xs wrap-anywhere text-fg-3">
                  {[reported.apn.user && `user ${reported.apn.user}`, reported.apn.has_password && 'with a password']
                    .filter(Boolean)
                    .join(', ') || 'no user'}
                </span>
                {differs && <span className="block text-xs text-warn-fg">Not the one that is wanted</span>}
              </>
            ) : (
              <span className="text-fg-3">no cellular connection reported</span>
            )
          }
        />
        <Pair
          label="SIM PIN"
          wanted={
            <>
              {wanted?.pin_generation ? 'Set, never shown again' : <span className="text-fg-3">none</span>}
              <span className="flex flex-wrap gap-x-3">
                {button(
                  wanted?.pin_generation ? 'Replace' : 'Set',
                  'pin',
                  wanted?.pin_generation ? 'Replace the SIM PIN' : 'Set a SIM PIN'
                )}
                {wanted?.pin_generation && button('Forget', 'forget-pin', 'Forget the SIM PIN')}
              </span>
            </>
          }
          reported={
            <>
              <StatusDot status={pin.status} label={pin.label} className="whitespace-normal!" />
              {pin.note && <span className="block text-xs text-pretty text-fg-3">{pin.note}</span>}
            </>
          }
        />
      </dl>
      {wanted && wanted.generation !== neverSet && (
        <p className="border-t border-line px-4 py-2.5 text-xs text-fg-3">
          Network settings were changed <RelativeTime at={wanted.changed_at} /> by {wanted.changed_by}.
        </p>
      )}
      {opened === 'apn' && <ApnModal asset={asset} apn={apn} onClose={close} />}
      {opened === 'pin' && <PinModal asset={asset} onClose={close} />}
      <ConfirmCall
        open={opened === 'forget-apn'}
        onClose={close}
        operation={updateSimAccess}
        input={{ params: { asset_id: asset.id }, body: { apn: null } }}
        title="Leave the APN to the device?"
        confirm="Leave it"
      >
        The device keeps the APN that it has now. It is not watched any more.
      </ConfirmCall>
      <ConfirmCall
        open={opened === 'forget-pin'}
        onClose={close}
        operation={updateSimAccess}
        input={{ params: { asset_id: asset.id }, body: { pin: null } }}
        title="Forget the SIM PIN?"
        confirm="Forget"
        color="danger"
      >
        After the next restart the SIM stays locked, if it asks for a PIN.
      </ConfirmCall>
    </Panel>
  )
}

const Pair = ({ label, wanted, reported }: { label: string; wanted: ReactNode; reported: ReactNode }) => (
  <div className="grid grid-cols-[4.5rem_minmax(0,1fr)_minmax(0,1fr)] gap-x-3 px-4 py-2.5">
    <dt className="font-medium">{label}</dt>
    <dd className="min-w-0">
      <span className="sr-only">Wanted: </span>
      {wanted}
    </dd>
    <dd className="min-w-0">
      <span className="sr-only">Reported by the device: </span>
      {reported}
    </dd>
  </div>
)
