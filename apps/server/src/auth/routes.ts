import * as auth from '@masthead/contract/auth/operations'
import * as signIn from '@masthead/contract/auth/sign-in-operations'
import * as steps from '@masthead/contract/auth/step-operations'
import { listIdentities } from '../identity/index.ts'
import { reach, read, type Route } from '../kernel/http/routes.ts'
import { startLink, startProof, unlink } from './by-identity/identity-routes.ts'
import { login } from './sign-in/login.ts'
import { logout } from './sessions/logout.ts'
import { register } from './sign-in/register.ts'
import { challengePasskey, getSecondStep, passSecondStep, signInWithPasskey } from './sign-in/second-step.ts'
import { getSetup } from './sign-in/setup.ts'
import { loginByToken } from './by-identity/sign-in-by-identity.ts'
import { switchAccount } from './sessions/switch-account.ts'
import { getUserInfo } from './user-info.ts'

export const authRoutes: Route[] = [
  reach(signIn.getSetup, ({ app }) => getSetup(app)),
  reach(signIn.login, ({ body: { email = '', password = '', access_token }, ...call }) =>
    access_token === undefined ? login({ ...call, body: { email, password } }) : loginByToken({ ...call, body: { access_token } })
  ),
  reach(signIn.register, register),
  reach(steps.getSecondStep, getSecondStep),
  reach(steps.passSecondStep, passSecondStep),
  reach(steps.challengePasskey, challengePasskey),
  reach(steps.signInWithPasskey, signInWithPasskey),
  reach(auth.logout, logout),
  read(auth.getUserInfo, ({ db, actor }) => getUserInfo(db, actor)),
  reach(auth.switchAccount, switchAccount),
  read(signIn.listIdentities, ({ db, actor }) => listIdentities(db, actor)),
  reach(signIn.linkIdentity, startLink),
  reach(signIn.proveByIdentity, startProof),
  reach(signIn.unlinkIdentity, unlink),
]
