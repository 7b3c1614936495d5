import { Problem } from '@masthead/contract/kernel/problem'
import { idKind, newId } from '@masthead/contract/kernel/id'
import { groupCreated, groupDeleted, groupRenamed, groupUpdated } from '@masthead/contract/network-groups/events'
import { type GroupFields, mostNetworkGroups, type NetworkGroup } from '@masthead/contract/network-groups/network-group'
import { groupBuiltIn, groupNameTaken, tooManyGroups } from '@masthead/contract/network-groups/problems'
import type { Actor, Tx } from '../kernel/app.ts'
import { record } from '../kernel/record.ts'
import { followGroup, setLimit } from '../metering/index.ts'
import { getGroup, needGroups, needWhole } from './group-queries.ts'
import { moveWholeGroup } from './move-sims.ts'

const groupId = idKind('ngr')

/** Makes a group; what is not said is without limit, everywhere and by all technologies. */
export async function createGroup(tx: Tx, actor: Actor, { name, ...fields }: GroupFields & { name: string }): Promise<NetworkGroup> {
  await begin(tx, actor)
  const { account_id, at, email: updated_by } = actor
  const own = await tx
    .selectFrom('network_group')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('account_id', '=', account_id)
    .where('kind', '=', 'own')
    .executeTakeFirstOrThrow()
  if (own.count >= mostNetworkGroups) throw new Problem(tooManyGroups)
  await needFreeName(tx, actor, name, null)
  const id = newId(groupId, at.getTime())
  await tx.insertInto('network_group').values({ account_id, id, name, created_at: at, updated_at: at, updated_by }).execute()
  await write(tx, actor, await getGroup(tx, actor, id), fields)
  await record(tx, actor, groupCreated, { network_group_id: id, network_group_name: name })
  return getGroup(tx, actor, id)
}

/** Changes what is given and differs. It holds for the next Access-Request; what goes on of its SIMs follows by a job. */
export async function updateGroup(tx: Tx, actor: Actor, id: string, { name, ...fields }: GroupFields): Promise<NetworkGroup> {
  await begin(tx, actor)
  const before = await getGroup(tx, actor, id)
  if (before.kind === 'built_in') throw new Problem(groupBuiltIn)
  const { account_id } = actor
  if (name !== undefined && name !== before.name) {
    if (before.kind === 'default') throw new Problem(groupBuiltIn, 'The default network group keeps its name')
    await needFreeName(tx, actor, name, id)
    await tx.updateTable('network_group').set({ name }).where('account_id', '=', account_id).where('id', '=', id).execute()
    const renamed = { old_name: before.name, new_name: name }
    await record(tx, actor, groupRenamed, { network_group_id: id, network_group_name: name, ...renamed })
  }
  const changed = await write(tx, actor, before, fields)
  if (changed.length > 0) {
    const { sims } = before
    await record(tx, actor, groupUpdated, { network_group_id: id, network_group_name: name ?? before.name, changed, sims })
  }
  return getGroup(tx, actor, id)
}

/** Its SIMs are in the default group from now on. */
export async function deleteGroup(tx: Tx, actor: Actor, id: string): Promise<void> {
  await begin(tx, actor)
  const { account_id } = actor
  const { name, kind } = await getGroup(tx, actor, id)
  if (kind !== 'own') throw new Problem(groupBuiltIn, 'The default and the built-in network groups cannot be deleted')
  const before = await moveWholeGroup(tx, actor, id)
  // Whoever put SIMs into it meanwhile has done so once it is locked, and nobody does afterwards.
  await tx.selectFrom('network_group').select('id').where('account_id', '=', account_id).where('id', '=', id).forUpdate().execute()
  const sims = before + (await moveWholeGroup(tx, actor, id))
  await tx.deleteFrom('network_group').where('account_id', '=', account_id).where('id', '=', id).execute()
  await record(tx, actor, groupDeleted, { network_group_id: id, network_group_name: name, sims })
}

/** Changes of an account's groups come one after the other. */
async function begin(tx: Tx, actor: Actor) {
  needWhole(actor)
  await needGroups(tx, actor)
  await tx.selectFrom('account').select('id').where('id', '=', actor.account_id).forNoKeyUpdate().execute()
}

/** A word means a group by its id or its name (`getGroupByWord`): a name that is the id of another could not be meant. */
async function needFreeName(tx: Tx, { account_id }: Actor, name: string, but: string | null) {
  const taken = await tx
    .selectFrom('network_group')
    .select('id')
    .where('account_id', '=', account_id)
    .where((eb) => eb(eb.fn('lower', [eb.val(name)]), 'in', [eb.fn('lower', ['name']), eb.ref('id')]))
    .$if(but !== null, (query) => query.where('id', '<>', but!))
    .executeTakeFirst()
  const words = `There is a network group "${name}" already`
  if (taken) throw new Problem(groupNameTaken, words, { fields: { name: words } })
}

const sorted = (values: readonly string[] | null) => values && [...new Set(values)].toSorted()

/** Writes what differs and has the SIMs follow. Answers with the names of what was changed. */
async function write(tx: Tx, actor: Actor, before: NetworkGroup, fields: Omit<GroupFields, 'name'>): Promise<string[]> {
  const { account_id, at, email: updated_by } = actor
  const { id } = before
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<NetworkGroup>
  const after = { ...before, ...given }
  after.countries = sorted(after.countries)
  // A country as a whole has its networks with it.
  after.networks = after.countries === null ? [] : sorted(after.networks)!
  after.rats = sorted(after.rats) as NetworkGroup['rats']
  const differs = (name: keyof NetworkGroup) => JSON.stringify(after[name]) !== JSON.stringify(before[name])
  const own = (['countries', 'networks', 'rats', 'apn', 'imei_lock'] as const).filter(differs)
  const { limit_bytes: bytes, limit_period: period, on_limit: action } = after
  // Without a limit before and after, there is none to count another period or to do something else.
  const ofLimit =
    bytes === null && before.limit_bytes === null ? [] : (['limit_bytes', 'limit_period', 'on_limit'] as const).filter(differs)
  if (own.length + ofLimit.length === 0) return []
  const { countries, networks, rats, apn, imei_lock } = after
  await tx
    .updateTable('network_group')
    .set({ countries, networks, rats, apn, imei_lock, updated_at: at, updated_by })
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .execute()
  if (ofLimit.length > 0) await setLimit(tx, { account_id, group_id: id }, bytes === null ? null : { bytes, period, action }, at)
  if (own.some((name) => name === 'countries' || name === 'networks' || name === 'rats' || name === 'imei_lock'))
    await followGroup(tx, { account_id, group_id: id })
  return [...own, ...ofLimit]
}
