import * as ops from '@masthead/contract/registry/operations'
import { read, type Route } from '../kernel/http/routes.ts'
import { getRegistry, listRepositories } from './registry-queries.ts'

export const registryRoutes: Route[] = [
  read(ops.getRegistry, ({ db, actor }) => getRegistry(db, actor)),
  read(ops.listRepositories, ({ db, actor, query }) => listRepositories(db, actor, query)),
]
