import type { getStaffDevice as promise } from '@masthead/contract/backoffice/device-operations'
import type { Reply } from '@masthead/contract/kernel/operation'
import { getDevice } from '../devices/index.ts'
import type { Actor, Db } from '../kernel/app.ts'

/** The device of an asset of whatever account, as it reported itself. */
export async function getStaffDevice(
  db: Db,
  actor: Actor,
  { account_id, id }: { account_id: string; id: string }
): Promise<Reply<typeof promise>> {
  const [asset, account, { device }] = await Promise.all([
    db
      .selectFrom('asset')
      .select(['id', 'name', 'type', 'serial'])
      .where('account_id', '=', account_id)
      .where('id', '=', id)
      .executeTakeFirstOrThrow(),
    db
      .selectFrom('account')
      .innerJoin('person as owner', 'owner.account_id', 'account.id')
      .select(['owner.email', 'account.team_name'])
      .where('account.id', '=', account_id)
      .executeTakeFirstOrThrow(),
    getDevice(db, { ...actor, account_id, tags: [] }, id),
  ])
  return { asset, account, device }
}
