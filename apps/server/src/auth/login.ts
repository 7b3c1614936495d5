import type { FastifyReply, FastifyRequest } from 'fastify'
import { login as loginOperation, type LoginBody } from '@masthead/contract/auth/operations'
import type * as z from 'zod/mini'
import type { Actor, App, Tx } from '../kernel/app.ts'
import { once } from '../kernel/idempotency.ts'
import { sessionCookie } from './authenticate.ts'
import { checkPassword } from './check-password.ts'
import { setDeviceCookie, setSessionCookie } from './cookies.ts'
import { hashPassword } from './password.ts'
import { closeSession, openSession } from './session.ts'

type Call = { app: App; request: FastifyRequest; reply: FastifyReply; actor: Actor; body: z.output<typeof LoginBody> }

/** Signs in: a new session each time, and the one the browser had before ends. */
export async function login({ body, ...call }: Call): Promise<{ email: string }> {
  const { app, request, actor } = call
  const person = await checkPassword(call, body)
  const fresh = person.stale ? await hashPassword(body.password) : null
  const session = await app.db.transaction().execute(async (tx) => {
    // The password stays out of what is kept of the request.
    await once(tx, actor, request, loginOperation, { params: {}, query: {}, body: { email: body.email } }, async () => ({}))
    if (fresh) await tx.updateTable('person').set({ password_hash: fresh }).where('id', '=', person.id).execute()
    return beginSession(tx, call, person.id)
  })
  setSessionCookie(call, session)
  await setDeviceCookie(call, person.email)
  return { email: person.email }
}

/** Opens a session for whoever just proved who they are; the one this browser presented ends. */
export async function beginSession(tx: Tx, { app, request, actor: { at, ip } }: Omit<Call, 'body' | 'reply'>, person_id: string) {
  const before = request.cookies[sessionCookie]
  if (before) await closeSession(tx, before)
  const user_agent = request.headers['user-agent']?.slice(0, 300) ?? null
  return openSession(tx, { person_id, acting_as: null, at, days: app.config.sessionDays, ip, user_agent })
}
