import type { FastifyReply, FastifyRequest } from 'fastify'
import { logout as logoutOperation } from '@masthead/contract/auth/operations'
import type { Reply } from '@masthead/contract/kernel/operation'
import { decryptIdToken, signOutAddress } from '../../identity/index.ts'
import type { Actor, App } from '../../kernel/app.ts'
import { consoleAddress } from '../../kernel/http/console-address.ts'
import { once } from '../../kernel/http/idempotency.ts'
import { presentedSecret } from '../../kernel/secrets/presented-secret.ts'
import { endStays } from './backoffice-token.ts'
import { clearSessionCookie } from './cookies.ts'
import { closeSession } from './session.ts'

type Call = { app: App; request: FastifyRequest; reply: FastifyReply; actor: Actor }

/** Ends the session and the stays in the backoffice that were opened in it. Answers the address at which the provider by which it began is signed out of. */
export async function logout(call: Call): Promise<Reply<typeof logoutOperation>> {
  const { app, request, actor } = call
  const answer = { provider_logout_url: await providerLogout(call) }
  await app.db.transaction().execute((tx) =>
    once(tx, actor, request, logoutOperation, async () => {
      await endStays(tx, actor, actor.at)
      await closeSession(tx, presentedSecret(request, logoutOperation), actor.at)
      return answer
    })
  )
  clearSessionCookie(call)
  return answer
}

async function providerLogout({ app, request, actor }: Call): Promise<string | null> {
  const identity = await app.db
    .selectFrom('session_identity')
    .select(['session_id', 'id_token', 'sealed_id_token'])
    .where('session_id', '=', actor.session_id ?? '')
    .executeTakeFirst()
  if (!identity || !app.config.integrations.identity) return null
  const { session_id, sealed_id_token } = identity
  const id_token = sealed_id_token === null ? identity.id_token : decryptIdToken(app.db, session_id, sealed_id_token)
  return signOutAddress(app, { origin: consoleAddress(app.config, request), id_token })
}
