import { micros } from '@masthead/contract/billing/money'
import type { App, Tx } from '../../kernel/app.ts'
import { post } from './post.ts'

const atOnce = 100

/**
 * Takes away what is left of credits whose time is over. `settle`: what accounts used before then goes to the ledger first, piece by piece in transactions of their own;
 * true as long as there is more. May be repeated.
 */
export async function expireGrants(
  { db, clock }: App,
  settle: (tx: Tx, accounts: readonly string[], at: Date) => Promise<boolean>
): Promise<void> {
  for (;;) {
    const at = clock.now()
    const more = await db.transaction().execute(async (tx) => {
      const due = tx
        .selectFrom('ledger_grant')
        .select(['account_id', 'transaction_id'])
        .where('expires_at', '<=', at)
        .where('remaining_micros', '>', 0)
        .orderBy('account_id')
        .limit(atOnce)
      const accounts = [...new Set((await due.execute()).map(({ account_id }) => account_id))]
      if (accounts.length === 0) return false
      if (await settle(tx, accounts, at)) return true
      // Locked as when posting, so that what is left is still left.
      await tx
        .selectFrom('billing_account')
        .select('account_id')
        .where('account_id', 'in', accounts)
        .orderBy('account_id')
        .forNoKeyUpdate()
        .execute()
      const left = await due
        .clearSelect()
        .innerJoin('ledger_transaction as given', (on) =>
          on.onRef('given.account_id', '=', 'ledger_grant.account_id').onRef('given.id', '=', 'ledger_grant.transaction_id')
        )
        .select(['ledger_grant.account_id', 'transaction_id', 'remaining_micros', 'expires_at', 'given.description', 'kind'])
        .where('ledger_grant.account_id', 'in', accounts)
        .clearOrderBy()
        .orderBy('ledger_grant.account_id')
        .execute()
      await post(
        tx,
        at,
        left.map(({ account_id, transaction_id, remaining_micros, expires_at, description, kind }) => ({
          account_id,
          key: `expiry:${transaction_id}`,
          type: 'expiry',
          sub_type: kind,
          amount_micros: micros(0 - remaining_micros),
          against: kind === 'granted' ? 'granted' : 'revenue',
          description: `Expired: ${description}`,
          actor: 'system',
          source: 'system',
          effective_at: expires_at!,
          corrects: transaction_id,
        }))
      )
      return true
    })
    if (!more) return
  }
}
