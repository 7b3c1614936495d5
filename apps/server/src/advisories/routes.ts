import * as ops from '@masthead/contract/backoffice/advisories/advisory-operations'
import { asLongAs, logged } from '../backoffice/index.ts'
import { reach, read, streamOf, type Route } from '../kernel/http/routes.ts'
import { getAdvisories } from './advisory-queries.ts'
import { loadAdvisories } from './load-advisories.ts'

export const advisoryRoutes: Route[] = [
  read(ops.getAdvisories, ({ db }) => getAdvisories(db)),
  reach(ops.loadAdvisories, ({ app, actor, request, query, stillAllowed }) =>
    loadAdvisories(app, actor, query.name, asLongAs(stillAllowed, streamOf(request.body)))
  ),
].map(logged)
