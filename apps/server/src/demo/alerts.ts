import { systemActor, type Tx } from '../kernel/app.ts'
import { acknowledgeAlerts, notifyOf } from '../notifications/index.ts'
import { ownerEmail } from './people.ts'

const month = 30 * 86_400_000

/** The alerts of what happened in the demo's last month, made as they always are; one of them somebody has seen to. */
export async function raiseDemoAlerts(tx: Tx, account_id: string, now: Date) {
  const events = await tx
    .selectFrom('event')
    .select(['account_id', 'id', 'at', 'category', 'action', 'actor_kind', 'actor_email', 'asset_id', 'detail'])
    .where('account_id', '=', account_id)
    .where('at', '>', new Date(now.getTime() - month))
    .orderBy('id')
    .execute()
  for (const { category, action, ...event } of events) await notifyOf(tx, { ...event, name: `${category}.${action}` })
  const seen = await tx
    .selectFrom('alert')
    .select('id')
    .where('account_id', '=', account_id)
    .where('cause', 'like', 'sim_block:%:staff')
    .execute()
  const { id: person_id } = await tx.selectFrom('person').select('id').where('email', '=', ownerEmail).executeTakeFirstOrThrow()
  const owner = { ...systemActor(account_id, new Date(now.getTime() - 3_600_000)), kind: 'member' as const, email: ownerEmail, person_id }
  if (seen.length > 0) await acknowledgeAlerts(tx, owner, { alert_ids: seen.map(({ id }) => id) })
}
