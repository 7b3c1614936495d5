import type { Currency } from '@masthead/contract/billing/money'
import { micros } from '@masthead/contract/billing/money'
import { Problem } from '@masthead/contract/kernel/problem'
import { newId } from '@masthead/contract/kernel/id'
import { systemClock } from '@masthead/server/kernel/app'
import { post, proveLedger, switchOn } from '@masthead/server/billing/ledger/index'
import { loadConfig } from '@masthead/server/kernel/config'
import { connectDatabase } from '@masthead/server/kernel/database/open-database'
import { SecretKeys } from '@masthead/server/kernel/secrets/secret-keys'
import { testSecretKey } from './secret-key.ts'

/** The ledger of an account, with so many connections that move its money at once. */
export async function openSharedLedger(url: string, account_id: string, connections: number) {
  const keys = new SecretKeys(loadConfig({ DATABASE_URL: url, MASTHEAD_SECRET_KEY: testSecretKey }))
  const { db, pools } = connectDatabase(url, { name: 'bench', writes: connections, reads: 2, keys })
  await db.transaction().execute((tx) => switchOn(tx, { account_id, currency: 'USD' as Currency, by: 'bench', at: new Date() }))
  return {
    /** The balance after it; null: it was refused. */
    async move(amount: number, { refusable = false } = {}): Promise<number | null> {
      const posting = {
        account_id,
        key: newId({ prefix: 'bench' }),
        type: amount > 0 ? ('credit' as const) : ('charge' as const),
        sub_type: 'bench',
        amount_micros: micros(amount),
        against: amount > 0 ? ('cash' as const) : ('revenue' as const),
        description: 'Bench',
        actor: 'bench',
        source: 'system' as const,
        refusable,
      }
      try {
        const [posted] = await db.transaction().execute((tx) => post(tx, new Date(), [posting]))
        return posted!.balance_after_micros
      } catch (error) {
        if (error instanceof Problem) return null
        throw error
      }
    },
    prove: async () => (await proveLedger({ db, clock: systemClock })).differences,
    stop: () => Promise.all(pools.map((each) => each.end())),
  }
}
