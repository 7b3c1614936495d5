import { sql } from 'kysely'
import { type BulkChange } from '@masthead/contract/assets/bulk/bulk'
import { undoable } from '@masthead/contract/assets/bulk/bulk-action'
import { bulkNotUndoable } from '@masthead/contract/assets/problems'
import { Problem } from '@masthead/contract/kernel/problem'
import type { Actor, Tx } from '../../kernel/app.ts'
import { getBulkChange } from './bulk-queries.ts'
import { begin, insertChange, partSize } from './start-bulk-change.ts'
import { undoing, wishOf, type Wish } from './wish.ts'

type Wished = { asset_id: string; wish: Wish }

/**
 * Brings the assets that a change has changed back to what they were, by a change of its own. What somebody has changed since stays. Throws not_found,
 * bulk_not_undoable.
 */
export async function undoBulkChange(tx: Tx, actor: Actor, bulk_id: string): Promise<BulkChange> {
  const { account_id } = actor
  await getBulkChange(tx, actor, bulk_id)
  const { action, tags, params } = await tx
    .selectFrom('bulk_change')
    .select(['action', 'tags', 'params'])
    .where('account_id', '=', account_id)
    .where('id', '=', bulk_id)
    .forUpdate()
    .executeTakeFirstOrThrow()
  // As it is now that nobody else can undo it meanwhile.
  const done = await getBulkChange(tx, actor, bulk_id)
  if (!done.can_undo) throw new Problem(bulkNotUndoable, whyNot(done))
  const id = await insertChange(tx, actor, { action: 'undo', tags, params: {} }, bulk_id)
  let [parts, total]: [number, number] = [0, 0]
  let waiting: Wished[] = []
  const flush = async () => {
    const [rows, rest] = [waiting.slice(0, partSize), waiting.slice(partSize)]
    waiting = rest
    total += rows.length
    const wishes = JSON.stringify(rows.map(({ wish }) => wish))
    const asset_ids = rows.map(({ asset_id }) => asset_id)
    await tx
      .insertInto('bulk_change_part')
      .values({ account_id, bulk_id: id, part: parts++, asset_ids, outcomes: null, wishes, before: null })
      .execute()
  }
  for (let part = 0; ; part++) {
    const row = await tx
      .selectFrom('bulk_change_part')
      .select(['asset_ids', 'outcomes', 'wishes', 'before'])
      .where('account_id', '=', account_id)
      .where('bulk_id', '=', bulk_id)
      .where('part', '=', part)
      .executeTakeFirst()
    if (!row) break
    const alike = row.wishes === null ? wishOf({ action, tags, params }) : null
    const wished = row.asset_ids.flatMap((asset_id, at): Wished[] => {
      const outcome = row.outcomes![at]
      if (outcome !== 'changed' && outcome !== 'blocked') return []
      return [{ asset_id, wish: undoing(alike ?? row.wishes![at]!, row.before?.[at] ?? null) }]
    })
    waiting.push(...(await withoutEnded(tx, account_id, wished)))
    if (waiting.length >= partSize) await flush()
  }
  if (waiting.length > 0) await flush()
  await begin(tx, actor, { id, total, parts })
  return getBulkChange(tx, actor, id)
}

/** Without the blocks of alert rules that hold the SIMs no more, as their time is over: nothing would take those off again. */
async function withoutEnded(tx: Tx, account_id: string, wished: readonly Wished[]): Promise<readonly Wished[]> {
  const held = wished.filter(({ wish }) => wish.blocked && wish.rule_id !== undefined)
  if (held.length === 0) return wished
  const rules = [...new Set(held.map(({ wish }) => wish.rule_id!))]
  const { rows } = await sql<{ asset_id: string; rule_id: string }>`select asset_id, rule_id from alert_rule_firing
    where account_id = ${account_id} and rule_id = any(${rules}::text[]) and asset_id = any(${held.map(({ asset_id }) => asset_id)}::text[])
      and outcome in ('changed', 'blocked') and coalesce(action, 'block_sim') = 'block_sim' group by 1, 2 having bool_and(undone_at is not null or undo_left is not null)`.execute(
    tx
  )
  const ended = new Set(rows.map(({ asset_id, rule_id }) => `${asset_id} ${rule_id}`))
  return wished.map(({ asset_id, wish }) => {
    const { blocked, why: _, rule_id, ...rest } = wish
    return { asset_id, wish: blocked && ended.has(`${asset_id} ${rule_id}`) ? rest : wish }
  })
}

function whyNot({ action, finished_at, changed }: BulkChange): string {
  if (finished_at === null) return 'The change goes on. Undo it when it has ended'
  if (action === 'terminate_sim') return 'A terminated SIM has left the network for ever'
  if (action === 'release') return 'The assets have left the account. Register them by their serial numbers to have them back'
  if (action === 'undo') return 'This change took another one back. Make that one again instead'
  if (!undoable.includes(action)) return 'This change cannot be taken back'
  return changed === 0 ? 'It changed nothing' : 'Somebody has undone it already'
}
