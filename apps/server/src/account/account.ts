import type { Account } from '@masthead/contract/account/account'
import type { Actor, Db } from '../kernel/app.ts'

/** The account being acted on, with its owner's e-mail. */
export async function getAccount(db: Db, { account_id, kind, lacks_factor }: Actor): Promise<Account> {
  const { suspended_at, used_up_at, created_at, erase_at, ...account } = await db
    .selectFrom('account')
    .innerJoin('person as owner', 'owner.account_id', 'account.id')
    .select(['account.id', 'owner.email', 'account.team_name', 'account.suspended_at', 'account.currency', 'account.timezone'])
    // No credits are left, where that stops SIMs: the same words to do the same about.
    .leftJoin('charge_account as charged', 'charged.account_id', 'account.id')
    .select(['charged.used_up_at', 'account.feature_flags', 'account.created_at', 'account.erase_at'])
    .where('account.id', '=', account_id)
    .executeTakeFirstOrThrow()
  const answer = {
    ...account,
    ...(lacks_factor && { lacks_factor }),
    suspended: suspended_at !== null || used_up_at !== null,
    ...(erase_at && { erase_at: erase_at.toISOString() }),
    created_at: created_at.toISOString(),
  }
  return kind === 'staff' ? { ...answer, staff_view: true } : answer
}
