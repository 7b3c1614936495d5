import { useQuery } from '@tanstack/react-query'
import { listStaffSupport } from '@masthead/contract/backoffice/support-operations'
import { Link } from 'react-router'
import { q } from '../../api/query.ts'
import { Panel } from '../../ui/Panel.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import { PlainTable } from '../../ui/Table.tsx'
import { EmptyState, ErrorState } from '../../ui/EmptyState.tsx'
import { staffSupportColumns } from './support-columns.tsx'

const query = { page_size: 5 }

/** The newest access of support to devices, open and over: who, why and how long. */
export function LatestSupport() {
  const { data, error, refetch } = useQuery(q(listStaffSupport, { query }))
  return (
    <Panel
      title="Remote support"
      flush
      end={
        <Link className="link text-xs" to="/alpon-remote-support">
          View all
        </Link>
      }
    >
      {error && !data ? (
        <ErrorState title="The access of support could not be loaded" failure={error} onRetry={() => void refetch()} />
      ) : data ? (
        <PlainTable
          label="Remote support"
          columns={staffSupportColumns}
          rows={data.items}
          rowId={({ id }) => id}
          empty={<EmptyState title="No data found">Nobody has asked a customer for a terminal yet.</EmptyState>}
        />
      ) : (
        <div className="p-4">
          <SkeletonLines lines={3} />
        </div>
      )}
    </Panel>
  )
}
