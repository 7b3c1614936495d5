import { billingOff } from '@masthead/contract/billing/ledger-problems'
import { billingProfileChanged } from '@masthead/contract/billing/invoices/events'
import { documentLetters, type BillingProfile } from '@masthead/contract/billing/invoices/profile'
import { invalidRequest, Problem } from '@masthead/contract/kernel/problem'
import type { Actor, Db, Tx } from '../../kernel/app.ts'
import { record } from '../../kernel/record.ts'
import { findBillingAccount } from '../ledger/index.ts'
import { monthsToClose } from './months.ts'

export async function findProfile(db: Db, account_id: string): Promise<BillingProfile | null> {
  const row = await db
    .selectFrom('billing_profile')
    .select(['company', 'address', 'postal_code', 'city', 'country', 'tax_id', 'emails'])
    .where('account_id', '=', account_id)
    .executeTakeFirst()
  return row ?? null
}

export async function getProfile(db: Db, { account_id, at }: Pick<Actor, 'account_id' | 'at'>) {
  const profile = await findProfile(db, account_id)
  return { profile, waiting_months: profile ? [] : (await monthsToClose(db, account_id, at)).map((month) => month.slice(0, 7)) }
}

function refuseUndrawn({ company, address, postal_code, city }: BillingProfile) {
  const words = 'Documents are in Latin, Greek and Cyrillic letters: write it in these'
  const undrawn = Object.entries({ company, address, postal_code, city }).filter(([, text]) => !documentLetters.test(text ?? ''))
  if (undrawn.length > 0) throw new Problem(invalidRequest, words, { fields: Object.fromEntries(undrawn.map(([field]) => [field, words])) })
}

/** Documents that were issued stay as they are. Throws billing_off, invalid_request. */
export async function setProfile(tx: Tx, actor: Actor, profile: BillingProfile): Promise<BillingProfile> {
  const { account_id, at, email } = actor
  refuseUndrawn(profile)
  if (!(await findBillingAccount(tx, account_id))) throw new Problem(billingOff)
  const before = await findProfile(tx, account_id)
  if (JSON.stringify(before) === JSON.stringify(profile)) return profile
  const row = { ...profile, changed_at: at, changed_by: email }
  await tx
    .insertInto('billing_profile')
    .values({ account_id, ...row })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(row))
    .execute()
  await record(tx, actor, billingProfileChanged, { company: profile.company, country: profile.country })
  return profile
}
