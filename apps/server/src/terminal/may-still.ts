import { Problem } from '@masthead/contract/kernel/problem'
import { getAssetId } from '../assets/index.ts'
import { rightsOf, standingOf } from '../developers/index.ts'
import { actorMay, systemActor, type Actor, type Db } from '../kernel/app.ts'

type Opened = { account_id: string; person_id: string; asset_id: string }

/** Whether who opened something on a device may still open it there, wherever they are now. */
export async function mayStill(
  db: Db,
  { account_id, person_id, asset_id }: Opened,
  { access }: { access: Parameters<typeof actorMay>[1] },
  at: Date
): Promise<boolean> {
  const { standing } = await db.selectNoFrom(standingOf(account_id, person_id, null).as('standing')).executeTakeFirstOrThrow()
  const rights = standing ? rightsOf(standing, at) : 'person_gone'
  if (typeof rights === 'string' || !actorMay(rights, access)) return false
  const maker: Actor = { ...systemActor(account_id, at), kind: 'member', person_id, permissions: rights.permissions, tags: rights.tags }
  return getAssetId(db, maker, asset_id).then(
    () => true,
    (error: unknown) => {
      if (error instanceof Problem) return false
      throw error
    }
  )
}
