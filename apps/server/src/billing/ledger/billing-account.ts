import { isBillingCurrency, micros, type Currency, type Micros } from '@masthead/contract/billing/money'
import type { Tax } from '@masthead/contract/billing/invoices/tax'
import type { Db, Tx } from '../../kernel/app.ts'

export type BillingAccount = {
  account_id: string
  currency: Currency
  enabled_at: Date
  enabled_by: string
  balance_micros: Micros
  posted: number
  tax: Tax | null
}

/** Null while billing is off for an account. */
export async function findBillingAccount(db: Db, account_id: string): Promise<BillingAccount | null> {
  const row = await db
    .selectFrom('billing_account')
    .select(['account_id', 'currency', 'enabled_at', 'enabled_by', 'balance_micros', 'posted', 'tax_name', 'tax_basis_points'])
    .where('account_id', '=', account_id)
    .executeTakeFirst()
  if (!row) return null
  const { tax_name, tax_basis_points, ...account } = row
  const tax = tax_name === null ? null : { name: tax_name, basis_points: tax_basis_points }
  return { ...account, balance_micros: micros(account.balance_micros), tax }
}

/** Whoever moves money of an account locks its balance before all else, so that no two wait for each other. Undefined while billing is off. */
export const lockBalance = (tx: Tx, account_id: string) =>
  tx
    .selectFrom('billing_account')
    .select(['currency', 'tax_name', 'tax_basis_points'])
    .where('account_id', '=', account_id)
    .forNoKeyUpdate()
    .executeTakeFirst()

/** Switches billing on for an account, in its one currency. False: it was on. */
export async function switchOn(
  tx: Tx,
  { account_id, currency, by, at }: { account_id: string; currency: Currency; by: string; at: Date }
): Promise<boolean> {
  if (!isBillingCurrency(currency)) throw new RangeError(`No account can be billed in ${currency}`)
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

/** Says which tax is added to payments from now on. */
export const putTax = (tx: Tx, account_id: string, tax: Tax | null) =>
  tx
    .updateTable('billing_account')
    .set({ tax_name: tax?.name ?? null, tax_basis_points: tax?.basis_points ?? 0 })
    .where('account_id', '=', account_id)
    .execute()
