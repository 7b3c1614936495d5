import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '@masthead/contract/kernel/operation'
import { isStaffPermission } from '@masthead/contract/kernel/permission'
import type { App } from '../../kernel/app.ts'
import { findAnswer, repeatKey } from '../../kernel/http/idempotency.ts'
import { cookieOf, hashSecret, presentedSecret, sessionCookie } from '../../kernel/secrets/presented-secret.ts'
import { clearSessionCookie, clearStepCookie, setDeviceCookie, setSessionCookie } from './cookies.ts'
import { secretAfter } from './rotate-session.ts'

/** So long after it whoever did not see the answer may send a call again that spent what they asked with. */
const repeatedFor = 5 * 60_000 // ms

type Outside = { app: App; request: FastifyRequest; reply: FastifyReply }

/**
 * A call that spends what it is asked with (`spends`) cannot be asked again with it. Whoever does so with the same key, and presents what
 * was spent or the secret that took its place, is answered as the first time, and the browser gets the cookie that was lost with the answer.
 * Undefined when it was not asked yet, or too long ago; and of a staff call for who is staff no longer, who is then refused like anybody.
 */
export async function answerAgain(outside: Outside, op: Operation): Promise<unknown> {
  const { app, request } = outside
  if (repeatKey(request) === undefined) return undefined
  const presented = presentedSecret(request, op)
  const held = cookieOf(request, sessionCookie) ?? ''
  const known = await app.db.selectFrom('session').select('replaced_hash').where('id_hash', '=', hashSecret(held)).executeTakeFirst()
  const spent = [...(presented ? [hashSecret(presented)] : []), ...(known?.replaced_hash ? [known.replaced_hash] : [])]
  if (spent.length === 0) return undefined
  const answer = await findAnswer(app.db, request, op, { spent, since: new Date(app.clock.now().getTime() - repeatedFor) })
  if (answer !== undefined && isStaffPermission(op.access) && !(await isStillStaff(outside, op.access, held))) return undefined
  if (answer !== undefined && presented) await bringAfter(outside, op, { presented, signedIn: known !== undefined })
  return answer
}

/** Whether whoever holds the session, or what took its place, has this staff permission now. */
async function isStillStaff({ app: { db } }: Outside, permission: string, held: string): Promise<boolean> {
  const { presented, next } = await secretAfter(db, held)
  const person = await db
    .selectFrom('session')
    .innerJoin('person', 'person.id', 'session.person_id')
    .select('person.permissions')
    .where('session.id_hash', 'in', [presented, next])
    .executeTakeFirst()
  return person?.permissions.includes(permission) ?? false
}

/** Brings the browser what took the place of a secret that was spent, or takes that away when nothing did. */
async function bringAfter(
  outside: Outside,
  { spends }: Operation,
  { presented, signedIn }: { presented: string; signedIn: boolean }
): Promise<void> {
  const { db } = outside.app
  const { secret, next, presented: before } = await secretAfter(db, presented)
  const session = await db
    .selectFrom('session')
    .innerJoin('person', 'person.id', 'session.person_id')
    .select(['session.id_hash', 'session.expires_at', 'person.email'])
    .where('session.id_hash', 'in', [before, next])
    .executeTakeFirst()
  if (session?.id_hash.equals(next)) setSessionCookie(outside, { secret, expires_at: session.expires_at })
  else if (!session && !signedIn) clearSessionCookie(outside)
  if (spends === 'session') return
  clearStepCookie(outside)
  if (session) await setDeviceCookie(outside, session.email)
}
