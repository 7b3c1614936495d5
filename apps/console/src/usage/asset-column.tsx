import { Link } from 'react-router'
import { TwoLines, type Column } from '../ui/Table.tsx'

/** The asset of a row, with the SIM that the row is about. */
export const assetColumn: Column<{ asset_id: string; name: string; iccid: string }> = {
  id: 'name',
  header: 'Asset',
  cell: ({ asset_id, name, iccid }) => (
    <TwoLines
      first={
        <Link to={`/assets/${asset_id}`} className="font-medium hover:underline">
          {name}
        </Link>
      }
      second={<span className="mono">{iccid}</span>}
    />
  ),
  fixed: true,
  list: 'title',
  shape: 'two',
}
