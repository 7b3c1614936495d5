import * as account from '@masthead/contract/account/operations'
import { read, type Route } from '../kernel/routes.ts'
import { getAccount } from './account.ts'

export const accountRoutes: Route[] = [read(account.getAccount, ({ db, actor }) => getAccount(db, actor))]
