import type { FastifyReply, FastifyRequest } from 'fastify'
import { login as loginOperation } from '@masthead/contract/auth/sign-in-operations'
import type { Actor, App } from '../../kernel/app.ts'
import { once } from '../../kernel/http/idempotency.ts'
import { checkPassword, isStillPassword } from './check-password.ts'
import { hashPassword } from './password.ts'
import { answerSignIn, openSignIn } from './second-step.ts'

type Body = { email: string; password: string }
type Call = { app: App; request: FastifyRequest; reply: FastifyReply; actor: Actor; body: Body }

/** Signs in: a new session each time, and the one the browser had before ends. Throws second_factor_needed where a code is asked for. */
export async function login({ body, ...call }: Call): Promise<{ email: string }> {
  const { app, request, actor } = call
  const person = await checkPassword(call, body)
  const fresh = person.stale ? await hashPassword(body.password) : null
  const opened = await app.db.transaction().execute(async (tx) => {
    if (!(await isStillPassword(tx, person))) return null
    await once(tx, actor, request, loginOperation, async () => ({}))
    if (fresh) await tx.updateTable('person').set({ password_hash: fresh }).where('id', '=', person.id).execute()
    return openSignIn(tx, call, person.id)
  })
  // Another was set meanwhile, or this one hashed anew by a sign-in beside us: what is there now decides.
  return opened ? answerSignIn(call, person, opened) : login({ body, ...call })
}
