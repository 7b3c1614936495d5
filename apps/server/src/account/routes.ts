import * as details from '@masthead/contract/account/details-operations'
import * as account from '@masthead/contract/account/operations'
import * as emails from '@masthead/contract/account/email-operations'
import * as security from '@masthead/contract/account/security-operations'
import * as closing from '@masthead/contract/account/closing-operations'
import { reach, read, stream, write, type Route } from '../kernel/http/routes.ts'
import { getAccount } from './account.ts'
import { confirmAuthenticator, removeAuthenticator, renewRecoveryCodes, startAuthenticator } from './authenticator-setup.ts'
import { changeEmail, confirmEmail, removeEmailChange } from './change-email.ts'
import { changePassword } from './change-password.ts'
import { getExportLines, listExports, needExport, startExport } from './closing/account-export.ts'
import { closeAccount, getClosing, reopenAccount } from './closing/close-account.ts'
import { getSecurity } from './get-security.ts'
import { mailEmailProof } from './prove-email.ts'
import { addPasskey, removePasskey, startPasskey, updatePasskey } from './passkey-setup.ts'
import { checkPasswordLink, requestPasswordReset, resetPassword } from './reset-password.ts'
import { endOtherSessions, listSessions, prove, removeSession } from './sessions.ts'
import { updateAccount } from './update-account.ts'
import { updatePerson } from './update-person.ts'

export const accountRoutes: Route[] = [
  read(account.getAccount, ({ db, actor }) => getAccount(db, actor)),
  write(details.updateAccount, ({ db, actor, body }) => updateAccount(db, actor, body)),
  write(details.updatePerson, ({ db, actor, body }) => updatePerson(db, actor, body)),
  reach(security.getSecurity, ({ app, actor }) => getSecurity(app, actor)),
  reach(security.prove, prove),
  reach(security.changePassword, changePassword),
  write(security.requestPasswordReset, ({ db, actor, body }) => requestPasswordReset(db, actor, body.email)),
  write(security.checkPasswordLink, ({ db, actor, body }) => checkPasswordLink(db, actor, body.token)),
  reach(security.resetPassword, resetPassword),
  reach(emails.mailEmailProof, mailEmailProof),
  reach(security.changeEmail, changeEmail),
  write(security.removeEmailChange, ({ db, actor }) => removeEmailChange(db, actor)),
  reach(security.confirmEmail, confirmEmail),
  reach(security.startAuthenticator, startAuthenticator),
  reach(security.confirmAuthenticator, confirmAuthenticator),
  reach(security.removeAuthenticator, removeAuthenticator),
  reach(security.renewRecoveryCodes, renewRecoveryCodes),
  reach(security.startPasskey, startPasskey),
  reach(security.addPasskey, addPasskey),
  write(security.updatePasskey, ({ db, actor, params, body }) => updatePasskey(db, actor, params.passkey_id, body)),
  reach(security.removePasskey, removePasskey),
  reach(security.listSessions, ({ app, actor }) => listSessions(app, actor)),
  write(security.removeSession, ({ db, actor, params }) => removeSession(db, actor, params.session_id)),
  write(security.endOtherSessions, ({ db, actor }) => endOtherSessions(db, actor)),
  read(closing.getClosing, async ({ db, actor }) => {
    const { account_id, ...state } = await getClosing(db, actor)
    return { ...state, exports: await listExports(db, account_id, actor.at) }
  }),
  reach(closing.closeAccount, closeAccount),
  reach(closing.reopenAccount, reopenAccount),
  reach(closing.startExport, startExport),
  stream(
    closing.getExportLines,
    ({ db, actor, params }) => getExportLines(db, actor, params.export_id),
    ({ params }) => `masthead-${params.export_id}.ndjson`,
    ({ db, actor, params }) => needExport(db, actor, params.export_id)
  ),
]
