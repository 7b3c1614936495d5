import { useQuery } from '@tanstack/react-query'
import type { Asset } from '@masthead/contract/assets/asset'
import { containerStatus, runsContainers, type Application } from '@masthead/contract/devices/agent/application'
import { deployContainer, getApplication, updateContainer } from '@masthead/contract/devices/agent/operations'
import { Container as ContainerIcon, Plus } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { q } from '../../api/query.ts'
import { ActionButton, useDenied } from '../../kit/ActionButton.tsx'
import { RelativeTime } from '../../kit/RelativeTime.tsx'
import { useAddressState } from '../../kit/use-address-state.ts'
import { buttonClass } from '../../ui/Button.tsx'
import { EmptyState, ErrorState } from '../../ui/EmptyState.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import { StatusDot } from '../../ui/StatusDot.tsx'
import { OfflineNotice } from '../OfflineNotice.tsx'
import { AgentPanel } from './AgentPanel.tsx'
import { DeployModal, UpdateModal } from './ContainerForm.tsx'
import { ContainerRow } from './ContainerRow.tsx'
import { withoutTag } from './own-image.ts'

/** `deploy`: an image that is to be deployed here, as the registry leads to it. */
const address = { deploy: '' }

/** What runs on the device of an asset: what is wanted, and what it reported last. */
export function AssetApplication({ asset }: { asset: Asset }) {
  const isOurs = runsContainers(asset.type)
  const { data, error, refetch } = useQuery({ ...q(getApplication, { params: { asset_id: asset.id } }), enabled: isOurs })
  if (!isOurs)
    return (
      <EmptyState icon={ContainerIcon} title="No containers here">
        Devices of this type run no containers.
      </EmptyState>
    )
  if (error && !data) return <ErrorState title="The containers could not be loaded" failure={error} onRetry={() => void refetch()} />
  if (!data)
    return (
      <Panel title="Containers">
        <SkeletonLines lines={5} />
      </Panel>
    )
  if (!data.device)
    return (
      <Panel flush>
        <EmptyState
          icon={ContainerIcon}
          title="No device is set up yet"
          actions={
            <Link className={buttonClass('primary-solid')} to={`/assets/${asset.id}/device`}>
              Set up the device
            </Link>
          }
        >
          Containers run on a device: set one up first.
        </EmptyState>
      </Panel>
    )
  return (
    <div className="grid gap-5">
      <Containers asset={asset} application={data} device={data.device} />
      <AgentPanel asset={asset} device={data.device} />
    </div>
  )
}

type Device = NonNullable<Application['device']>

function Containers({
  asset,
  application: { items, leaving, fleet_version },
  device,
}: {
  asset: Asset
  application: Application
  device: Device
}) {
  const [deploying, setDeploying] = useState(false)
  const [{ deploy }, change] = useAddressState(address)
  const denied = useDenied()
  // One of its repository gets another image, and none a container of its own.
  const other = items.find(({ image }) => withoutTag(image) === withoutTag(deploy))
  const close = () => {
    setDeploying(false)
    if (deploy !== '') change({ deploy: '' })
  }
  const right = items.filter((each) => ['right', 'finished'].includes(containerStatus(each))).length
  const behind = device.reported_revision !== device.revision
  return (
    <Panel
      flush
      title="Containers"
      note={
        <>
          {items.length > 0 && `${right} of ${items.length} as wanted; `}last report <RelativeTime at={device.reported_at} />
        </>
      }
      end={
        <ActionButton operation={deployContainer} color="primary-solid" icon={Plus} onClick={() => setDeploying(true)}>
          Deploy container
        </ActionButton>
      }
    >
      {device.engine_words && (
        <Notice tone="bad" strip>
          No container engine answers on the device: <span className="mono text-xs">{device.engine_words}</span>
        </Notice>
      )}
      {fleet_version !== null && (
        <Notice tone="info" strip>
          The device gets version {fleet_version} by its fleet. What you change here by hand differs from it, and the next rollout undoes
          it.
        </Notice>
      )}
      {!device.online ? (
        <OfflineNotice since={device.since} waits={behind} strip />
      ) : (
        behind && (
          <Notice tone="info" strip>
            The device was notified of the change.
          </Notice>
        )
      )}
      {items.length === 0 && leaving.length === 0 ? (
        <EmptyState icon={ContainerIcon} title="No containers">
          Deploy one from a registry that the device can reach.
        </EmptyState>
      ) : (
        <ul className="divide-y divide-line" aria-label="Containers">
          {items.map((container) => (
            <ContainerRow key={container.name} asset={asset} container={container} online={device.online} />
          ))}
          {leaving.map(({ name, image }) => (
            <li key={name} className="flex flex-wrap items-center gap-x-6 gap-y-2 px-4 py-3">
              <span className="min-w-0 flex-[2_1_13rem]">
                <span className="block font-medium">{name}</span>
                <span className="mono block text-xs text-fg-3">{image}</span>
              </span>
              <StatusDot status="busy" label="Is being removed" />
            </li>
          ))}
        </ul>
      )}
      {deploy !== '' && other && !denied(updateContainer) && (
        <UpdateModal key={deploy} asset={asset} container={{ ...other, image: deploy }} onClose={close} />
      )}
      {(deploying || (deploy !== '' && !other && !denied(deployContainer))) && (
        <DeployModal key={deploy} asset={asset} image={deploy} onClose={close} />
      )}
    </Panel>
  )
}
