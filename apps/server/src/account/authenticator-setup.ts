import type { FastifyRequest } from 'fastify'
import {
  authenticatorOff,
  authenticatorOn,
  confirmAuthenticator as confirmOperation,
  removeAuthenticator as removeOperation,
  renewRecoveryCodes as renewOperation,
  startAuthenticator as startOperation,
} from '@masthead/contract/account/security-operations'
import { recoveryCodesRenewed, secondFactorOff, secondFactorOn } from '@masthead/contract/auth/events'
import type { Proof } from '@masthead/contract/auth/proof'
import { personUnknown } from '@masthead/contract/backoffice/problems'
import { Problem } from '@masthead/contract/kernel/problem'
import { giveTryBack, markTwoFactors, requireFreshProof, rotateSession, takeTry, wrong } from '../auth/index.ts'
import {
  confirmAuthenticator as confirm,
  dropAuthenticator,
  dropFactor,
  findAuthenticator,
  renewRecoveryCodes as renew,
  spendStep,
  startAuthenticator as start,
  stepOf,
  notifySecurity,
  withdrawSecrets,
} from '../factors/index.ts'
import type { Actor, App, Db, Tx } from '../kernel/app.ts'
import { once } from '../kernel/http/idempotency.ts'

type Call = { app: App; request: FastifyRequest; actor: Actor }

/** Gives a secret for an authenticator app. Nothing is asked for before its first code confirmed it. Throws authenticator_on. */
export async function startAuthenticator({ body, ...call }: Call & { body: Proof }) {
  const { app, request, actor } = call
  const spend = await requireFreshProof(call, body)
  return app.db.transaction().execute((tx) =>
    once(tx, actor, request, startOperation, async () => {
      await needOff(tx, actor)
      await spend(tx)
      return start(tx, actor)
    })
  )
}

/** Switches two-factor authentication on by the first code, and shows the recovery codes once. The session gets a new cookie. */
export async function confirmAuthenticator({ body: { code }, ...call }: Call & { body: { code: string } }) {
  const { app, request, actor } = call
  const { person_id, at } = actor
  const limit = { key: `first code of ${person_id}`, limit: 20, seconds: 300 }
  await takeTry(app.db, at, limit)
  const digits = code.replaceAll(/\s/g, '')
  const answer = await app.db.transaction().execute((tx) =>
    once(tx, actor, request, confirmOperation, async () => {
      await needOff(tx, actor)
      const step = await stepOf(tx, { person_id, code: digits, at, started: true })
      if (step === null || !(await spendStep(tx, person_id, step)))
        throw wrong('The code is wrong. Check the time of your device, and type the newest one')
      await confirm(tx, person_id, at)
      await markTwoFactors(tx, actor)
      // A sign-in that began with the password alone is not to be finished so.
      await withdrawSecrets(tx, person_id, ['second_step'])
      await rotateSession(tx, call)
      await notifySecurity(tx, actor, secondFactorOn, {}, 'Two-factor authentication was switched on.')
      return { recovery_codes: await renew(tx, person_id) }
    })
  )
  await giveTryBack(app.db, limit)
  return answer
}

/** Switches two-factor authentication off, by password or passkey and a code. Throws authenticator_off. */
export async function removeAuthenticator({ body, ...call }: Call & { body: Proof }): Promise<void> {
  const { app, request, actor } = call
  const spend = await requireFreshProof(call, body)
  await app.db.transaction().execute((tx) =>
    once(tx, actor, request, removeOperation, async () => {
      await needOn(tx, actor)
      await spend(tx)
      await dropFactor(tx, actor, () => dropAuthenticator(tx, actor.person_id))
      await notifySecurity(tx, actor, secondFactorOff, {}, 'Two-factor authentication was switched off.')
      return {}
    })
  )
}

/** Shows new recovery codes once; those before are worth nothing. Throws authenticator_off. */
export async function renewRecoveryCodes({ body, ...call }: Call & { body: Proof }) {
  const { app, request, actor } = call
  const spend = await requireFreshProof(call, body)
  return app.db.transaction().execute((tx) =>
    once(tx, actor, request, renewOperation, async () => {
      await needOn(tx, actor)
      await spend(tx)
      await notifySecurity(tx, actor, recoveryCodesRenewed, {}, 'New recovery codes were created. The previous ones no longer work.')
      return { recovery_codes: await renew(tx, actor.person_id) }
    })
  )
}

/** Somebody lost their app and their recovery codes: whoever runs the installation lets their password alone sign in again. False when it does. Throws person_unknown. */
export async function resetSecondFactor(tx: Tx, actor: Actor, email: string): Promise<boolean> {
  const person = await tx.selectFrom('person').select('id').where('email', '=', email).executeTakeFirst()
  if (!person) throw new Problem(personUnknown, `Nobody is registered with the e-mail ${email}`)
  if (!(await findAuthenticator(tx, person.id))) return false
  await dropAuthenticator(tx, person.id)
  const words = 'Two-factor authentication was switched off by whoever runs this installation. Switch it on again on your profile.'
  await notifySecurity(tx, { ...actor, person_id: person.id }, secondFactorOff, {}, words, email)
  return true
}

const needOff = async (db: Db, { person_id }: Actor) => {
  if (await findAuthenticator(db, person_id)) throw new Problem(authenticatorOn)
}
const needOn = async (db: Db, { person_id }: Actor) => {
  if (!(await findAuthenticator(db, person_id))) throw new Problem(authenticatorOff)
}
