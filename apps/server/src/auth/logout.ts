import type { FastifyReply, FastifyRequest } from 'fastify'
import { signOutAddress } from '../identity/index.ts'
import type { Actor, App } from '../kernel/app.ts'
import { originOf } from '../kernel/console-address.ts'
import { sessionCookie } from './authenticate.ts'
import { endStays } from './backoffice-token.ts'
import { clearSessionCookie } from './cookies.ts'
import { closeSession } from './session.ts'

type Call = { app: App; request: FastifyRequest; reply: FastifyReply; actor: Actor }

/** Ends the session and the stays in the backoffice that were opened in it. Answers where the provider that vouched for it is told. */
export async function logout(call: Call): Promise<{ provider_logout_url: string | null }> {
  const { app, request, actor } = call
  const vouched = await app.db.transaction().execute(async (tx) => {
    const by = await tx
      .selectFrom('session_identity')
      .select(['issuer', 'id_token'])
      .where('session_id', '=', actor.session_id ?? '')
      .executeTakeFirst()
    await endStays(tx, actor, actor.at)
    await closeSession(tx, request.cookies[sessionCookie] ?? '')
    return by
  })
  clearSessionCookie(call)
  if (!vouched || !app.config.integrations.identity) return { provider_logout_url: null }
  const origin = originOf(app.config, request)
  return { provider_logout_url: await signOutAddress(app, { origin, id_token: vouched.id_token }) }
}
