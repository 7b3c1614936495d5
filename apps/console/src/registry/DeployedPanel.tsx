import type { DeployedImage, Repository } from '@masthead/contract/registry/image'
import { listDeployed, listDeployedImage } from '@masthead/contract/registry/operations'
import { Router } from 'lucide-react'
import { useState } from 'react'
import { useMay } from '../api/session.ts'
import { CellLink } from '../kit/CellLink.tsx'
import { QueryTable } from '../kit/QueryTable.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Modal } from '../ui/Modal.tsx'
import { Panel } from '../ui/Panel.tsx'
import { StatusDot } from '../ui/StatusDot.tsx'
import { TwoLines, type Column } from '../ui/Table.tsx'
import { devicesWords, referenceOf } from './registry-words.ts'

const columns: Column<DeployedImage>[] = [
  {
    id: 'asset',
    header: 'Asset',
    fixed: true,
    list: 'title',
    shape: 'two',
    cell: ({ asset_id, asset_name, container }) => (
      <TwoLines first={<CellLink to={`/assets/${asset_id}/application`}>{asset_name}</CellLink>} second={container} />
    ),
  },
  {
    id: 'run',
    header: 'Wanted',
    width: 160,
    list: 'aside',
    shape: 'two',
    cell: ({ run, older }) => (
      <TwoLines first={run === 'running' ? 'To run' : 'To be stopped'} second={older ? 'runs the one before' : null} />
    ),
  },
  {
    id: 'online',
    header: 'Device',
    width: 120,
    list: 'below',
    drop: 1,
    cell: ({ online }) => <StatusDot status={online ? 'active' : 'offline'} label={online ? 'Online' : 'Offline'} />,
  },
  {
    id: 'image',
    header: 'Tag or digest',
    width: 180,
    list: 'below',
    listHead: true,
    drop: 2,
    cell: ({ image }) => (
      <span className="mono truncate" title={image}>
        {referenceOf(image)}
      </span>
    ),
  },
]

/** On which devices an image is deployed; without a digest, any image of the repository. */
function DeployedTable({ repository_id, digest }: { repository_id: string; digest?: string }) {
  const shown = {
    columns,
    rowId: ({ asset_id, container }: DeployedImage) => `${asset_id} ${container}`,
    rowName: ({ asset_name }: DeployedImage) => asset_name,
    prefix: 'd-',
    empty: (
      <EmptyState icon={Router} title="No data found">
        No container on a device that you see names it.
      </EmptyState>
    ),
  }
  return digest === undefined ? (
    <QueryTable operation={listDeployed} input={{ params: { repository_id } }} label="Devices that use it" {...shown} />
  ) : (
    <QueryTable
      operation={listDeployedImage}
      input={{ params: { repository_id, digest } }}
      label="Devices on which it is deployed"
      plain
      {...shown}
    />
  )
}

/** The same as a panel, for whoever may see devices. */
export function DeployedPanel({ repository_id, digest }: { repository_id: string; digest: string }) {
  const may = useMay(listDeployedImage)
  if (!may) return null
  return (
    <Panel title="Where it is deployed" note="by its digest or a tag of it" flush>
      <DeployedTable repository_id={repository_id} digest={digest} />
    </Panel>
  )
}

/** How many devices use a repository, with the list of them for whoever may see devices. */
export function UsedBy({ repository: { id, name, devices } }: { repository: Pick<Repository, 'id' | 'name' | 'devices'> }) {
  const may = useMay(listDeployed)
  const [open, setOpen] = useState(false)
  const words = `used by ${devicesWords(devices)}`
  if (devices === 0 || !may) return <span>{words}</span>
  return (
    <>
      <button type="button" className="link" onClick={() => setOpen(true)}>
        {words}
      </button>
      <Modal open={open} onClose={() => setOpen(false)} title={`Devices that use ${name}`} size="large">
        <DeployedTable repository_id={id} />
      </Modal>
    </>
  )
}
