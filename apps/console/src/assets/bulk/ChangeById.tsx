import { useQuery } from '@tanstack/react-query'
import { getBulkChange } from '@masthead/contract/assets/bulk/bulk-operations'
import { q } from '../../api/query.ts'
import { Button } from '../../ui/Button.tsx'
import { ErrorState } from '../../ui/EmptyState.tsx'
import { Modal } from '../../ui/Modal.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import { BulkResult } from './BulkResult.tsx'

/** A change that was begun before, by its id. */
export function ChangeById({ id, onClose }: { id: string; onClose: () => void }) {
  const { data, error, refetch } = useQuery(q(getBulkChange, { params: { bulk_id: id } }))
  if (data) return <BulkResult change={data} onClose={onClose} />
  const missing = error?.status === 404
  return (
    <Modal open onClose={onClose} title="Change of many assets" footer={<Button onClick={onClose}>Close</Button>}>
      {missing ? (
        <p>There is no such change, or it is not yours to see. Changes are kept for 30 days.</p>
      ) : error ? (
        <ErrorState title="The change could not be loaded" failure={error} onRetry={() => void refetch()} />
      ) : (
        <SkeletonLines lines={4} />
      )}
    </Modal>
  )
}
