import type { FleetVersion, Rollout, RolloutAsset, RolloutTry } from '@masthead/contract/alpon-fleets/rollout'
import { formatBytes } from '@masthead/contract/usage/bytes'
import { CellLink } from '../kit/CellLink.tsx'
import { lastedWords } from '../kit/lasted-words.ts'
import { RelativeTime } from '../kit/RelativeTime.tsx'
import { StatusDot } from '../ui/StatusDot.tsx'
import { TwoLines, type Column } from '../ui/Table.tsx'
import { changeWords, deviceLook, doneWords, phaseNow, rolloutLooks, totalOf } from './rollout-words.ts'

const none = <span className="text-fg-3">—</span>

const deviceColumnsOf = (isAborted: boolean): Column<RolloutAsset>[] => [
  {
    id: 'asset',
    header: 'Asset',
    fixed: true,
    list: 'title',
    shape: 'two',
    cell: ({ asset_id, asset_name, error }) => (
      <TwoLines
        first={<CellLink to={`/assets/${asset_id}`}>{asset_name}</CellLink>}
        second={
          error && (
            <span className="truncate text-bad-fg" title={error}>
              {error}
            </span>
          )
        }
      />
    ),
  },
  { id: 'state', header: 'State', width: 160, list: 'aside', cell: (device) => <StatusDot {...deviceLook(device, isAborted)} /> },
  { id: 'phase', header: 'Phase', width: 80, numeric: true, drop: 2, cell: ({ phase }) => phase + 1 },
  { id: 'attempts', header: 'Tries', width: 80, numeric: true, drop: 2, cell: ({ attempts }) => attempts },
  {
    id: 'size',
    header: 'Size',
    width: 90,
    numeric: true,
    drop: 0,
    cell: ({ size_bytes }) => (size_bytes === null ? none : formatBytes(size_bytes)),
  },
  {
    id: 'started',
    header: 'Started',
    width: 110,
    numeric: true,
    list: 'below',
    listHead: true,
    drop: 1,
    cell: ({ started_at }) => (started_at ? <RelativeTime at={started_at} /> : none),
  },
  {
    id: 'settled',
    header: 'Ended',
    width: 110,
    numeric: true,
    drop: 0,
    cell: ({ settled_at }) => (settled_at ? <RelativeTime at={settled_at} /> : none),
  },
]

export const deviceColumns = deviceColumnsOf(false)
export const abortedDeviceColumns = deviceColumnsOf(true)

export const tryColumns: Column<RolloutTry>[] = [
  {
    id: 'outcome',
    header: 'Try',
    fixed: true,
    list: 'title',
    shape: 'two',
    cell: ({ outcome, words }) => (
      <TwoLines
        className="long-aside"
        first={<StatusDot status={outcome === 'success' ? 'done' : 'failed'} />}
        second={words && <span className="wrap-anywhere">{words}</span>}
      />
    ),
  },
  {
    id: 'started',
    header: 'Started',
    width: 120,
    numeric: true,
    list: 'aside',
    cell: ({ started_at }) => <RelativeTime at={started_at} />,
  },
  {
    id: 'lasted',
    header: 'Took',
    width: 110,
    numeric: true,
    list: 'below',
    listHead: true,
    cell: ({ started_at, ended_at }) => lastedWords(started_at, ended_at),
  },
]

export const versionColumns: Column<FleetVersion>[] = [
  {
    id: 'version',
    header: 'Version',
    width: 110,
    list: 'title',
    shape: 'two',
    cell: ({ version, created_at }) => (
      <TwoLines first={<span className="font-medium">{version}</span>} second={<RelativeTime at={created_at} />} />
    ),
  },
  {
    id: 'changes',
    header: 'What is new',
    list: 'below',
    shape: 'two',
    cell: ({ note, changes }) => (
      <TwoLines
        first={<span className="truncate">{note ?? changeWords(changes[0] ?? '')}</span>}
        second={
          <span className="truncate" title={changes.join('\n')}>
            {changes.map(changeWords).join(', ')}
          </span>
        }
      />
    ),
  },
  {
    id: 'runs',
    header: 'Runs',
    width: 240,
    shape: 'two',
    drop: 2,
    cell: ({ containers }) => (
      <TwoLines
        first={containers.length === 1 ? '1 container' : `${containers.length} containers`}
        second={
          <span className="truncate" title={containers.map(({ name, image }) => `${name}: ${image}`).join('\n')}>
            {containers.map(({ name, image }) => `${name} ${changeWords(image)}`).join(', ')}
          </span>
        }
      />
    ),
  },
  { id: 'by', header: 'By', width: 180, drop: 1, cell: ({ created_by }) => <span className="truncate">{created_by}</span> },
]

export const rolloutColumns: Column<Rollout>[] = [
  { id: 'version', header: 'Version', width: 90, list: 'title', cell: ({ version }) => version },
  { id: 'state', header: 'State', width: 130, list: 'aside', cell: ({ state }) => <StatusDot {...rolloutLooks[state]} /> },
  {
    id: 'devices',
    header: 'Devices',
    list: 'below',
    cell: (rollout) => doneWords(totalOf(rollout)),
  },
  { id: 'phase', header: 'Phase', width: 90, numeric: true, drop: 1, cell: (rollout) => phaseNow(rollout) ?? none },
  { id: 'by', header: 'By', width: 180, drop: 1, cell: ({ started_by }) => <span className="truncate">{started_by}</span> },
  { id: 'started', header: 'Started', width: 120, numeric: true, drop: 1, cell: ({ started_at }) => <RelativeTime at={started_at} /> },
]
