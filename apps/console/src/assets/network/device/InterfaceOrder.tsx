import type { Asset } from '@masthead/contract/assets/asset'
import type { NetworkInterface } from '@masthead/contract/devices/network/reported'
import { updateNetworkPriority } from '@masthead/contract/devices/network/operations'
import { inOrder, isChanging, type Network } from '@masthead/contract/devices/network/view'
import { ChevronDown, ChevronUp, GripVertical } from 'lucide-react'
import { useState, type KeyboardEvent } from 'react'
import { useOperation } from '../../../api/query.ts'
import { ActionButton, useDenied } from '../../../kit/ActionButton.tsx'
import { Button, IconButton } from '../../../ui/Button.tsx'
import { cx } from '../../../ui/cx.ts'
import { Panel } from '../../../ui/Panel.tsx'
import { StateShape } from '../../../ui/StateShape.tsx'
import { StatusDot } from '../../../ui/StatusDot.tsx'
import type { Said } from '../../../ui/FailureNotice.tsx'
import { toast } from '../../../ui/toast.ts'
import { interfaceState, kindWords, moved, orderOf, oneAtATime } from './network-words.ts'

/** The interfaces in the order in which they are wanted; dragged, or moved by keys and buttons, and sent as one change. */
export function InterfaceOrder({ asset, network }: { asset: Asset; network: Network }) {
  const { wanted, reported } = network
  const interfaces = inOrder(reported?.interfaces ?? [])
  const known = orderOf(wanted?.priority ?? null, interfaces)
  const [draft, setDraft] = useState<string[] | null>(null)
  const [lifted, setLifted] = useState<{ name: string; from: string[] } | null>(null)
  const [said, setSaid] = useState('')
  const send = useOperation(updateNetworkPriority)
  const denied = useDenied()(updateNetworkPriority)
  const names = draft ?? known
  const changed = draft !== null && draft.join() !== known.join()
  const input = (order: string[] | null) => ({ params: { asset_id: asset.id }, body: { interfaces: order } })
  const answer = { onError: (failure: Said) => toast.failure(failure) }

  function move(name: string, to: number) {
    const next = moved(names, name, to)
    setDraft(next)
    setSaid(`${name}: place ${next.indexOf(name) + 1} of ${next.length}`)
  }
  function onKey(event: KeyboardEvent, name: string) {
    const at = names.indexOf(name)
    if (event.key === ' ' || event.key === 'Enter') {
      event.preventDefault()
      setSaid(lifted ? `${name} put down at place ${at + 1}` : `${name} lifted, place ${at + 1}. Move it with the arrow keys`)
      setLifted(lifted ? null : { name, from: names })
    } else if (event.key === 'Escape' && lifted) {
      setDraft(lifted.from)
      setLifted(null)
      setSaid(`${name} is back where it was`)
    } else if (lifted && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) {
      event.preventDefault()
      move(name, at + (event.key === 'ArrowUp' ? -1 : 1))
    }
  }
  if (names.length === 0)
    return (
      <Panel title="Interfaces">
        <p className="text-fg-3">The device has not reported any. Agents from before network settings report none.</p>
      </Panel>
    )
  return (
    <Panel
      flush
      title="Interfaces"
      note={wanted?.priority ? 'the first that has a connection is used' : 'in the order that the device has by itself'}
      end={
        !denied && (
          <span className="hidden text-xs text-fg-3 @lg:inline" aria-hidden>
            <kbd>Space</kbd> lift <kbd>↑</kbd> <kbd>↓</kbd> move <kbd>Esc</kbd> put back
          </span>
        )
      }
    >
      <ol className="divide-y divide-line" aria-label="Interfaces, the one to be used first on top">
        {names.map((name, i) => (
          <Row
            key={name}
            name={name}
            place={i}
            last={i === names.length - 1}
            of={interfaces.find((each) => each.name === name)}
            inUse={interfaces.find(({ up, metric }) => up && metric !== null)?.name === name}
            lifted={lifted?.name === name}
            denied={denied}
            onKey={(event) => onKey(event, name)}
            onMove={(to) => move(name, to)}
            onLift={() => setLifted({ name, from: names })}
            onOver={() => lifted && lifted.name !== name && setDraft(moved(names, lifted.name, i))}
            onDrop={() => setLifted(null)}
          />
        ))}
      </ol>
      <p role="status" className="sr-only">
        {said}
      </p>
      {changed ? (
        <div className="flex flex-wrap items-center gap-2 border-t border-line px-4 py-2.5">
          <StateShape shape="diamond" tone="info" />
          <span className="min-w-0 flex-1 wrap-anywhere">
            <span className="font-medium">Not sent yet:</span> {names.join(', ')}
          </span>
          <Button size="small" color="ghost" onClick={() => setDraft(null)}>
            Discard
          </Button>
          <ActionButton
            operation={updateNetworkPriority}
            size="small"
            color="primary-solid"
            disabled={isChanging(network) ? oneAtATime : null}
            loading={send.isPending}
            onClick={() => send.mutate(input(names), { ...answer, onSuccess: () => setDraft(null) })}
          >
            Send order
          </ActionButton>
        </div>
      ) : (
        wanted?.priority && (
          <div className="flex flex-wrap items-center gap-2 border-t border-line px-4 py-2.5 text-xs text-fg-3">
            <span className="min-w-0 flex-1">Metrics are what the device reported last; the order is what is wanted.</span>
            <ActionButton
              operation={updateNetworkPriority}
              size="small"
              color="ghost"
              loading={send.isPending}
              onClick={() => send.mutate(input(null), answer)}
            >
              Leave it to the device
            </ActionButton>
          </div>
        )
      )}
    </Panel>
  )
}

type RowProps = {
  name: string
  place: number
  last: boolean
  of: NetworkInterface | undefined
  inUse: boolean
  lifted: boolean
  denied: string | null
  onKey: (event: KeyboardEvent) => void
  onMove: (to: number) => void
  onLift: () => void
  onOver: () => void
  onDrop: () => void
}

function Row({ name, place, last, of, inUse, lifted, denied, onKey, onMove, onLift, onOver, onDrop }: RowProps) {
  const { status, label, note } = interfaceState(of, inUse)
  return (
    <li
      draggable={!denied}
      onDragStart={(event) => {
        event.dataTransfer.effectAllowed = 'move'
        event.dataTransfer.setData('text/plain', name)
        onLift()
      }}
      onDragOver={(event) => {
        event.preventDefault()
        onOver()
      }}
      onDrop={(event) => event.preventDefault()}
      onDragEnd={onDrop}
      className={cx('flex flex-wrap items-center gap-x-4 gap-y-2 px-2 py-2.5 @md:px-4', lifted && 'bg-hover')}
    >
      <span className="flex min-w-0 flex-[2_1_8rem] items-center gap-2 @md:flex-[2_1_11rem]">
        <IconButton
          label={`Move ${name}`}
          icon={GripVertical}
          size="small"
          className="cursor-grab"
          aria-pressed={lifted}
          disabled={denied}
          onKeyDown={onKey}
        />
        <span className="w-4 flex-none text-right font-medium tabular-nums">{place + 1}</span>
        <span className="min-w-0">
          <span className="block font-medium">{kindWords[of?.kind ?? 'X']}</span>
          <span className="mono block text-xs wrap-anywhere text-fg-3">{name}</span>
        </span>
      </span>
      <span className="order-1 min-w-0 basis-full pl-15 @md:order-none @md:flex-[2_1_9rem] @md:pl-0">
        <StatusDot status={status} label={label} />
        {note && <span className="block text-xs wrap-anywhere text-fg-3">{note}</span>}
      </span>
      <span className="order-1 min-w-0 basis-full pl-15 @md:order-none @md:flex-[2_1_9rem] @md:pl-0">
        <span className="mono block text-xs wrap-anywhere">{of?.addresses.join(', ') || '—'}</span>
        <span className="block text-xs text-fg-3">{of?.metric == null ? 'no way to the internet' : `metric ${of.metric}`}</span>
      </span>
      <span className="flex flex-none gap-1">
        <IconButton
          label={`Move ${name} up`}
          icon={ChevronUp}
          size="small"
          disabled={denied ?? (place === 0 && 'It is the first already')}
          onClick={() => onMove(place - 1)}
        />
        <IconButton
          label={`Move ${name} down`}
          icon={ChevronDown}
          size="small"
          disabled={denied ?? (last && 'It is the last already')}
          onClick={() => onMove(place + 1)}
        />
      </span>
    </li>
  )
}
