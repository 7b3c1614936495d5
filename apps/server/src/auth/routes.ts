import * as auth from '@masthead/contract/auth/operations'
import { reach, read, type Route } from '../kernel/routes.ts'
import { login } from './login.ts'
import { logout } from './logout.ts'
import { register } from './register.ts'
import { getSetup } from './setup.ts'
import { switchAccount } from './switch-account.ts'
import { getUserInfo } from './user-info.ts'

export const authRoutes: Route[] = [
  reach(auth.getSetup, ({ app }) => getSetup(app)),
  reach(auth.login, login),
  reach(auth.register, register),
  reach(auth.logout, logout),
  read(auth.getUserInfo, ({ db, actor }) => getUserInfo(db, actor)),
  reach(auth.switchAccount, switchAccount),
]
