import type { Repository, Tag } from '@masthead/contract/registry/image'
import { formatBytes } from '@masthead/contract/usage/bytes'
import { CellLink } from '../kit/CellLink.tsx'
import { RelativeTime } from '../kit/RelativeTime.tsx'
import { Badge } from '../ui/Badge.tsx'
import { CopyText } from '../ui/CopyText.tsx'
import { TwoLines, type Column } from '../ui/Table.tsx'
import { SignatureBadge } from './attached/SignatureParts.tsx'
import { VulnerabilityCounts } from './attached/VulnerabilityCounts.tsx'
import { devicesWords, platformsWords, pullsWords, repositoryHref, shortDigest, shortPlatformsWords, tagHref } from './registry-words.ts'

const onDevices = {
  id: 'devices',
  sort: 'devices',
  descendingFirst: true,
  width: 110,
  numeric: true,
  list: 'below',
  listHead: true,
  drop: 2,
  cell: ({ devices }) => (devices > 0 ? devicesWords(devices) : <span className="not-in-list text-fg-3">—</span>),
} satisfies Omit<Column<{ devices: number }>, 'header'>

export const repositoryColumns: Column<Repository>[] = [
  {
    id: 'name',
    header: 'Repository',
    sort: 'name',
    fixed: true,
    list: 'title',
    cell: ({ name }) => (
      <span className="truncate">
        <CellLink to={repositoryHref(name)}>{name}</CellLink>
      </span>
    ),
  },
  {
    id: 'tags',
    header: 'Tags',
    sort: 'tags',
    descendingFirst: true,
    width: 80,
    numeric: true,
    drop: 2,
    cell: ({ tags }) => tags.toLocaleString('en'),
  },
  {
    id: 'size',
    header: 'Size',
    sort: 'size_bytes',
    descendingFirst: true,
    width: 110,
    numeric: true,
    list: 'aside',
    cell: ({ size_bytes }) => formatBytes(size_bytes),
  },
  {
    id: 'pulls',
    header: 'Pulls, 30 days',
    sort: 'pulls_30_days',
    descendingFirst: true,
    width: 130,
    numeric: true,
    drop: 2,
    cell: ({ pulls_30_days }) => pulls_30_days.toLocaleString('en'),
  },
  { ...onDevices, header: 'Used by' },
  {
    id: 'pushed',
    header: 'Last push',
    sort: 'pushed_at',
    descendingFirst: true,
    width: 180,
    shape: 'two',
    list: 'below',
    listHead: true,
    drop: 3,
    cell: ({ pushed_at, pushed_by }) => <TwoLines first={<RelativeTime at={pushed_at} />} second={pushed_by} />,
  },
  {
    id: 'pulled',
    header: 'Last pull',
    sort: 'pulled_at',
    descendingFirst: true,
    width: 120,
    drop: 1,
    cell: ({ pulled_at }) => <RelativeTime at={pulled_at} />,
  },
]

/** Columns of a repository's tags. */
export const tagColumns = (repository: string): Column<Tag>[] => [
  {
    id: 'name',
    header: 'Tag',
    sort: 'name',
    fixed: true,
    list: 'title',
    shape: 'two',
    cell: (tag) => (
      <TwoLines
        first={
          <span className="flex items-center gap-2">
            <span className="min-w-0 truncate">
              <CellLink to={tagHref(repository, tag.name, tag.digest)}>{tag.name}</CellLink>
            </span>
            {tag.protected && <Badge>Protected</Badge>}
            {tag.immutable && <Badge>Immutable</Badge>}
          </span>
        }
        second={<span className="mono">{shortDigest(tag.digest)}</span>}
      />
    ),
  },
  {
    id: 'digest',
    header: 'Digest',
    sort: 'digest',
    width: 170,
    optional: true,
    drop: 0,
    cell: ({ digest }) => <CopyText text={digest} label="digest" max={18} />,
  },
  {
    id: 'size',
    header: 'Size',
    sort: 'size_bytes',
    descendingFirst: true,
    width: 100,
    numeric: true,
    list: 'aside',
    cell: ({ size_bytes }) => formatBytes(size_bytes),
  },
  {
    id: 'platforms',
    header: 'Platforms',
    sort: 'platforms',
    width: 124,
    drop: 1,
    cell: ({ platforms }) => (
      <span className="block truncate" title={platformsWords(platforms)}>
        {shortPlatformsWords(platforms)}
      </span>
    ),
  },
  {
    id: 'security',
    header: 'Security',
    sort: 'security',
    descendingFirst: true,
    width: 150,
    shape: 'two',
    list: 'below',
    listHead: true,
    drop: 2,
    cell: ({ signature, vulnerabilities }) => (
      <TwoLines first={<SignatureBadge of={signature} />} second={vulnerabilities && <VulnerabilityCounts of={vulnerabilities} />} />
    ),
  },
  { ...onDevices, header: 'Deployed on' },
  {
    id: 'pushed',
    header: 'Pushed',
    sort: 'pushed_at',
    descendingFirst: true,
    width: 140,
    shape: 'two',
    list: 'below',
    listHead: true,
    drop: 3,
    cell: ({ pushed_at, pushed_by }) => <TwoLines first={<RelativeTime at={pushed_at} />} second={pushed_by} />,
  },
  {
    id: 'pulled',
    header: 'Last pulled',
    sort: 'pulled_at',
    descendingFirst: true,
    width: 110,
    shape: 'two',
    drop: 2,
    cell: ({ pulled_at, pulls }) => <TwoLines first={<RelativeTime at={pulled_at} />} second={pulls > 0 ? pullsWords(pulls) : null} />,
  },
  {
    id: 'pulls',
    header: 'Pulls',
    sort: 'pulls',
    descendingFirst: true,
    width: 90,
    numeric: true,
    optional: true,
    drop: 1,
    cell: ({ pulls }) => pulls.toLocaleString('en'),
  },
]
