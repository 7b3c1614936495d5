import { accountRoutes } from './account/routes.ts'
import { fleetRoutes } from './alpon-fleets/routes.ts'
import { activityRoutes } from './activities/routes.ts'
import { assetNetworkRoutes } from './assets/network/routes.ts'
import { assetRoutes } from './assets/routes.ts'
import { authRoutes } from './auth/routes.ts'
import { backofficeRoutes } from './backoffice/routes.ts'
import { cardRoutes } from './billing/cards/index.ts'
import { ledgerRoutes } from './billing/ledger/index.ts'
import { invoiceRoutes } from './billing/invoices/index.ts'
import { paymentRoutes } from './billing/payments/index.ts'
import { costLimitRoutes } from './billing/cost-limits/index.ts'
import { refillRoutes } from './billing/refill/index.ts'
import { couponRoutes } from './billing/coupons/index.ts'
import { costRoutes } from './billing/costs/index.ts'
import { tariffRoutes } from './billing/tariffs/index.ts'
import { bulkRoutes } from './assets/bulk/routes.ts'
import { viewRoutes } from './assets/views/routes.ts'
import { simRoutes } from './assets/sim/routes.ts'
import { correctionRoutes } from './backoffice/corrections/routes.ts'
import { coreRoutes } from './core/routes.ts'
import { poolRoutes } from './datapools/routes.ts'
import { demoRoutes } from './demo/routes.ts'
import { agentRoutes } from './devices/agent/routes.ts'
import { networkRoutes as deviceNetworkRoutes } from './devices/network/routes.ts'
import { outletRoutes } from './developers/outlet/routes.ts'
import { deviceRoutes } from './devices/routes.ts'
import { deviceStatusRoutes } from './devices/status/routes.ts'
import { developerRoutes } from './developers/routes.ts'
import { advisoryRoutes } from './advisories/routes.ts'
import { feedRoutes } from './feeds/routes.ts'
import type { Route } from './kernel/http/routes.ts'
import { networkGroupRoutes } from './network-groups/routes.ts'
import { networkRoutes } from './networks/routes.ts'
import { notificationRoutes } from './notifications/routes.ts'
import { overviewRoutes } from './overview/routes.ts'
import { registryRoutes } from './registry/routes.ts'
import { reportRoutes } from './reports/routes.ts'
import { terminalRoutes } from './terminal/routes.ts'
import { tagRoutes } from './tags/routes.ts'
import { teamRoutes } from './teams/routes.ts'
import { usageRoutes } from './usage/routes.ts'
import { webhookRoutes } from './developers/webhooks/routes.ts'

/** Every call of the API, area by area. */
export const routes: readonly Route[] = [
  ...authRoutes,
  ...accountRoutes,
  ...teamRoutes,
  ...overviewRoutes,
  ...assetRoutes,
  ...simRoutes,
  ...assetNetworkRoutes,
  ...viewRoutes,
  ...bulkRoutes,
  ...tagRoutes,
  ...networkGroupRoutes,
  ...fleetRoutes,
  ...networkRoutes,
  ...poolRoutes,
  ...coreRoutes,
  ...usageRoutes,
  ...cardRoutes,
  ...ledgerRoutes,
  ...paymentRoutes,
  ...costLimitRoutes,
  ...refillRoutes,
  ...invoiceRoutes,
  ...registryRoutes,
  ...tariffRoutes,
  ...costRoutes,
  ...couponRoutes,
  ...reportRoutes,
  ...notificationRoutes,
  ...activityRoutes,
  ...deviceRoutes,
  ...deviceStatusRoutes,
  ...developerRoutes,
  ...webhookRoutes,
  ...outletRoutes,
  ...backofficeRoutes,
  ...correctionRoutes,
  ...advisoryRoutes,
  ...feedRoutes,
  ...agentRoutes,
  ...deviceNetworkRoutes,
  ...terminalRoutes,
  ...demoRoutes,
]
