import type { StaffSupport } from '@masthead/contract/backoffice/support-operations'
import { Link } from 'react-router'
import { Panel } from '../../ui/Panel.tsx'
import { PlainTable } from '../../ui/Table.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { staffSupportColumns } from './support-columns.tsx'

/** The newest access of support to devices, open and over: who, why and how long. `rows` undefined: they are on their way. */
export const LatestSupport = ({ rows }: { rows: readonly StaffSupport[] | undefined }) => (
  <Panel
    title="Remote support"
    flush
    end={
      <Link className="link text-xs" to="/alpon-remote-support">
        View all
      </Link>
    }
  >
    <PlainTable
      label="Remote support"
      columns={staffSupportColumns}
      rows={rows}
      rowId={({ id }) => id}
      skeletonRows={3}
      empty={<EmptyState title="No data found">Nobody has asked a customer for a terminal yet.</EmptyState>}
    />
  </Panel>
)
