import * as backoffice from '@masthead/contract/backoffice/operations'
import { reach, write, type Route } from '../kernel/routes.ts'
import { enterBackoffice } from './enter-backoffice.ts'
import { leaveBackoffice } from './leave-backoffice.ts'

export const backofficeRoutes: Route[] = [
  reach(backoffice.enterBackoffice, enterBackoffice),
  write(backoffice.leaveBackoffice, ({ db, actor }) => leaveBackoffice(db, actor)),
]
