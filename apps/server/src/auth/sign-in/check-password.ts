import type { FastifyRequest } from 'fastify'
import { credentialsWrong } from '@masthead/contract/auth/problems'
import { Problem } from '@masthead/contract/kernel/problem'
import type { Actor, App, Tx } from '../../kernel/app.ts'
import { noteSignIn } from '../../kernel/http/request-log.ts'
import { knownDevice } from '../sessions/cookies.ts'
import { verifyPassword } from './password.ts'
import { giveTryBack, takeTry, type Limit } from './tries.ts'
import { networkOf } from '../../kernel/network-of.ts'

const failureWindow = 5 * 60 // seconds

type Given = { email: string; password: string }
export type Checked = { id: string; account_id: string; email: string; password_hash: string; stale: boolean }

/**
 * Who an e-mail and a password belong to. Same words, same time, same limits whether the e-mail exists or not.
 * Throws credentials_wrong, or too_many_requests after too many failures.
 */
export async function checkPassword(
  { app, request, actor: { at, ip } }: { app: App; request: FastifyRequest; actor: Actor },
  { email, password }: Given
): Promise<Checked> {
  const { signInPerAddress, failuresPerEmail } = app.config.limits
  await takeTry(app.db, at, { key: `sign-in from ${networkOf(ip)}`, limit: signInPerAddress, seconds: 60 })
  const limits = failureLimits(failuresPerEmail, email, networkOf(ip), await knownDevice({ app, request }, email))
  const find = () =>
    app.db.selectFrom('person').select(['id', 'account_id', 'email', 'password_hash']).where('email', '=', email).executeTakeFirst()
  for (const limit of limits)
    await takeTry(app.db, at, limit).catch(async (error: unknown) => {
      noteSignIn(request, (await find())?.id) // whose it is that others, or they, cannot get into
      throw error
    })
  const person = await find()
  noteSignIn(request, person?.id)
  const { right, stale } = await verifyPassword(password, person?.password_hash ?? null)
  if (!person?.password_hash || !right) throw new Problem(credentialsWrong)
  for (const limit of limits) await giveTryBack(app.db, limit)
  const { password_hash, ...who } = person
  return { ...who, password_hash, stale }
}

/**
 * Whether the password that was checked is theirs still: to check one takes a while, in which another may be set, and what the old one opened
 * would outlive it. Locks the person, so that whoever sets one now comes after, and finds what is opened here.
 */
export async function isStillPassword(tx: Tx, { id, password_hash }: Pick<Checked, 'id' | 'password_hash'>): Promise<boolean> {
  const now = await tx.selectFrom('person').select('password_hash').where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
  return now?.password_hash === password_hash
}

/**
 * Guessing is slowed per e-mail and address, and per e-mail over all addresses. A browser that signed in before counts by itself:
 * strangers' failures, however many and from wherever, never lock it out.
 */
function failureLimits(limit: number, email: string, network: string, device: string | null): Limit[] {
  if (device) return [{ key: `failure of device ${device}`, limit, seconds: failureWindow }]
  return [
    { key: `failure of ${email} from ${network}`, limit, seconds: failureWindow },
    { key: `failure of ${email}`, limit: limit * 10, seconds: failureWindow },
  ]
}
