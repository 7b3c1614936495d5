import { takeTry } from '../auth/index.ts'
import type { Actor, Tx } from '../kernel/app.ts'

/** Nobody's mailbox is filled by us: so many reports a day are meant for one address, and so many addresses an hour are named. Throws too_many_requests. */
export async function limitMail(
  tx: Tx,
  { account_id, at }: Pick<Actor, 'account_id' | 'at'>,
  recipients: readonly string[]
): Promise<void> {
  for (const to of new Set(recipients)) {
    await takeTry(tx, at, { key: `report of ${account_id} to ${to}`, limit: 20, seconds: 86_400 })
    await takeTry(tx, at, { key: `reports mailed of ${account_id}`, limit: 200, seconds: 3600 })
  }
}
