import { sql } from 'kysely'
import type { AccessCode } from '@masthead/contract/terminal/access-code'
import { accessCodeRemoved, accessCodeSet } from '@masthead/contract/terminal/events'
import { getAssetId } from '../../assets/index.ts'
import type { Actor, Db, Tx } from '../../kernel/app.ts'
import { record } from '../../kernel/record.ts'
import { endStanding } from '../support/end-support.ts'

const codes = (db: Db | Tx, { account_id }: Pick<Actor, 'account_id'>, asset_id: string) =>
  db.selectFrom('terminal_code').where('account_id', '=', account_id).where('asset_id', '=', asset_id)

/** Of an asset of the account; null: it has no code. */
export async function findCodeHash(db: Db | Tx, of: Pick<Actor, 'account_id'>, asset_id: string): Promise<string | null> {
  return (await codes(db, of, asset_id).select('code_hash').executeTakeFirst())?.code_hash ?? null
}

/** The same, and nobody sets another code or removes it until the transaction ends: who is let in by it is known to whoever asks all anew. */
export async function holdCodeHash(tx: Tx, of: Pick<Actor, 'account_id'>, asset_id: string): Promise<string | null> {
  return (await codes(tx, of, asset_id).select('code_hash').forShare().executeTakeFirst())?.code_hash ?? null
}

/**
 * Whether a person may be at the window of a terminal: its device asks for no code, they opened it, support did with the word of the customer, or they gave
 * the code for it.
 */
export async function mayBeAt(db: Db | Tx, { account_id, person_id }: Actor, terminal_id: string): Promise<boolean> {
  const { rows } = await sql<{
    may: boolean
  }>`select t.person_id = ${person_id} or t.support_id is not null or ${person_id} = any(t.code_given_by)
      or not exists (select from terminal_code c where c.account_id = t.account_id and c.asset_id = t.asset_id) as may
    from terminal_session t where t.account_id = ${account_id} and t.id = ${terminal_id}`.execute(db)
  return rows[0]?.may ?? false
}

export const noteCodeGiven = (tx: Tx, { account_id, person_id }: Actor, terminal_id: string) =>
  sql`update terminal_session set code_given_by = array_append(code_given_by, ${person_id})
    where account_id = ${account_id} and id = ${terminal_id} and state <> 'ended' and ${person_id} <> all(code_given_by)`.execute(tx)

export async function getAccessCode(db: Db | Tx, actor: Actor, key: string): Promise<AccessCode> {
  const row = await codes(db, actor, await getAssetId(db, actor, key))
    .select(['set_by', 'set_at'])
    .executeTakeFirst()
  return { is_set: row !== undefined, set_by: row?.set_by ?? null, set_at: row?.set_at.toISOString() ?? null }
}

const nameOf = async (tx: Tx, { account_id }: Actor, asset_id: string) =>
  (await tx.selectFrom('asset').select('name').where('account_id', '=', account_id).where('id', '=', asset_id).executeTakeFirstOrThrow())
    .name

/** `code_hash`: made before, as it takes a while. */
export async function updateAccessCode(tx: Tx, actor: Actor, key: string, code_hash: string): Promise<AccessCode> {
  const { account_id, email: set_by, at: set_at } = actor
  const asset_id = await getAssetId(tx, actor, key)
  // As whoever asks for support does, so that none is let in meanwhile because there is no code.
  await tx.selectFrom('account').select('id').where('id', '=', account_id).forNoKeyUpdate().execute()
  await tx
    .insertInto('terminal_code')
    .values({ account_id, asset_id, code_hash, set_by, set_at })
    .onConflict((conflict) => conflict.columns(['account_id', 'asset_id']).doUpdateSet({ code_hash, set_by, set_at }))
    .execute()
  // Who gave the one before is asked for this one.
  await sql`update terminal_session set code_given_by = '{}'
    where account_id = ${account_id} and asset_id = ${asset_id} and state <> 'ended' and code_given_by <> '{}'`.execute(tx)
  await endStanding(tx, actor, 'ended', asset_id)
  await record(tx, actor, accessCodeSet, { asset_id, asset_name: await nameOf(tx, actor, asset_id) })
  return getAccessCode(tx, actor, asset_id)
}

export async function removeAccessCode(tx: Tx, actor: Actor, key: string): Promise<AccessCode> {
  const asset_id = await getAssetId(tx, actor, key)
  const { numDeletedRows } = await tx
    .deleteFrom('terminal_code')
    .where('account_id', '=', actor.account_id)
    .where('asset_id', '=', asset_id)
    .executeTakeFirst()
  if (numDeletedRows > 0n) await record(tx, actor, accessCodeRemoved, { asset_id, asset_name: await nameOf(tx, actor, asset_id) })
  return getAccessCode(tx, actor, asset_id)
}
