import { micros, type Currency, type Micros } from '@masthead/contract/billing/money'
import type { Db, Tx } from '../../kernel/app.ts'

export type BillingAccount = {
  account_id: string
  currency: Currency
  enabled_at: Date
  enabled_by: string
  balance_micros: Micros
  posted: number
}

/** Null while billing is off for an account. */
export async function findBillingAccount(db: Db, account_id: string): Promise<BillingAccount | null> {
  const row = await db
    .selectFrom('billing_account')
    .select(['account_id', 'currency', 'enabled_at', 'enabled_by', 'balance_micros', 'posted'])
    .where('account_id', '=', account_id)
    .executeTakeFirst()
  return row ? { ...row, balance_micros: micros(row.balance_micros) } : null
}

/** Switches billing on for an account, in its one currency. False: it was on. */
export async function switchOn(
  tx: Tx,
  { account_id, currency, by, at }: { account_id: string; currency: Currency; by: string; at: Date }
): Promise<boolean> {
  const made = await tx
    .insertInto('billing_account')
    .values({ account_id, currency, enabled_at: at, enabled_by: by })
    .onConflict((conflict) => conflict.doNothing())
    .returning('account_id')
    .executeTakeFirst()
  if (!made) return false
  await tx.updateTable('account').set({ currency }).where('id', '=', account_id).execute()
  return true
}
