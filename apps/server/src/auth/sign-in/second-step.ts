import type { FastifyReply, FastifyRequest } from 'fastify'
import { recoveryCodeUsed } from '@masthead/contract/auth/events'
import { passkeyRefused, secondFactorNeeded, signInExpired } from '@masthead/contract/auth/problems'
import {
  challengePasskey as challengeOperation,
  passSecondStep as passOperation,
  signInWithPasskey as signInOperation,
} from '@masthead/contract/auth/step-operations'
import { Problem } from '@masthead/contract/kernel/problem'
import {
  challengePasskey as newChallenge,
  checkPasskey,
  countRecoveryCodes,
  findAuthenticator,
  findSecret,
  issueSecret,
  spendSecret,
  notifySecurity,
  type PasskeyPurpose,
} from '../../factors/index.ts'
import type { Actor, App, Db, Tx } from '../../kernel/app.ts'
import { once } from '../../kernel/http/idempotency.ts'
import { noteSignIn } from '../../kernel/http/request-log.ts'
import { presentedSecret } from '../../kernel/secrets/presented-secret.ts'
import { checkCode, wrong, type Spend } from './check-code.ts'
import { clearStepCookie, setDeviceCookie, setSessionCookie, setStepCookie, stepSeconds } from '../sessions/cookies.ts'
import { beginSession } from '../sessions/session.ts'
import { takeTry } from './tries.ts'
import { networkOf } from '../../kernel/network-of.ts'

type Call = { app: App; request: FastifyRequest; reply: FastifyReply; actor: Actor }
type Opened = { session: { secret: string; expires_at: Date } } | { step: string }
type Given = { code?: string | undefined; passkey?: string | undefined }

/** After a right password: a session, or where an authenticator app is on a secret for the second step. */
export async function openSignIn(tx: Tx, call: Call, person_id: string): Promise<Opened> {
  const { at } = call.actor
  if (await findAuthenticator(tx, person_id))
    return { step: await issueSecret(tx, { purpose: 'second_step', person_id, at, seconds: stepSeconds }) }
  return { session: await beginSession(tx, call, person_id) }
}

/** Hands the browser what was opened. Throws second_factor_needed, with the cookie to go on with. */
export async function answerSignIn(call: Call, { email }: { email: string }, opened: Opened): Promise<{ email: string }> {
  if ('step' in opened) {
    setStepCookie(call, opened.step)
    throw new Problem(secondFactorNeeded)
  }
  setSessionCookie(call, opened.session)
  await setDeviceCookie(call, email)
  return { email }
}

/** How the sign-in of this browser can be finished. */
export async function getSecondStep({ app, request, actor }: Call) {
  const person = await findHalfSignedIn(app.db, request, actor.at)
  if (!person) return { methods: [] }
  const passkey = await app.db.selectFrom('passkey').select('id').where('person_id', '=', person.id).executeTakeFirst()
  const codes = await countRecoveryCodes(app.db, person.id)
  return {
    methods: [...(passkey ? (['passkey'] as const) : []), 'code' as const, ...(codes > 0 ? (['recovery_code'] as const) : [])],
  }
}

/** Finishes a sign-in. The first step counts once, as do the code and the passkey's answer. Throws sign_in_expired, code_wrong, passkey_refused. */
export async function passSecondStep({ body, ...call }: Call & { body: Given }): Promise<{ email: string }> {
  const { app, request, actor } = call
  const person = await findHalfSignedIn(app.db, request, actor.at)
  if (!person) throw new Problem(signInExpired)
  noteSignIn(request, person.id)
  const { spend, recovery } = await checkFactor(call, person, body)
  const session = await app.db.transaction().execute(async (tx) => {
    const spent = presentedSecret(request, passOperation)
    if (!(await spendSecret(tx, 'second_step', spent, actor.at))) throw new Problem(signInExpired)
    await spend(tx)
    if (recovery) await notifyRecovery(tx, { ...actor, email: person.email, person_id: person.id })
    await once(tx, actor, request, passOperation, async () => ({ email: person.email }))
    return beginSession(tx, call, person.id, { byTwo: true, spent })
  })
  clearStepCookie(call)
  return answerSignIn(call, person, { session })
}

async function checkFactor(call: Call, person: { id: string; email: string }, { code, passkey }: Given) {
  if (!passkey) {
    if (!code) throw wrong('Enter the code')
    return checkCode(call, person, code)
  }
  const proved = await checkPasskey({ ...call, at: call.actor.at }, 'passkey_second_step', passkey)
  if (proved.person_id !== person.id) throw new Problem(passkeyRefused, 'This passkey is of somebody else')
  return { spend: proved.spend as Spend, recovery: false }
}

async function findHalfSignedIn(db: Db, request: FastifyRequest, at: Date) {
  const known = await findSecret(db, 'second_step', presentedSecret(request, passOperation), at)
  if (!known?.person_id) return null
  return db.selectFrom('person').select(['id', 'email']).where('id', '=', known.person_id).executeTakeFirstOrThrow()
}

async function notifyRecovery(tx: Tx, actor: Actor) {
  const left = await countRecoveryCodes(tx, actor.person_id)
  await notifySecurity(tx, actor, recoveryCodeUsed, { left }, `A recovery code was used to sign in. ${left} of them are left.`)
}

/** Something for a passkey to sign. It names nobody. */
export async function challengePasskey({ app, request, actor, body }: Call & { body: { use: 'sign_in' | 'second_step' | 'proof' } }) {
  const { signInPerAddress: limit } = app.config.limits
  await takeTry(app.db, actor.at, { key: `passkey challenge to ${networkOf(actor.ip)}`, limit, seconds: 60 })
  const purpose: PasskeyPurpose = `passkey_${body.use}`
  return app.db.transaction().execute((tx) =>
    once<Record<string, unknown>>(tx, actor, request, challengeOperation, async () => ({
      ...(await newChallenge(tx, { app, request, at: actor.at }, purpose)),
    }))
  )
}

/** Signs in with a passkey alone: it was opened with a finger or a PIN, which makes two factors. Throws passkey_refused. */
export async function signInWithPasskey({ body, ...call }: Call & { body: { passkey: string } }): Promise<{ email: string }> {
  const { app, request, actor } = call
  const { signInPerAddress: limit } = app.config.limits
  await takeTry(app.db, actor.at, { key: `sign-in from ${networkOf(actor.ip)}`, limit, seconds: 60 })
  const { person_id, spend } = await checkPasskey({ ...call, at: actor.at }, 'passkey_sign_in', body.passkey)
  const { email } = await app.db.selectFrom('person').select('email').where('id', '=', person_id).executeTakeFirstOrThrow()
  const session = await app.db.transaction().execute(async (tx) => {
    await spend(tx)
    await once(tx, actor, request, signInOperation, async () => ({ email }))
    return beginSession(tx, call, person_id, { byTwo: true, spent: body.passkey })
  })
  return answerSignIn(call, { email }, { session })
}
