import type { Asset } from '@masthead/contract/assets/asset'
import { containerCannot, type Container } from '@masthead/contract/devices/agent/application'
import {
  removeContainer,
  requestLogs,
  restartContainer,
  startContainer,
  stopContainer,
  updateContainer,
} from '@masthead/contract/devices/agent/operations'
import { formatBytes } from '@masthead/contract/usage/bytes'
import { FileText, MoreHorizontal, Pencil, Play, RotateCw, Square, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useOperation } from '../../api/query.ts'
import { ActionButton, useDenied } from '../../kit/ActionButton.tsx'
import { ConfirmCall } from '../../kit/ConfirmCall.tsx'
import { RelativeTime } from '../../kit/RelativeTime.tsx'
import { IconButton } from '../../ui/Button.tsx'
import { Menu } from '../../ui/Menu.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { StatusDot } from '../../ui/StatusDot.tsx'
import type { Said } from '../../ui/FailureNotice.tsx'
import { plain, toast } from '../../ui/toast.ts'
import { UpdateModal } from './ContainerForm.tsx'
import { LogsModal } from './LogsModal.tsx'
import { healthWords, imageWords, portWords, problemHelp, stateOf } from './container-words.ts'

type Opened = 'update' | 'logs' | 'remove' | 'stop' | null

/** One container: what is wanted, how it is, and what can be done with it. */
export function ContainerRow({ asset, container, online }: { asset: Asset; container: Container; online: boolean }) {
  const [opened, setOpened] = useState<Opened>(null)
  const close = () => setOpened(null)
  const { name, image, reported } = container
  const { status, label, note } = stateOf(container)
  const isOn = reported?.state === 'running'
  return (
    <li className="grid gap-3 px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
        <div className="min-w-0 flex-[2_1_13rem]">
          <div className="font-medium wrap-anywhere">{name}</div>
          <div className="mono text-xs wrap-anywhere text-fg-3" title={image}>
            {imageWords(image)}
          </div>
        </div>
        <div className="min-w-0 flex-[2_1_11rem]">
          <StatusDot status={status} label={label} />
          {note && <div className="text-xs text-fg-3">{note}</div>}
        </div>
        <dl className="flex flex-[3_1_16rem] flex-wrap gap-x-6 gap-y-1 text-xs">
          <Figure label="Ports">{portWords(container) || '—'}</Figure>
          <Figure label="CPU">{isOn && reported.cpu_pct !== null ? `${reported.cpu_pct.toFixed(2)} %` : '—'}</Figure>
          <Figure label="Memory">{isOn && reported.memory_bytes !== null ? formatBytes(reported.memory_bytes) : '—'}</Figure>
          {container.health && <Figure label="Health">{healthWords(container)}</Figure>}
          <Figure label="Since">{isOn ? <RelativeTime at={reported.started_at} /> : '—'}</Figure>
        </dl>
        <RowActions asset={asset} container={container} onOpen={setOpened} />
      </div>
      {reported?.problem && (
        <Notice tone="bad">
          {problemHelp(reported.problem)} <span className="mono text-xs whitespace-pre-line wrap-anywhere">{reported.problem.words}</span>
          {reported.problem.next_at && (
            <span className="block text-xs text-fg-2">
              Since <RelativeTime at={reported.problem.since} />. The device tries again by itself.
            </span>
          )}
        </Notice>
      )}
      {container.newer_digest && <Newer asset={asset} container={container} />}
      {opened === 'update' && <UpdateModal asset={asset} container={container} onClose={close} />}
      {opened === 'logs' && <LogsModal asset={asset} name={name} online={online} onClose={close} />}
      <ConfirmCall
        open={opened === 'stop'}
        onClose={close}
        operation={stopContainer}
        input={{ params: { asset_id: asset.id, name } }}
        title={`Stop ${name}?`}
        confirm="Stop"
        color="danger"
        done={`${name} is to stop`}
      >
        It stays on the device, and is started again when you say so.
      </ConfirmCall>
      <ConfirmCall
        open={opened === 'remove'}
        onClose={close}
        operation={removeContainer}
        input={{ params: { asset_id: asset.id, name } }}
        title={`Remove ${name}?`}
        confirm="Remove"
        color="danger"
        done={`${name} is to go`}
      >
        The device stops and deletes it. What it wrote outside its volumes is lost.
      </ConfirmCall>
    </li>
  )
}

/** Its tag was pushed anew since the device pulled it. */
function Newer({ asset, container: { name, image, newer_digest } }: { asset: Asset; container: Container }) {
  const update = useOperation(updateContainer)
  return (
    <Notice tone="info">
      <span className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <span className="min-w-0 flex-[1_1_16rem]">
          The tag of <span className="mono wrap-anywhere">{image}</span> was pushed anew: it is{' '}
          <span className="mono">{newer_digest!.slice(7, 19)}</span> now, and the device runs the one before.
        </span>
        <ActionButton
          operation={updateContainer}
          size="small"
          loading={update.isPending}
          onClick={() =>
            update.mutate(
              { params: { asset_id: asset.id, name }, body: {} },
              {
                onSuccess: () => toast.info(plain(`${name} goes on as it is until its image is there`)),
                onError: (failure) => toast.failure(failure),
              }
            )
          }
        >
          Update {name}
        </ActionButton>
      </span>
    </Notice>
  )
}

const Figure = ({ label, children }: { label: string; children: React.ReactNode }) => (
  <div>
    <dt className="text-fg-3">{label}</dt>
    <dd className="tabular-nums">{children}</dd>
  </div>
)

function RowActions({ asset, container, onOpen }: { asset: Asset; container: Container; onOpen: (what: Opened) => void }) {
  const denied = useDenied()
  const start = useOperation(startContainer)
  const restart = useOperation(restartContainer)
  const { name, run } = container
  const input = { params: { asset_id: asset.id, name } }
  const refused = { onError: (failure: Said) => toast.failure(failure) }
  const mayStart = run === 'stopped' || containerCannot('start', container) === undefined
  return (
    <div className="flex flex-none items-center gap-1">
      {mayStart ? (
        <IconButton
          label={`Start ${name}`}
          icon={Play}
          loading={start.isPending}
          disabled={denied(startContainer)}
          onClick={() => start.mutate(input, refused)}
        />
      ) : (
        <IconButton label={`Stop ${name}`} icon={Square} disabled={denied(stopContainer)} onClick={() => onOpen('stop')} />
      )}
      <IconButton
        label={`Restart ${name}`}
        icon={RotateCw}
        loading={restart.isPending}
        disabled={denied(restartContainer) ?? containerCannot('restart', container) ?? null}
        onClick={() => restart.mutate(input, refused)}
      />
      <Menu
        label={`More for ${name}`}
        align="end"
        trigger={<IconButton label={`More for ${name}`} icon={MoreHorizontal} />}
        items={[
          { label: 'Update', icon: Pencil, disabled: denied(updateContainer), onSelect: () => onOpen('update') },
          { label: 'Read log', icon: FileText, disabled: denied(requestLogs), onSelect: () => onOpen('logs') },
          { separator: true },
          { label: 'Remove', icon: Trash2, danger: true, disabled: denied(removeContainer), onSelect: () => onOpen('remove') },
        ]}
      />
    </div>
  )
}
