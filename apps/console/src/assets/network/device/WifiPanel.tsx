import type { Asset } from '@masthead/contract/assets/asset'
import { connectWifi, forgetWifi, scanWifi } from '@masthead/contract/devices/network/operations'
import { isChanging, type Network } from '@masthead/contract/devices/network/view'
import { RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { useOperation } from '../../../api/query.ts'
import { ActionButton } from '../../../kit/ActionButton.tsx'
import { ConfirmCall } from '../../../kit/ConfirmCall.tsx'
import { later } from '../../../kit/later.tsx'
import { RelativeTime } from '../../../kit/RelativeTime.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { toast } from '../../../ui/toast.ts'
import { oneAtATime } from './network-words.ts'
import { wifiNote, wifiRows, type WifiRow } from './wifi-words.ts'

const WifiModal = later(() => import('./WifiModal.tsx').then((file) => file.WifiModal), null)

/** The Wi-Fi networks of a device: those that are set from here, and those that it reports in reach. */
export function WifiPanel({ asset, network }: { asset: Asset; network: Network }) {
  const [connecting, setConnecting] = useState<WifiRow | 'other' | null>(null)
  const [forgetting, setForgetting] = useState<string | null>(null)
  const scan = useOperation(scanWifi)
  const waits = isChanging(network) ? oneAtATime : null
  const { wifi } = network.reported ?? { wifi: null }
  const rows = wifiRows(network)
  if (!wifi && rows.length === 0)
    return (
      <Panel title="Wi-Fi">
        <p className="text-fg-3">The device has not reported a Wi-Fi interface.</p>
      </Panel>
    )
  return (
    <Panel
      flush
      title="Wi-Fi"
      note={
        wifi?.scanned_at ? (
          <>
            scanned <RelativeTime at={wifi.scanned_at} />
          </>
        ) : (
          'as the device knows it'
        )
      }
      end={
        <ActionButton
          operation={scanWifi}
          size="small"
          color="ghost"
          icon={RefreshCw}
          loading={scan.isPending}
          disabled={network.device?.online ? null : 'The device is offline'}
          onClick={() =>
            scan.mutate(
              { params: { asset_id: asset.id } },
              {
                onSuccess: () => toast.info('The device was asked to scan. What it finds is shown here'),
                onError: (failure) => toast.failure(failure),
              }
            )
          }
        >
          Scan
        </ActionButton>
      }
    >
      {rows.length === 0 && <p className="px-4 py-3 text-fg-3">No network is in reach.</p>}
      <ul className="divide-y divide-line" aria-label="Wi-Fi networks">
        {rows.map((row) => (
          <li key={row.ssid} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5">
            <span className="min-w-0 flex-1">
              <span className="font-medium wrap-anywhere">{row.ssid}</span>
              {row.in_use && <span className="text-fg-2"> in use</span>}
              <span className="block text-xs text-fg-3">{wifiNote(row)}</span>
            </span>
            {row.wanted ? (
              <ActionButton
                operation={forgetWifi}
                size="small"
                color="ghost"
                aria-label={`Forget ${row.ssid}`}
                disabled={waits}
                onClick={() => setForgetting(row.ssid)}
              >
                Forget
              </ActionButton>
            ) : (
              <ActionButton
                operation={connectWifi}
                size="small"
                aria-label={`Connect to ${row.ssid}`}
                disabled={row.refused ?? waits}
                onClick={() => setConnecting(row)}
              >
                Connect
              </ActionButton>
            )}
          </li>
        ))}
      </ul>
      <div className="border-t border-line px-4 py-2">
        <ActionButton
          operation={connectWifi}
          size="small"
          color="ghost"
          className="-ml-2.5"
          disabled={waits}
          onClick={() => setConnecting('other')}
        >
          Another network
        </ActionButton>
      </div>
      {connecting && <WifiModal asset={asset} network={connecting === 'other' ? null : connecting} onClose={() => setConnecting(null)} />}
      <ConfirmCall
        open={forgetting !== null}
        onClose={() => setForgetting(null)}
        operation={forgetWifi}
        input={{ params: { asset_id: asset.id }, body: { ssid: forgetting ?? '' } }}
        title={`Forget ${forgetting}?`}
        confirm="Forget"
        color="danger"
      >
        The device leaves this network. If it does not reach this console without it, it comes back to it by itself.
      </ConfirmCall>
    </Panel>
  )
}
