import * as networks from '@masthead/contract/usage/network-operations'
import * as usage from '@masthead/contract/usage/operations'
import { read, stream, type Route } from '../kernel/http/routes.ts'
import { exportFileName, exportTotalUsage } from './export-total-usage.ts'
import { getTotalUsage, getUsageSums } from './get-total-usage.ts'
import { listEmptySessions } from './list-empty-sessions.ts'
import { listNetworkUsage } from './list-network-usage.ts'
import { listSilentSims } from './list-silent-sims.ts'

export const usageRoutes: readonly Route[] = [
  read(usage.getTotalUsage, ({ db, actor, query }) => getTotalUsage(db, actor, query)),
  read(usage.getUsageSums, ({ db, actor, query }) => getUsageSums(db, actor, query)),
  read(networks.listNetworkUsage, ({ db, actor, query }) => listNetworkUsage(db, actor, query)),
  read(networks.listSilentSims, ({ db, actor, query }) => listSilentSims(db, actor, query)),
  read(networks.listEmptySessions, ({ db, actor, query }) => listEmptySessions(db, actor, query)),
  stream(
    usage.exportTotalUsage,
    ({ db, actor, query }) => exportTotalUsage(db, actor, query),
    ({ actor, query }) => exportFileName(actor, query)
  ),
]
