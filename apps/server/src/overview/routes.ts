import * as overview from '@masthead/contract/overview/operations'
import { read, type Route } from '../kernel/http/routes.ts'
import { getOverview } from './get-overview.ts'

export const overviewRoutes: readonly Route[] = [read(overview.getOverview, ({ db, actor, query }) => getOverview(db, actor, query))]
