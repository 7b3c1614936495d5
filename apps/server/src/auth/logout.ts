import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Actor, App } from '../kernel/app.ts'
import { sessionCookie } from './authenticate.ts'
import { clearSessionCookie } from './cookies.ts'
import { closeSession } from './session.ts'

type Call = { app: App; request: FastifyRequest; reply: FastifyReply; actor: Actor }

/** Ends the session and every stay in the backoffice of whoever signs out. */
export async function logout(call: Call): Promise<void> {
  const { app, request, actor } = call
  await app.db.transaction().execute(async (tx) => {
    await closeSession(tx, request.cookies[sessionCookie] ?? '')
    await tx
      .updateTable('backoffice_stay')
      .set({ ended_at: actor.at })
      .where('person_id', '=', actor.person_id)
      .where('ended_at', 'is', null)
      .execute()
  })
  clearSessionCookie(call)
}
