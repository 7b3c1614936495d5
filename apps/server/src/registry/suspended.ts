import { Problem } from '@masthead/contract/kernel/problem'
import { registrySuspended } from '@masthead/contract/registry/problems'
import type { Actor, Tx } from '../kernel/app.ts'

/** A suspended account goes on pulling, and closes what it wants closed: it protects tags and deletes robots. Nothing else changes. Throws registry_suspended. */
export async function needService(tx: Tx, { account_id }: Pick<Actor, 'account_id'>): Promise<void> {
  const { suspended_at } = await tx.selectFrom('account').select('suspended_at').where('id', '=', account_id).executeTakeFirstOrThrow()
  if (suspended_at) throw new Problem(registrySuspended)
}
