import * as ops from '@masthead/contract/billing/cost-operations'
import { read, type Route } from '../../kernel/http/routes.ts'
import { getPackageCosts } from './package-costs.ts'
import { getCostSummary, listCostShares } from './cost-queries.ts'
import { getPendingCharge, listPendingCharges } from './pending-charges.ts'
import { getTransactionUsage } from './transaction-usage.ts'

export const costRoutes: Route[] = [
  read(ops.getCostSummary, ({ db, actor, query }) => getCostSummary(db, actor, query.month)),
  read(ops.getPackageCosts, ({ db, actor, query }) => getPackageCosts(db, actor, query.month)),
  read(ops.listCostShares, async ({ db, actor, query }) => ({ items: await listCostShares(db, actor, query.by, query.month) })),
  read(ops.getTransactionUsage, ({ db, actor, params }) => getTransactionUsage(db, actor, params.transaction_id)),
  read(ops.listPendingCharges, ({ db, actor, query }) => listPendingCharges(db, actor, query)),
  read(ops.getPendingCharge, ({ db, actor, params }) => getPendingCharge(db, actor, params.pending_id)),
]
