import * as glance from '@masthead/contract/overview/glance-operations'
import * as overview from '@masthead/contract/overview/operations'
import { read, type Route } from '../kernel/http/routes.ts'
import { getOverview } from './get-overview.ts'
import { getPlaces } from './get-places.ts'
import { getStrip } from './get-strip.ts'
import { getVerdict } from './get-verdict.ts'

export const overviewRoutes: readonly Route[] = [
  read(overview.getOverview, ({ db, actor, query }) => getOverview(db, actor, query)),
  read(glance.getVerdict, ({ db, actor }) => getVerdict(db, actor)),
  read(glance.getStrip, ({ db, actor }) => getStrip(db, actor)),
  read(glance.getPlaces, ({ db, actor }) => getPlaces(db, actor)),
]
