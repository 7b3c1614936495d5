import { Secret, TOTP } from 'otpauth'
import { newId } from '@masthead/contract/kernel/id'
import type { House, Person } from '@masthead/testkit/house'
import { openMailer } from '../kernel/mail/mailer.ts'
import { issueSecret, renewRecoveryCodes, startAuthenticator } from '../factors/index.ts'
import { newTestPasskey } from '../factors/test-passkey.ts'

const password = 'correct horse battery'
let count = 0

/** What the calls on somebody's sign-in need: a passkey, an app that waits for its first code, another session, links that were mailed. */
export async function addSecurity(house: House, { email }: Person) {
  const { db, clock } = house
  const at = clock.now()
  const { id: person_id } = await db.selectFrom('person').select('id').where('email', '=', email).executeTakeFirstOrThrow()
  const key = newTestPasskey()
  const passkey_id = newId('passkey')
  await db
    .insertInto('passkey')
    .values({ ...key.row, id: passkey_id, person_id, name: 'Laptop', created_at: at })
    .execute()
  const { id: session_id } = await db
    .insertInto('session')
    .values({
      id_hash: Buffer.from(newId('passkey')),
      person_id,
      acting_as: null,
      expires_at: new Date(at.getTime() + 86_400_000),
      ip: null,
      user_agent: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const issue = (purpose: Parameters<typeof issueSecret>[1]['purpose'], more = {}) =>
    db.transaction().execute((tx) => issueSecret(tx, { purpose, person_id, at, seconds: 3600, ...more }))
  const { secret } = await db.transaction().execute((tx) => startAuthenticator(tx, { person_id, email, at }))
  const codeAt = (steps: number) => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at.getTime() + steps * 30_000 })
  const export_id = newId('note').replace('nte', 'exp')
  const { account_id } = await db.selectFrom('person').select('account_id').where('id', '=', person_id).executeTakeFirstOrThrow()
  const made = { asked_at: at, done_at: at, failed_at: null, expires_at: new Date(at.getTime() + 86_400_000), row_count: 1, bytes: 3 }
  await db
    .insertInto('account_export')
    .values({ account_id, id: export_id, ...made })
    .execute()
  await db.insertInto('account_export_part').values({ account_id, export_id, number: 1, lines: '{}\n' }).execute()
  return {
    export_id,
    person_id,
    passkey_id,
    session_id,
    new_passkey: newTestPasskey().register(await issue('passkey_registration')),
    sign_in: key.sign(await issue('passkey_sign_in')),
    step: await issue('second_step'),
    reset: await issue('password_reset'),
    emails: [
      await issue('email_change', { email: `new-${++count}@sweep.test` }),
      await issue('email_change', { email: `new-${++count}@sweep.test` }),
    ],
    codes: [codeAt(0), codeAt(1)],
  }
}
type Scene = { security: Awaited<ReturnType<typeof addSecurity>> }

const switchOn = (house: House, { security: { person_id } }: Scene) =>
  house.db.transaction().execute(async (tx) => {
    await tx.updateTable('authenticator').set({ confirmed_at: house.clock.now() }).where('person_id', '=', person_id).execute()
    await renewRecoveryCodes(tx, person_id)
  })

/** Nobody has shown that the owner's address is theirs, and mail is sent. */
async function forgetProof(house: House, { security: { person_id } }: Scene): Promise<void> {
  house.app.mailer ??= openMailer({ ...house.app.config, smtpUrl: 'smtp://127.0.0.1:1' })
  await house.db.updateTable('person').set({ email_proven_at: null, email_proven_by: null }).where('id', '=', person_id).execute()
}

/** What is to be so before a call works. */
export const securityBefore: Record<string, (house: House, scene: Scene) => Promise<void>> = {
  'account.removeAuthenticator': switchOn,
  'account.renewRecoveryCodes': switchOn,
  'auth.passSecondStep': switchOn,
  'teams.demandSecondFactor': switchOn,
  'account.mailEmailProof': forgetProof,
  'account.reopenAccount': async (house, { security: { person_id } }) => {
    const own = house.db.selectFrom('person').select('account_id').where('id', '=', person_id)
    const at = house.clock.now()
    const closed = { closed_at: at, erase_at: new Date(at.getTime() + 86_400_000) }
    await house.db.updateTable('account').set(closed).where('id', '=', own).execute()
  },
  // No mail is sent.
  'teams.makeInvitationLink': async (house) => void (house.app.mailer = null),
}

const proof = { password }
const otherProof = { password, code: '000000' }
const onPasskey = ({ security: { passkey_id } }: Scene) => ({ params: { passkey_id } })

export const securitySamples = {
  'account.prove': () => ({ body: proof, other: otherProof }),
  'auth.proveByIdentity': () => ({ body: { return_to: '/profile' }, other: { return_to: '/masa/access' } }),
  'auth.passSecondStep': ({ security: { codes } }: Scene) => ({ body: { code: codes[0] } }),
  'auth.challengePasskey': () => ({ body: { use: 'sign_in' }, other: { use: 'proof' } }),
  'auth.signInWithPasskey': ({ security: { sign_in } }: Scene) => ({ body: { passkey: sign_in } }),
  'account.updateAccount': () => ({ body: { team_name: 'New name' }, other: { team_name: 'Other name' } }),
  'account.updatePerson': () => ({ body: { name: 'Ada' }, other: { name: 'Grace' } }),
  'account.changePassword': () => ({ body: { password, new_password: 'another good password' } }),
  'account.requestPasswordReset': () => ({ body: { email: `a-${++count}@sweep.test` }, other: { email: `b-${++count}@sweep.test` } }),
  'account.checkPasswordLink': ({ security: { reset, emails } }: Scene) => ({ body: { token: reset }, other: { token: emails[0] } }),
  'account.resetPassword': ({ security: { reset: token } }: Scene) => ({
    body: { token, password: 'another good password' },
    other: { token, password: 'yet another password' },
  }),
  'account.changeEmail': () => ({
    body: { password, email: `c-${++count}@sweep.test` },
    other: { password, email: `d-${++count}@sweep.test` },
  }),
  'account.confirmEmail': ({ security: { emails } }: Scene) => ({ body: { token: emails[0] }, other: { token: emails[1] } }),
  'account.startAuthenticator': () => ({ body: proof, other: otherProof }),
  'account.confirmAuthenticator': ({ security: { codes } }: Scene) => ({ body: { code: codes[0] }, other: { code: codes[1] } }),
  'account.removeAuthenticator': ({ security: { codes } }: Scene) => ({ body: { password, code: codes[0] }, other: otherProof }),
  'account.renewRecoveryCodes': ({ security: { codes } }: Scene) => ({
    body: { password, code: codes[0] },
    other: { password, code: codes[1] },
  }),
  'teams.demandSecondFactor': ({ security: { codes } }: Scene) => ({
    body: { password, code: codes[0], demanded: true },
    other: { password, code: codes[0], demanded: false },
  }),
  'account.closeAccount': ({ owner: { email } }: Scene & { owner: { email: string } }) => ({
    body: { ...proof, confirmation: email },
    other: { ...otherProof, confirmation: email },
  }),
  'account.reopenAccount': () => ({ body: proof, other: otherProof }),
  'account.startExport': () => ({ body: proof, other: otherProof }),
  'account.getExportLines': ({ security: { export_id } }: Scene) => ({ params: { export_id } }),
  'account.startPasskey': () => ({ body: proof, other: otherProof }),
  'account.addPasskey': ({ security: { new_passkey: passkey } }: Scene) => ({
    body: { name: 'Phone', passkey },
    other: { name: 'Other', passkey },
  }),
  'account.updatePasskey': (scene: Scene) => ({ ...onPasskey(scene), body: { name: 'Phone' }, other: { name: 'Other' } }),
  'account.removePasskey': (scene: Scene) => ({ ...onPasskey(scene), body: proof, other: otherProof }),
  'account.removeSession': ({ security: { session_id } }: Scene) => ({ params: { session_id }, other: { session_id: 'another' } }),
}
