import type { BulkAction } from '@masthead/contract/assets/bulk/bulk-action'
import { startBulkChange } from '@masthead/contract/assets/bulk/bulk-operations'
import type { Permission } from '@masthead/contract/kernel/permission'
import { rightsOf, secretStillCounts, standingOf } from '../../developers/index.ts'
import { actorMay, type Tx } from '../../kernel/app.ts'
import { coversTags } from '../../teams/index.ts'
import { alsoNeeds } from './chosen-assets.ts'
import type { Asked } from './tables.ts'
import type { Params } from './wish.ts'

/**
 * Whether who asked for a change, and the key they came with, could ask for it at this moment too, by the same secret and from the same
 * address, and see all that they saw then.
 */
export async function stillAllowed(
  tx: Tx,
  { account_id, actor, action, params }: { account_id: string; actor: Asked; action: BulkAction; params: Params },
  at: Date
): Promise<boolean> {
  const { standing } = await tx
    .selectNoFrom(standingOf(account_id, actor.person_id, actor.key?.id ?? null).as('standing'))
    .executeTakeFirstOrThrow()
  const now = standing && rightsOf(standing, at)
  if (!now || typeof now === 'string' || !(await secretStillCounts(tx, { ...actor, account_id }, at))) return false
  const needed = alsoNeeds[params.configures_core ? 'configure_core' : action]
  return actorMay(now, startBulkChange.access as Permission) && (!needed || actorMay(now, needed)) && coversTags(now.tags, actor.tags)
}
