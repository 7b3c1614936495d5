import type { NetworkGroup } from '@masthead/contract/network-groups/network-group'
import { technologies } from '@masthead/contract/networks/network'
import { formatBytes } from '@masthead/contract/usage/bytes'
import { Link } from 'react-router'
import { CellLink } from '../kit/CellLink.tsx'
import { RelativeTime } from '../kit/RelativeTime.tsx'
import { Badge } from '../ui/Badge.tsx'
import { TwoLines, type Column } from '../ui/Table.tsx'
import { placesWords } from './places-words.ts'

/** The default one is called so. */
const kinds = { default: null, built_in: 'Built-in', own: null }
const abouts = { default: 'New SIMs are in it', built_in: 'The same on every account', own: null }

const ratNames = (rats: NetworkGroup['rats']) => (rats === null ? 'All' : rats.map((rat) => technologies[rat]).join(', '))

export const groupHref = ({ id }: Pick<NetworkGroup, 'id'>) => `/network-groups/${id}`

/** Columns of the list (domain §1.8). */
export const groupColumns: Column<NetworkGroup>[] = [
  {
    id: 'name',
    header: 'Group',
    fixed: true,
    list: 'title',
    shape: 'two',
    cell: (group) => (
      <TwoLines
        first={
          <span className="flex items-center gap-2">
            <CellLink to={groupHref(group)}>{group.name}</CellLink>
            {kinds[group.kind] && <Badge>{kinds[group.kind]}</Badge>}
          </span>
        }
        second={abouts[group.kind] ?? (group.updated_by && `by ${group.updated_by}`)}
      />
    ),
  },
  {
    id: 'limit',
    header: 'Data limit per SIM',
    width: 150,
    list: 'below',
    shape: 'two',
    cell: ({ limit_bytes, limit_period, on_limit }) =>
      limit_bytes === null ? (
        'No limit'
      ) : (
        <TwoLines first={`${formatBytes(limit_bytes)} a ${limit_period}`} second={on_limit === 'block' ? 'then block' : 'notify only'} />
      ),
  },
  {
    id: 'places',
    header: 'Countries and operators',
    width: 190,
    drop: 2,
    list: 'below',
    shape: 'two',
    cell: (group) => <TwoLines {...placesWords(group)} />,
  },
  { id: 'rats', header: 'Technologies', width: 140, drop: 2, cell: ({ rats }) => <span className="truncate">{ratNames(rats)}</span> },
  {
    id: 'sims',
    header: 'SIMs',
    width: 130,
    numeric: true,
    list: 'aside',
    shape: 'two',
    cell: ({ id, sims, sims_at_limit, limit_bytes }) => (
      <TwoLines
        first={
          <Link className="hover:underline" to={`/assets?network_group=${encodeURIComponent(id)}`}>
            {sims.toLocaleString('en')} <span className="only-list">{sims === 1 ? 'SIM' : 'SIMs'}</span>
          </Link>
        }
        second={
          limit_bytes === null || sims === 0
            ? null
            : sims_at_limit === 0
              ? 'all under the limit'
              : `${sims_at_limit.toLocaleString('en')} reached it`
        }
      />
    ),
  },
  {
    id: 'updated',
    header: 'Changed',
    width: 110,
    numeric: true,
    drop: 1,
    cell: ({ kind, updated_at, updated_by }) =>
      kind === 'own' || updated_by ? <RelativeTime at={updated_at} /> : <span className="text-fg-3">—</span>,
  },
]
