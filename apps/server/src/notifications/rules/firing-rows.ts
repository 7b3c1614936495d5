import { sql, type Selectable } from 'kysely'
import type { RuleAction } from '@masthead/contract/notifications/rule-action'
import type { Wish } from '../../assets/bulk/index.ts'
import type { Tx } from '../../kernel/app.ts'
import type { Database } from '../../kernel/database/database.ts'

export type FiringRow = Selectable<Database['alert_rule_firing']>
export type RuleRow = Selectable<Database['alert_rule']>
/** What a firing keeps of what was done to its SIM, by which action, and who answered for that then; those of before do not say. */
export type Kept = { action?: RuleAction; did: Wish | null; before: Wish | null; by?: Pick<RuleRow, 'person_id' | 'key_id'> }
/** An action, or taking it back, that fails is tried again for so long, from its first try on: nothing may have run when it was due. */
const longestTried = 3_600_000
/** In one minute. */
export const mostActs = 1000

/** When the next day or month (UTC) begins. */
export function beginOfNext(period: 'day' | 'month', at: Date): Date {
  const [year, month] = [at.getUTCFullYear(), at.getUTCMonth()]
  return new Date(period === 'month' ? Date.UTC(year, month + 1) : Date.UTC(year, month, at.getUTCDate() + 1))
}

/** It notifies nobody and changes no SIM just now. */
export const isSilenced = ({ silenced_until }: Pick<RuleRow, 'silenced_until'>, at: Date): boolean =>
  silenced_until !== null && silenced_until > at

/** Nothing is measured of an account that is closed or suspended, and nothing of it changed. */
export const isOpen = (account_id: 'alert_rule.account_id' | 'alert_rule_firing.account_id') =>
  sql<boolean>`exists (select from account a where a.id = ${sql.ref(account_id)} and a.closed_at is null and a.suspended_at is null)`

/** The rule of a firing and the firing, both locked; null: gone. */
export async function lockBoth(tx: Tx, { account_id, rule_id, id }: Pick<FiringRow, 'account_id' | 'rule_id' | 'id'>) {
  const rule = await tx
    .selectFrom('alert_rule')
    .selectAll()
    .select(isOpen('alert_rule.account_id').as('is_open'))
    .where('account_id', '=', account_id)
    .where('id', '=', rule_id)
    .forUpdate()
    .executeTakeFirst()
  const firing = rule && (await lockFiring(tx, rule, id))
  return firing ? { rule, firing } : null
}

/** Rules that are deleted, of one account or (null) of all, go once nothing of what they did is still to be taken back. */
export async function forgetDeleted(tx: Tx, account_id: string | null): Promise<void> {
  await sql`delete from alert_rule r where r.deleted_at is not null and (${account_id}::text is null or r.account_id = ${account_id})
    and not exists (select from alert_rule_firing f where f.account_id = r.account_id and f.rule_id = r.id and f.undo_at is not null)`.execute(
    tx
  )
}

export const lockFiring = (tx: Tx, { account_id, id: rule_id }: Pick<RuleRow, 'account_id' | 'id'>, id: string) =>
  tx
    .selectFrom('alert_rule_firing')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('rule_id', '=', rule_id)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

type Change = Partial<Pick<FiringRow, 'acted_at' | 'outcome' | 'before' | 'undone_at' | 'undone_by' | 'undo_at' | 'undo_left'>>

export async function settle(tx: Tx, { account_id, id }: Pick<FiringRow, 'account_id' | 'id'>, change: Change): Promise<void> {
  const settled = { ...change, tried_at: null }
  await tx.updateTable('alert_rule_firing').set(settled).where('account_id', '=', account_id).where('id', '=', id).execute()
}

/** Keeps since when what is due of a locked firing has failed each time, and answers whether that is long enough to give it up. */
export async function hasFailedLong(tx: Tx, { account_id, id, tried_at }: FiringRow, at: Date): Promise<boolean> {
  if (tried_at) return at.getTime() - tried_at.getTime() >= longestTried
  await tx.updateTable('alert_rule_firing').set({ tried_at: at }).where('account_id', '=', account_id).where('id', '=', id).execute()
  return false
}

/** What an event of a firing names. */
export async function aboutOf(tx: Tx, { id: rule_id, name: rule_name }: RuleRow, { account_id, asset_id }: FiringRow) {
  const asset = await tx
    .selectFrom('asset')
    .select('name')
    .where('account_id', '=', account_id)
    .where('id', '=', asset_id!)
    .executeTakeFirst()
  return { rule_id, rule_name, asset_id: asset_id!, asset_name: asset?.name ?? 'an asset that is gone' }
}

/** The asset has another SIM in use than the one that the rule fired for. What is in use is locked, as it is to be changed. */
export async function isSwapped(tx: Tx, { account_id, asset_id, sim_id }: FiringRow): Promise<boolean> {
  const inUse = await tx
    .selectFrom('asset')
    .innerJoin('sim', (join) => join.onRef('sim.account_id', '=', 'asset.account_id').onRef('sim.id', '=', 'asset.sim_id'))
    .select('sim.id')
    .where('asset.account_id', '=', account_id)
    .where('asset.id', '=', asset_id!)
    .forNoKeyUpdate('sim')
    .executeTakeFirst()
  return inUse !== undefined && sim_id !== null && inUse.id !== sim_id
}
