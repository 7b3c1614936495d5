import * as ops from '@masthead/contract/backoffice/pool-operations'
import { reach, read, write, type Route } from '../../kernel/http/routes.ts'
import { recordList } from '../staff/staff-log.ts'
import { endPool, growPool, listCustomerPools, openPool } from './customer-pools.ts'
import { createPackage, listAllPackages, retirePackage } from './packages.ts'

export const staffPoolRoutes: Route[] = [
  read(ops.listAllPackages, ({ db }) => listAllPackages(db)),
  write(ops.createPackage, ({ db, actor, body }) => createPackage(db, actor, body)),
  write(ops.retirePackage, ({ db, actor, params }) => retirePackage(db, actor, params.package_id)),
  reach(ops.listCustomerPools, async ({ app: { db }, actor, query }) => {
    await recordList(db, actor, 'data pools', query.search)
    return listCustomerPools(db, actor, query)
  }),
  write(ops.openPool, ({ db, actor, body }) => openPool(db, actor, body)),
  write(ops.growPool, ({ db, actor, params, body }) => growPool(db, actor, params.any_pool_id, body)),
  write(ops.endPool, ({ db, actor, params, body }) => endPool(db, actor, params.any_pool_id, body)),
]
