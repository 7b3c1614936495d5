import * as ops from '@masthead/contract/billing/operations'
import { read, stream, type Route } from '../../kernel/http/routes.ts'
import { getBalanceHistory } from './balance-history.ts'
import { exportTransactions, getBalance, getEntry, listTransactions } from './ledger-queries.ts'

export const ledgerRoutes: Route[] = [
  read(ops.getBalance, async ({ db, actor }) => ({ balance: await getBalance(db, actor.account_id, actor.at) })),
  read(ops.getBalanceHistory, ({ db, actor }) => getBalanceHistory(db, actor)),
  read(ops.listTransactions, ({ db, actor, query }) => listTransactions(db, actor, query)),
  read(ops.getTransaction, ({ db, actor, params }) => getEntry(db, actor, params.transaction_id)),
  stream(ops.exportTransactions, ({ db, actor, query }) => exportTransactions(db, actor, query)),
]
