import { sql } from 'kysely'
import { groupAssigned } from '@masthead/contract/network-groups/events'
import { Problem } from '@masthead/contract/kernel/problem'
import { defaultGroup } from '@masthead/contract/network-groups/network-group'
import { groupUnknown } from '@masthead/contract/network-groups/problems'
import type { Actor, Tx } from '../kernel/app.ts'
import { record, recordMany } from '../kernel/record.ts'
import { followGroup, followMove } from '../metering/index.ts'

type Group = { id: string; name: string }
type Named = { sim_id: string; iccid: string; asset_id: string; asset_name: string }

const columnOf = (group_id: string) => (group_id === defaultGroup ? null : group_id)

/** Puts locked SIMs (at most some hundred) into a group: its limit and its networks hold from then on. Throws network_group_unknown. */
export async function moveSims(tx: Tx, actor: Actor, sims: readonly Named[], group: Group): Promise<void> {
  if (sims.length === 0) return
  const { account_id, at } = actor
  await keepGroup(tx, actor, group)
  const ids = sims.map(({ sim_id }) => sim_id)
  await sql`update sim set group_id = ${columnOf(group.id)} where account_id = ${account_id} and id = any(${ids}::text[])`.execute(tx)
  const details = sims.map(({ sim_id, iccid, asset_id, asset_name }) => ({
    network_group_id: group.id,
    network_group_name: group.name,
    asset_id,
    asset_name,
    sim_id,
    iccid,
  }))
  if (details.length === 1) await record(tx, actor, groupAssigned, details[0]!)
  else await recordMany(tx, actor, groupAssigned, details)
  await followMove(tx, account_id, ids, at)
}

/** Whoever deletes the group waits until the SIMs are in it, and takes them out again. Throws network_group_unknown. */
async function keepGroup(tx: Tx, { account_id }: Actor, { id, name }: Group) {
  const kept = await tx
    .selectFrom('network_group')
    .select('id')
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .forKeyShare()
    .executeTakeFirst()
  if (!kept) throw new Problem(groupUnknown, `The network group "${name}" was deleted just now`)
}

/** Puts all SIMs of a group that goes into the default one, and answers how many; what follows for them is done by a job. */
export async function moveWholeGroup(tx: Tx, { account_id }: Actor, group_id: string): Promise<number> {
  const { rows } = await sql<{ sims: number }>`with mine as (
      select id from sim where account_id = ${account_id} and group_id = ${group_id} order by id for no key update
    ), raised as (
      -- A raise of the group's limit goes with it, or the SIM would keep the limit of a group that is gone.
      delete from usage_limit l using mine where l.account_id = ${account_id} and l.sim_id = mine.id and l.only_raise
    ), moved as (update sim s set group_id = null from mine where s.account_id = ${account_id} and s.id = mine.id returning s.id)
    select count(*)::int as sims from moved`.execute(tx)
  const { sims } = rows[0]!
  if (sims > 0) await followGroup(tx, { account_id, group_id: defaultGroup })
  return sims
}
