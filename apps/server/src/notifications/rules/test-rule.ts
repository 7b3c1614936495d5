import { newId } from '@masthead/contract/kernel/id'
import type { House, Person } from '@masthead/testkit/house'

/** A rule that only notifies by now, and a firing from before whose action is to come in an hour. */
export async function putRule({ db, clock }: House, { account_id, email }: Person, asset_id: string) {
  const at = clock.now()
  const [rule_id, firing_id] = [newId({ prefix: 'rul' }), newId({ prefix: 'fir' })]
  const measured = { metric: 'usage_day', threshold: 1e9, scope: '', severity: 'warn', cooldown_days: 1 } as const
  const acts = { action: 'tell', network_group_id: null, after_minutes: 60, most_sims: 20 } as const
  const made = { enabled_at: at, created_at: at, created_by: email, looked_at: at }
  await db
    .insertInto('alert_rule')
    .values({ account_id, id: rule_id, name: 'Rule', ...measured, ...acts, ...made })
    .execute()
  const { id: sim_id } = await db.selectFrom('sim').select('id').where('asset_id', '=', asset_id).executeTakeFirstOrThrow()
  const due = { at, act_at: new Date(at.getTime() + 3_600_000), day: at.toISOString().slice(0, 10), value: 2e9 }
  await db
    .insertInto('alert_rule_firing')
    .values({ account_id, id: firing_id, rule_id, asset_id, sim_id, ...due })
    .execute()
  return { rule_id, firing_id }
}
