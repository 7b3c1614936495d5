import { sql } from 'kysely'
import { Problem } from '@masthead/contract/kernel/problem'
import { getAssetId } from '../assets/index.ts'
import { rightsOf, standingOf } from '../developers/index.ts'
import { factorOf } from '../factors/index.ts'
import { actorMay, systemActor, type Actor, type Db } from '../kernel/app.ts'

type Opened = { account_id: string; person_id: string; asset_id: string }

/** Whether who opened something on a device may still open it there, wherever they are now. */
export async function mayStill(
  db: Db,
  { account_id, person_id, asset_id }: Opened,
  { access }: { access: Parameters<typeof actorMay>[1] },
  at: Date
): Promise<boolean> {
  if (await lacksFactor(db, { account_id, person_id }, at)) return false
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

/** Whether the account demands a second factor by now, and none is proved in any session of theirs. */
async function lacksFactor(db: Db, { account_id, person_id }: Omit<Opened, 'asset_id'>, at: Date): Promise<boolean> {
  const { rows } = await sql`select from account join person on person.id = ${person_id}
    where account.id = ${account_id} and second_factor_demanded_at is not null
    and not (${sql.raw(factorOf('person.id'))} and exists (select from session s
      where s.person_id = person.id and s.two_factors_at is not null and s.expires_at > ${at}))`.execute(db)
  return rows.length > 0
}
