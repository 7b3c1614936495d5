import type { Tunnel } from '@masthead/contract/terminal/tunnel'
import { listTunnels, openTunnel, revokeTunnel } from '@masthead/contract/terminal/tunnel-operations'
import { Cable, ExternalLink, List, Plus, Unplug } from 'lucide-react'
import { useState } from 'react'
import { ActionButton, useDenied } from '../../kit/ActionButton.tsx'
import { ConfirmCall } from '../../kit/ConfirmCall.tsx'
import type { Filter } from '../../kit/filters.ts'
import { later } from '../../kit/later.tsx'
import { QueryTable } from '../../kit/QueryTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import type { MenuItem } from '../../ui/Menu.tsx'
import { RulesPanel } from './RulesPanel.tsx'
import { tunnelColumns } from './tunnel-columns.tsx'

const OpenTunnelForm = later(() => import('./OpenTunnelForm.tsx').then((file) => file.OpenTunnelForm))
const ConnectionsSheet = later(() => import('./ConnectionsSheet.tsx').then((file) => file.ConnectionsSheet))

const filters: Filter[] = [
  {
    key: 'state',
    label: 'State',
    multiple: true,
    options: [
      { value: 'open', label: 'Open' },
      { value: 'waiting', label: 'Waiting' },
      { value: 'ended', label: 'Ended' },
    ],
  },
]
/** Bytes come without an event. */
const again = (rows: readonly Tunnel[]) => (rows.some(({ state }) => state !== 'ended') ? 3000 : false)

type Doing = { what: 'open' } | { what: 'revoke' | 'connections'; tunnel: Tunnel }

/** Ports of ours that lead to ports of a device. */
export function TunnelsTab() {
  const [doing, setDoing] = useState<Doing | null>(null)
  const denied = useDenied()
  const close = () => setDoing(null)
  const first = { icon: Plus, operation: openTunnel, onClick: () => setDoing({ what: 'open' }) } as const
  const items = (tunnel: Tunnel): MenuItem[] => [
    ...(tunnel.url === null
      ? []
      : [
          {
            label: 'Open its web page',
            icon: ExternalLink,
            onSelect: () => void window.open(tunnel.url!, '_blank', 'noopener,noreferrer'),
          },
        ]),
    { label: 'Connections', icon: List, onSelect: () => setDoing({ what: 'connections', tunnel }) },
    {
      label: 'Revoke',
      icon: Unplug,
      danger: true,
      onSelect: () => setDoing({ what: 'revoke', tunnel }),
      disabled: tunnel.state === 'ended' ? 'It is over' : denied(revokeTunnel),
    },
  ]
  return (
    <div className="grid gap-4">
      <QueryTable
        operation={listTunnels}
        label="Tunnels"
        columns={tunnelColumns}
        rowId={({ id }) => id}
        rowName={({ asset_name, port }) => `the tunnel to port ${port} of ${asset_name}`}
        rowActions={items}
        filters={filters}
        remember="tunnels"
        again={again}
        live
        actions={
          <ActionButton {...first} color="primary-solid">
            New tunnel
          </ActionButton>
        }
        empty={
          <EmptyState icon={Cable} title="No data found" actions={<ActionButton {...first}>Open your first tunnel</ActionButton>}>
            A tunnel leads from a port of this server to one port of a device, for up to 24 hours and from addresses that you name.
          </EmptyState>
        }
      />
      <RulesPanel />
      {doing?.what === 'open' && <OpenTunnelForm onClose={close} />}
      {doing?.what === 'connections' && <ConnectionsSheet tunnel={doing.tunnel} onClose={close} />}
      {doing?.what === 'revoke' && (
        <ConfirmCall
          onClose={close}
          operation={revokeTunnel}
          input={{ params: { tunnel_id: doing.tunnel.id } }}
          title={`Revoke the tunnel to ${doing.tunnel.asset_name}?`}
          confirm="Revoke"
          color="danger"
          done="The tunnel is revoked"
        >
          {doing.tunnel.connections_now === 0
            ? 'Nobody reaches the device by it any more.'
            : doing.tunnel.connections_now === 1
              ? 'The connection that goes through it is cut within 2 seconds.'
              : `${doing.tunnel.connections_now} connections that go through it are cut within 2 seconds.`}
        </ConfirmCall>
      )}
    </div>
  )
}
