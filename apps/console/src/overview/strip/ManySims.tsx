import { useMemo } from 'react'
import { Link, useNavigate } from 'react-router'
import { StateShape } from '../../ui/StateShape.tsx'
import type { Column } from '../../ui/Table.tsx'
import { WindowedTable } from '../../ui/WindowedTable.tsx'
import { looks } from './row-words.ts'
import type { State } from './strip-lines.ts'

export type SimRow = { asset_id: string; name: string; state: State; when: string }

/** SIMs with what they were and when, however many: only those in sight are drawn. */
export function ManySims({ title, count, rowOf }: { title: string; count: number; rowOf: (place: number) => SimRow }) {
  const navigate = useNavigate()
  const rows = useMemo(() => Array.from({ length: count }, (_, place) => rowOf(place)), [count, rowOf])
  return (
    <WindowedTable
      label={title}
      columns={columns}
      rows={rows}
      rowId={({ asset_id }) => asset_id}
      height={360}
      onOpen={({ asset_id }) => void navigate(`/assets/${asset_id}`)}
    />
  )
}

const columns: Column<SimRow>[] = [
  {
    id: 'name',
    header: 'SIM',
    cell: ({ asset_id, name }) => (
      <Link to={`/assets/${asset_id}`} tabIndex={-1} className="truncate font-medium hover:underline">
        {name}
      </Link>
    ),
  },
  {
    id: 'state',
    header: 'State',
    width: 104,
    cell: ({ state }) => {
      const { label, ...look } = looks[state]
      return (
        <span className="inline-flex items-center gap-1.5">
          <StateShape {...look} />
          {label}
        </span>
      )
    },
  },
  { id: 'when', header: 'When', width: 168, cell: ({ when }) => <span className="truncate text-fg-2">{when}</span> },
]
