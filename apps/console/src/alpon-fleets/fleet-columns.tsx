import type { Fleet, FleetAsset } from '@masthead/contract/alpon-fleets/fleet'
import { assetTypes } from '@masthead/contract/assets/asset-types'
import { CellLink } from '../kit/CellLink.tsx'
import { RelativeTime } from '../kit/RelativeTime.tsx'
import { Badge } from '../ui/Badge.tsx'
import { doneWords, rolloutLooks, versionLook } from './rollout-words.ts'
import { StatusDot } from '../ui/StatusDot.tsx'
import { TwoLines, type Column } from '../ui/Table.tsx'
import { TypeBadge } from '../ui/TypeBadge.tsx'

export const fleetHref = ({ id }: Pick<Fleet, 'id'>) => `/alpon-fleets/${id}`

const none = <span className="text-fg-3">—</span>

/** Columns of the list (domain §1.20). */
export const fleetColumns: Column<Fleet>[] = [
  {
    id: 'name',
    header: 'Fleet',
    fixed: true,
    list: 'title',
    shape: 'two',
    cell: (fleet) => (
      <TwoLines
        first={<CellLink to={fleetHref(fleet)}>{fleet.name}</CellLink>}
        second={fleet.updated_by && <span className="truncate">by {fleet.updated_by}</span>}
      />
    ),
  },
  {
    id: 'pilot',
    header: 'Pilot',
    width: 220,
    list: 'below',
    listHead: true,
    drop: 2,
    cell: ({ pilot }) => (pilot ? <span className="truncate">{pilot.asset_name}</span> : <span className="not-in-list">{none}</span>),
  },
  {
    id: 'assets',
    header: 'Assets',
    width: 110,
    numeric: true,
    list: 'aside',
    shape: 'two',
    cell: ({ assets, online }) => (
      <TwoLines
        first={
          <>
            {assets.toLocaleString('en')} <span className="only-list">{assets === 1 ? 'asset' : 'assets'}</span>
          </>
        }
        second={assets > 0 ? `${online.toLocaleString('en')} online` : null}
      />
    ),
  },
  { id: 'version', header: 'Version', width: 90, numeric: true, drop: 2, cell: ({ version }) => version ?? none },
  {
    id: 'rollout',
    header: 'Rollout',
    width: 240,
    list: 'below',
    shape: 'two',
    drop: 3,
    cell: ({ rollout }) =>
      rollout ? (
        <TwoLines first={<StatusDot {...rolloutLooks[rollout.state]} />} second={`version ${rollout.version}: ${doneWords(rollout)}`} />
      ) : (
        <span className="not-in-list">{none}</span>
      ),
  },
  { id: 'updated', header: 'Changed', width: 120, numeric: true, drop: 1, cell: ({ updated_at }) => <RelativeTime at={updated_at} /> },
]

export const assetColumns: Column<FleetAsset>[] = [
  {
    id: 'name',
    header: 'Asset',
    fixed: true,
    list: 'title',
    shape: 'two',
    cell: ({ id, name, serial, is_pilot }) => (
      <TwoLines
        first={
          <span className="flex min-w-0 items-center gap-2">
            <CellLink to={`/assets/${id}`}>{name}</CellLink>
            {is_pilot && <Badge>Pilot</Badge>}
          </span>
        }
        second={<span className="mono truncate">{serial}</span>}
      />
    ),
  },
  {
    id: 'type',
    header: 'Type',
    width: 150,
    list: 'below',
    drop: 2,
    cell: ({ type }) => <TypeBadge type={type} label={assetTypes[type]} />,
  },
  {
    id: 'online',
    header: 'Device',
    width: 110,
    list: 'aside',
    drop: 2,
    cell: ({ online }) => (online === null ? <StatusDot status="never_seen" /> : <StatusDot status={online ? 'online' : 'offline'} />),
  },
  {
    id: 'version',
    header: 'Version',
    width: 220,
    list: 'below',
    shape: 'two',
    drop: 2,
    cell: (asset) => {
      const look = versionLook(asset)
      if (look === null) return <span className="not-in-list">{none}</span>
      const {
        label,
        status,
        about: [first, ...more],
      } = look
      if (status === null) return label
      return (
        <TwoLines
          className="long-aside"
          first={<StatusDot status={status} label={label} />}
          second={
            first !== undefined && (
              <span className="truncate" title={[first, ...more].join('\n')}>
                {first}
                {more.length > 0 && ` and ${more.length} more`}
              </span>
            )
          }
        />
      )
    },
  },
  {
    id: 'attempts',
    header: 'Tries',
    width: 80,
    numeric: true,
    list: 'below',
    listHead: true,
    drop: 2,
    cell: ({ rollout }) => (rollout?.attempts ? rollout.attempts : <span className="not-in-list">{none}</span>),
  },
  {
    id: 'started',
    header: 'Started',
    width: 110,
    numeric: true,
    drop: 0,
    cell: ({ rollout }) => (rollout?.started_at ? <RelativeTime at={rollout.started_at} /> : none),
  },
  {
    id: 'settled',
    header: 'Ended',
    width: 110,
    numeric: true,
    drop: 0,
    cell: ({ rollout }) => (rollout?.settled_at ? <RelativeTime at={rollout.settled_at} /> : none),
  },
  {
    id: 'added',
    header: 'Added',
    width: 120,
    numeric: true,
    list: 'below',
    listHead: true,
    drop: 0,
    cell: ({ added_at }) => <RelativeTime at={added_at} />,
  },
]
