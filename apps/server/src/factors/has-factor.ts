import { sql } from 'kysely'
import { lastFactorDemanded } from '@masthead/contract/auth/problems'
import { Problem } from '@masthead/contract/kernel/problem'
import type { Actor, Db, Tx } from '../kernel/app.ts'

/** SQL: whether the person whose id is `column` can prove more than a password: an authenticator app that was confirmed, or a passkey. */
export const factorOf = (
  column: string
) => `(exists (select from authenticator a where a.person_id = ${column} and a.confirmed_at is not null)
  or exists (select from passkey where passkey.person_id = ${column}))`

/** Whether somebody can prove more than a password. */
export async function hasFactor(db: Db, person_id: string): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`select ${sql.raw(factorOf('person.id'))} as has from person where id = ${person_id}`.execute(
    db
  )
  return rows[0]?.has === true
}

/**
 * Takes a factor off by `drop`, unless it is the last and one's own account, or the one acted on, demands one. Of several that go at once
 * one waits for the other. Throws last_factor_demanded.
 */
export async function dropFactor(tx: Tx, { person_id, account_id }: Actor, drop: () => Promise<unknown>): Promise<void> {
  const { account_id: own } = await tx.selectFrom('person').select('account_id').where('id', '=', person_id).executeTakeFirstOrThrow()
  const held = await tx
    .selectFrom('account')
    .select(['id', 'second_factor_demanded_at'])
    .where('id', 'in', [own, account_id])
    .orderBy('id')
    .forShare()
    .execute()
  await tx.selectFrom('person').select('id').where('id', '=', person_id).forNoKeyUpdate().execute()
  await drop()
  if (await hasFactor(tx, person_id)) return
  const demanding = held.filter((account) => account.second_factor_demanded_at !== null)
  if (demanding.some(({ id }) => id === own)) throw new Problem(lastFactorDemanded, ofOwn)
  if (demanding.length > 0) throw new Problem(lastFactorDemanded)
}

const ofOwn =
  'You require a second factor of everybody who works on your account, yourself included, and this is your last. Add another first, or make it optional'
