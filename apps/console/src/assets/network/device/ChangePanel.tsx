import type { Asset } from '@masthead/contract/assets/asset'
import type { NetworkChange } from '@masthead/contract/devices/network/reported'
import { retryNetwork } from '@masthead/contract/devices/network/operations'
import { networkState, type Network, type NetworkState } from '@masthead/contract/devices/network/view'
import { RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { useOperation } from '../../../api/query.ts'
import { ActionButton } from '../../../kit/ActionButton.tsx'
import { useClock } from '../../../kit/clock.ts'
import { RelativeTime } from '../../../kit/RelativeTime.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { Stepper, type Step } from '../../../ui/Stepper.tsx'
import { plain, toast } from '../../../ui/toast.ts'

/** How far the device is with what is wanted, by its own words. */
export function ChangePanel({ asset, network, online }: { asset: Asset; network: Network; online: boolean }) {
  const state = networkState(network)
  const { wanted, reported } = network
  const change = reported?.change ?? null
  if (state === 'none') return null
  if (state === 'applied')
    return (
      <Notice tone={change!.words ? 'info' : 'ok'}>
        The device has set what is wanted <RelativeTime at={change!.ended_at} />, and reached this console with it.
        {change!.words && <span className="block text-xs text-fg-2">{change!.words}.</span>}
      </Notice>
    )
  if (state === 'undone' || state === 'failed') return <Ended asset={asset} change={change!} state={state} />
  return (
    <Panel title={titles[state]}>
      <div className="grid gap-4">
        {state === 'pending' && (
          <p className="text-pretty text-fg-2">
            {online
              ? 'The device was notified that its network is to change, and has not fetched the settings yet.'
              : 'It waits until the device is connected.'}
          </p>
        )}
        {state === 'sent' && <p className="text-pretty text-fg-2">The device asked for it, and has not said yet what became of it.</p>}
        {(state === 'trial' || state === 'applying') && <Trial key={reported!.at} change={change!} at={reported!.at} />}
        <Stepper label="The change of the network" steps={stepsOf(state, wanted!.sent_at)} />
      </div>
    </Panel>
  )
}

const titles = {
  pending: 'Waits for the device',
  sent: 'The device has it',
  applying: 'The device sets it up',
  trial: 'On trial: the device undoes it unless it reaches this console',
} as const

/** Its clock may be another than ours: what is left is counted from when its report came. */
function Trial({ change: { until }, at }: { change: NetworkChange; at: string }) {
  const [ends] = useState(() => Date.now() + Math.max(0, Date.parse(until ?? at) - Date.parse(at)))
  const left = useClock((now) => Math.max(0, Math.ceil((ends - now) / 1000)))
  return (
    <p className="text-pretty text-fg-2">
      <span className="tight mr-2 text-xl font-semibold text-fg tabular-nums">
        {Math.floor(left / 60)}:{String(left % 60).padStart(2, '0')}
      </span>
      {left > 0
        ? 'until the device puts back what it had before, also when it cannot be reached from here.'
        : 'The device puts back what it had before now. It says so once it is back.'}
    </p>
  )
}

const order = ['pending', 'sent', 'applying', 'trial'] as const
function stepsOf(state: (typeof order)[number], sent_at: string | null): Step[] {
  const at = order.indexOf(state)
  const stateOf = (place: number): Step['state'] => (at > place ? 'done' : at === place ? 'current' : 'todo')
  return [
    { id: 'sent', title: 'Sent', about: sent_at ? <RelativeTime at={sent_at} /> : 'not yet', state: at === 0 ? 'current' : 'done' },
    { id: 'set', title: 'Set up', about: 'by the device', state: at === 1 ? 'current' : stateOf(2) },
    { id: 'reached', title: 'This console reached', about: 'on a new connection', state: stateOf(3) },
    { id: 'kept', title: 'Kept', about: 'for good', state: 'todo' },
  ]
}

function Ended({ asset, change, state }: { asset: Asset; change: NetworkChange; state: Extract<NetworkState, 'undone' | 'failed'> }) {
  const retry = useOperation(retryNetwork)
  return (
    <Notice
      tone="bad"
      action={
        <ActionButton
          operation={retryNetwork}
          icon={RefreshCw}
          size="small"
          loading={retry.isPending}
          onClick={() =>
            retry.mutate(
              { params: { asset_id: asset.id } },
              {
                onSuccess: () => toast.info(plain('The device was asked to try once more')),
                onError: (failure) => toast.failure(failure),
              }
            )
          }
        >
          Try again
        </ActionButton>
      }
    >
      {state === 'undone'
        ? 'The device put back the network settings that it had before, and does not try the new ones again by itself.'
        : 'The device could not set what is wanted of its network.'}{' '}
      <span className="mono block text-xs wrap-anywhere">{change.words}</span>
      <span className="block text-xs text-fg-2">
        <RelativeTime at={change.ended_at} />. What is wanted stays below: change it, or have it tried again.
      </span>
    </Notice>
  )
}
