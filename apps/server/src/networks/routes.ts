import { listNetworks as listNetworksOp } from '@masthead/contract/networks/operations'
import { read, type Route } from '../kernel/http/routes.ts'
import { listNetworks } from './network-queries.ts'

export const networkRoutes: Route[] = [read(listNetworksOp, async ({ db }) => ({ items: await listNetworks(db) }))]
