import { nameChanged } from '@masthead/contract/auth/events'
import { notifySecurity } from '../factors/index.ts'
import type { Actor, Tx } from '../kernel/app.ts'

/** Changes what the person is called; null takes it away. It stands in the activities of their own account, if anything changed. */
export async function updatePerson(tx: Tx, actor: Actor, { name }: { name: string | null }): Promise<{ name: string | null }> {
  const { person_id } = actor
  const { name: old_name } = await tx.selectFrom('person').select('name').where('id', '=', person_id).forUpdate().executeTakeFirstOrThrow()
  if (name === old_name) return { name }
  await tx.updateTable('person').set({ name }).where('id', '=', person_id).execute()
  await notifySecurity(tx, actor, nameChanged, { old_name, new_name: name })
  return { name }
}
