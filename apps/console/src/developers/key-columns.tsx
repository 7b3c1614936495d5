import type { ApiKey } from '@masthead/contract/developers/api-key'
import { BesideLink } from '../kit/BesideLink.tsx'
import { RelativeTime } from '../kit/RelativeTime.tsx'
import { StatusDot } from '../ui/StatusDot.tsx'
import { TwoLines, type Column } from '../ui/Table.tsx'
import { keyLook, limitWords, scopesWords } from './key-words.ts'

/** Columns of the API keys (domain §1.17). */
export const keyColumns: Column<ApiKey>[] = [
  {
    id: 'name',
    header: 'Name',
    fixed: true,
    list: 'title',
    shape: 'two',
    cell: ({ id, name, prefix }) => (
      <TwoLines
        first={
          <BesideLink name="key" value={id}>
            <b className="font-medium">{name}</b>
          </BesideLink>
        }
        second={<span className="mono">{prefix}…</span>}
      />
    ),
  },
  {
    id: 'state',
    header: 'State',
    width: 156,
    list: 'aside',
    shape: 'two',
    cell: ({ state, previous }) => <TwoLines first={<StatusDot {...keyLook(state)} />} second={previous && 'Two valid secrets'} />,
  },
  {
    id: 'scopes',
    header: 'Permissions',
    width: 190,
    list: 'below',
    shape: 'two',
    cell: (key) => <TwoLines first={scopesWords(key.scopes)} second={limitWords(key).join(', ') || null} />,
  },
  { id: 'created_by', header: 'Created by', width: 180, drop: 1, cell: ({ created_by }) => <span className="truncate">{created_by}</span> },
  {
    id: 'last_used',
    header: 'Last used',
    width: 140,
    drop: 2,
    shape: 'two',
    cell: ({ last_used_at, last_used_ip }) => (
      <TwoLines first={<RelativeTime at={last_used_at} />} second={last_used_ip && <span className="mono">{last_used_ip}</span>} />
    ),
  },
  {
    id: 'expires',
    header: 'Expires',
    width: 110,
    drop: 2,
    cell: ({ expires_at }) => (expires_at ? <RelativeTime at={expires_at} /> : 'Never'),
  },
  { id: 'created', header: 'Created', width: 110, optional: true, cell: ({ created_at }) => <RelativeTime at={created_at} /> },
]
