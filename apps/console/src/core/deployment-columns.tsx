import type { Deployment } from '@masthead/contract/core/deployment'
import type { Enrolment } from '@masthead/contract/core/enrolment'
import { CellLink } from '../kit/CellLink.tsx'
import { RelativeTime } from '../kit/RelativeTime.tsx'
import { CopyText } from '../ui/CopyText.tsx'
import { ProgressBar } from '../ui/ProgressBar.tsx'
import { StatusDot } from '../ui/StatusDot.tsx'
import { TwoLines, type Column } from '../ui/Table.tsx'
import {
  boardNames,
  deploymentLook,
  endWords,
  enrolmentLook,
  enrolmentWords,
  groupWords,
  regionNames,
  stateWords,
  tagWords,
} from './deployment-words.ts'

export const deploymentHref = ({ id }: Pick<Deployment, 'id'>) => `/core-deployments/${id}`

/** Columns of the list (domain §1.6). */
export const deploymentColumns: Column<Deployment>[] = [
  {
    id: 'name',
    header: 'Deployment',
    fixed: true,
    list: 'title',
    shape: 'two',
    cell: (deployment) => (
      <TwoLines
        first={<CellLink to={deploymentHref(deployment)}>{deployment.name}</CellLink>}
        second={<span className="mono">mhd_…{deployment.token_end}</span>}
      />
    ),
  },
  {
    id: 'state',
    header: 'State',
    width: 190,
    list: 'aside',
    shape: 'two',
    cell: (deployment) => <TwoLines first={<StatusDot {...deploymentLook(deployment)} />} second={stateWords(deployment)} />,
  },
  {
    id: 'board',
    header: 'Board',
    width: 120,
    drop: 2,
    shape: 'two',
    cell: ({ board, region }) => <TwoLines first={boardNames[board]} second={regionNames[region]} />,
  },
  {
    id: 'gets',
    header: 'Tags, group',
    width: 150,
    drop: 1,
    shape: 'two',
    cell: (deployment) => <TwoLines first={<span className="truncate">{tagWords(deployment)}</span>} second={groupWords(deployment)} />,
  },
  {
    id: 'devices',
    header: 'Devices',
    width: 130,
    numeric: true,
    list: 'below',
    shape: 'two',
    cell: (deployment) => <Devices of={deployment} />,
  },
  {
    id: 'last',
    header: 'Last enrolment',
    width: 140,
    drop: 3,
    shape: 'two',
    cell: (deployment) => <TwoLines first={<RelativeTime at={deployment.last_enrolled_at} />} second={endWords(deployment)} />,
  },
]

/** How many enrolled, of how many it takes. */
export function Devices({ of: { enrolled, max_devices, state } }: { of: Deployment }) {
  const count = enrolled.toLocaleString('en')
  const words = <span className="only-list">{enrolled === 1 && max_devices === null ? 'device' : 'devices'}</span>
  if (max_devices === null)
    return (
      <TwoLines
        first={
          <span>
            {count} {words}
          </span>
        }
        second="no maximum"
      />
    )
  const share = enrolled / max_devices
  return (
    <span className="grid w-full gap-1">
      <span>
        {count} <span className="text-fg-3">of {max_devices.toLocaleString('en')}</span> {words}
      </span>
      <ProgressBar
        value={share}
        size={3}
        label="Enrolled of the maximum"
        tone={state === 'open' || state === 'full' ? (share >= 0.9 ? 'warn' : 'ok') : 'idle'}
      />
    </span>
  )
}

export const enrolmentColumns: Column<Enrolment>[] = [
  {
    id: 'iccid',
    header: 'ICCID',
    fixed: true,
    list: 'title',
    shape: 'two',
    cell: ({ iccid, asset }) => (
      <TwoLines
        first={<CopyText text={iccid} label="ICCID" />}
        second={asset ? <CellLink to={`/assets/${asset.id}`}>{asset.name}</CellLink> : '—'}
      />
    ),
  },
  {
    id: 'result',
    header: 'Result',
    width: 300,
    list: 'below',
    shape: 'two',
    cell: (enrolment) => (
      <TwoLines
        first={<StatusDot {...enrolmentLook(enrolment)} />}
        second={
          <span className="truncate" title={enrolmentWords(enrolment)}>
            {enrolmentWords(enrolment)}
          </span>
        }
      />
    ),
  },
  { id: 'ip', header: 'From', width: 140, drop: 2, cell: ({ ip }) => <span className="mono truncate">{ip ?? '—'}</span> },
  { id: 'last', header: 'Last asked', width: 110, drop: 1, cell: ({ last_at }) => <RelativeTime at={last_at} /> },
]
