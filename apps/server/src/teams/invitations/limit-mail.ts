import { takeTry } from '../../auth/index.ts'
import type { Actor, Tx } from '../../kernel/app.ts'

/** Nobody's mailbox is filled by us: so many invitations a day from a team to one address, and from an account an hour. Throws 429. */
export async function limitMail(tx: Tx, { account_id, at }: Actor, email: string): Promise<void> {
  await takeTry(tx, at, { key: `invitation from ${account_id} to ${email}`, limit: 5, seconds: 86_400 })
  await takeTry(tx, at, { key: `invitations from ${account_id}`, limit: 100, seconds: 3600 })
}
