import { updateDataPool } from '@masthead/contract/datapools/operations'
import type { DataPool } from '@masthead/contract/datapools/pool'
import { useId } from 'react'
import { useOperation } from '../api/query.ts'
import { Switch } from '../ui/Checkbox.tsx'
import { toast } from '../ui/toast.ts'
import { usePoolClosed } from './use-pool-closed.ts'

/** On or off at once; why not stands beside it. */
export function AutoRenew({ pool }: { pool: DataPool }) {
  const why = usePoolClosed(updateDataPool, pool)
  const mutation = useOperation(updateDataPool)
  const words = useId()
  return (
    <span className="flex items-center gap-2" title={why ?? undefined}>
      <Switch
        checked={mutation.isPending ? mutation.variables.body!.auto_renew! : pool.auto_renew}
        label={`Auto-renew ${pool.name}`}
        {...(why !== null && { describedBy: words })}
        disabled={why !== null || mutation.isPending}
        onChange={(auto_renew) =>
          mutation.mutate({ params: { pool_id: pool.id }, body: { auto_renew } }, { onError: (failure) => toast.failure(failure) })
        }
      />
      <span>Auto-renew</span>
      {why && (
        <span id={words} className="sr-only">
          {why}
        </span>
      )}
    </span>
  )
}
