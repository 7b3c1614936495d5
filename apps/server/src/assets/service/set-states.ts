import { sql } from 'kysely'
import { servedStates } from '@masthead/contract/assets/service'
import type { SimState } from '@masthead/contract/assets/sim'
import type { Actor, Tx } from '../../kernel/app.ts'
import { anyOf } from '../viewer.ts'
import { reconcileLater } from './reconcile.ts'
import type { NamedSim, SimOf } from './sims.ts'

/** Writes the state of locked SIMs, which may all go there, in one statement; what those have open that lose their service is cut by one job. */
export async function setSimStates(tx: Tx, actor: Actor, sim_ids: readonly string[], state: SimState): Promise<void> {
  if (sim_ids.length === 0) return
  const { account_id } = actor
  await tx
    .updateTable('sim')
    .set({ state, state_changed_at: actor.at, state_changed_by: actor.email })
    .set(
      state === 'active'
        ? { activated_at: sql`coalesce(activated_at, ${actor.at})` }
        : { active_until: sql`case when state = 'active' then ${actor.at}::timestamptz else active_until end` }
    )
    .where('account_id', '=', account_id)
    .where('id', '=', anyOf(sim_ids))
    .execute()
  if (servedStates.includes(state)) return
  await reconcileLater(
    tx,
    sim_ids.map((sim_id) => ({ account_id, sim_id }))
  )
}

/**
 * Ready and standby SIMs that came on the network are active from now on: answers with them. A ready one that has a test allowance stays ready
 * until that is used up (end-tests.ts). Others stay as they are.
 */
export async function wakeSims(tx: Tx, sims: readonly SimOf[], at: Date): Promise<NamedSim[]> {
  const [accounts, ids] = [sims.map((sim) => sim.account_id), sims.map((sim) => sim.sim_id)]
  const { rows } = await sql<NamedSim>`
    update sim s set state = 'active', state_changed_at = ${at}, state_changed_by = 'system', activated_at = coalesce(s.activated_at, ${at})
    from unnest(${accounts}::text[], ${ids}::text[]) as k(account_id, id), asset a
    where s.account_id = k.account_id and s.id = k.id and (s.state = 'standby' or s.state = 'ready' and s.test_bytes is null) and a.account_id = s.account_id and a.id = s.asset_id
    returning s.account_id, s.id as sim_id, s.iccid, s.asset_id, a.name as asset_name`.execute(tx)
  return rows
}
