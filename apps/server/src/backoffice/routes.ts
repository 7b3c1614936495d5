import * as backoffice from '@masthead/contract/backoffice/operations'
import { reach, write, type Route } from '../kernel/routes.ts'
import { enterBackoffice } from './enter-backoffice.ts'
import { leaveBackoffice } from './leave-backoffice.ts'
import { loadInventory, streamOf } from './load-inventory.ts'

export const backofficeRoutes: Route[] = [
  reach(backoffice.enterBackoffice, enterBackoffice),
  write(backoffice.leaveBackoffice, ({ db, actor }) => leaveBackoffice(db, actor)),
  reach(backoffice.loadInventory, ({ app, actor, request, query: { account, active } }) =>
    loadInventory(app, actor, streamOf(request.body), { account, active: active === 'true' })
  ),
]
