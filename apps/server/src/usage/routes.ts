import * as usage from '@masthead/contract/usage/operations'
import { read, stream, type Route } from '../kernel/http/routes.ts'
import { exportFileName, exportTotalUsage } from './export-total-usage.ts'
import { getTotalUsage } from './get-total-usage.ts'

export const usageRoutes: readonly Route[] = [
  read(usage.getTotalUsage, ({ db, actor, query }) => getTotalUsage(db, actor, query)),
  stream(
    usage.exportTotalUsage,
    ({ db, actor, query }) => exportTotalUsage(db, actor, query),
    ({ actor, query }) => exportFileName(actor, query)
  ),
]
