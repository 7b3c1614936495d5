import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  linkIdentity as linkOperation,
  proveByIdentity as proveOperation,
  unlinkIdentity as unlinkOperation,
} from '@masthead/contract/auth/sign-in-operations'
import { identityOff, signInStale } from '@masthead/contract/auth/problems'
import type { Proof } from '@masthead/contract/auth/proof'
import { Problem } from '@masthead/contract/kernel/problem'
import {
  callbackPath,
  checkUnlinkable,
  finishSignIn,
  recordProviderProof,
  linkIdentity,
  startSignIn,
  takeAttempt,
  unlinkIdentity,
  type Attempt,
} from '../../identity/index.ts'
import type { Actor, App, Tx } from '../../kernel/app.ts'
import { asProblem } from '../../kernel/http/as-problem.ts'
import { consoleAddress, ownPath, screenPath } from '../../kernel/http/console-address.ts'
import { cameFromElsewhere } from '../../kernel/http/cross-site.ts'
import { once } from '../../kernel/http/idempotency.ts'
import { noteFailure, noteSignIn } from '../../kernel/http/request-log.ts'
import { nobody } from '../../kernel/http/routes.ts'
import { cookieOf } from '../../kernel/secrets/presented-secret.ts'
import { authenticate } from '../sessions/authenticate.ts'
import { setOwnCookie } from '../sessions/cookies.ts'
import { requireFreshProof } from '../sign-in/require-fresh-proof.ts'
import { ownerOf, proveEmail, signInByIdentity } from './sign-in-by-identity.ts'
import { takeTry } from '../sign-in/tries.ts'
import { networkOf } from '../../kernel/network-of.ts'

const startPath = '/v1/auth/identity/start'
/** A secret of this browser for its ways to the provider: nobody else can end what was begun here. */
const browserCookie = 'masthead_identity'

/**
 * The way to the identity provider and back. A browser is led along it, so every answer is an address: the provider's, the screen one
 * wanted, or the sign-in with the code of what went wrong.
 */
export function mountIdentity(server: FastifyInstance, app: App) {
  const { config } = app
  const toSignIn = (return_to: string, code?: string) => {
    const query = new URLSearchParams({ ...(code && { problem: code }), ...(return_to !== '/' && { redirect: return_to }) }).toString()
    return screenPath(config, query ? `/login?${query}` : '/login')
  }

  server.get(startPath, async (request, reply) => {
    const return_to = ownPath((request.query as Record<string, unknown>).redirect)
    // A page elsewhere leads here too, and the provider may know the visitor: nobody's session is exchanged unless they ask for it here.
    if (cameFromElsewhere(request)) return reply.redirect(toSignIn(return_to), 302)
    const find = async () => {
      const limit = { key: `identity from ${networkOf(request.ip)}`, limit: config.limits.signInPerAddress, seconds: 60 }
      await takeTry(app.db, app.clock.now(), limit)
      const { url, keep } = await begin({ app, request, reply }, { return_to, person_id: null })
      await app.db.transaction().execute(keep)
      return url
    }
    return lead(app, request, reply, { find, failed: (code) => toSignIn(return_to, code) })
  })

  server.get(callbackPath, async (request, reply) => {
    const { state } = request.query as Record<string, unknown>
    const browser = cookieOf(request, browserCookie)
    let attempt: Attempt | undefined
    const find = async () => {
      if (typeof state !== 'string' || browser === undefined) throw new Problem(signInStale)
      attempt = await takeAttempt(app, { browser, state })
      const claims = await finishSignIn(app, attempt, { state, search: new URL(request.url, 'http://console').search })
      const actor = nobody(app, request)
      const { person_id, return_to } = attempt
      if (person_id === null) {
        const { ended } = await signInByIdentity({ app, request, reply, actor }, claims)
        // Said where one sees who can act for the account.
        if (ended && return_to === '/') return screenPath(config, '/profile')
      } else {
        const now = await authenticate(app, request)
        if (now?.person_id !== person_id) throw new Problem(signInStale)
        if (attempt.proves) await app.db.transaction().execute((tx) => recordProviderProof(tx, now, claims))
        else
          await app.db.transaction().execute(async (tx) => {
            await linkIdentity(tx, app, await ownerOf(tx, actor, person_id), claims)
            if (now.email === claims.email) await proveEmail(tx, person_id, now.at)
          })
      }
      return screenPath(config, return_to)
    }
    const failed = (code: string) => {
      noteSignIn(request, undefined)
      noteFailure(request, code)
      const { return_to = '/', person_id = null } = attempt ?? {}
      if (person_id === null) return toSignIn(return_to, code)
      return screenPath(config, `${return_to}${return_to.includes('?') ? '&' : '?'}problem=${code}`)
    }
    return lead(app, request, reply, { find, failed })
  })
}

type Outside = { app: App; request: FastifyRequest; reply: FastifyReply }
type Call = Outside & { actor: Actor }

/** Begins a way to the provider in this browser: its address there, and how to keep it, in the database and in the browser. */
async function begin({ app, request, reply }: Outside, going: { return_to: string; person_id: string | null; proves?: boolean }) {
  const browser = cookieOf(request, browserCookie) ?? randomBytes(32).toString('base64url')
  const there = await startSignIn(app, { browser, origin: consoleAddress(app.config, request), ...going })
  const keep = async (tx: Tx) => {
    await there.keep(tx)
    setOwnCookie({ app, request, reply }, browserCookie, browser, { path: '/v1/auth/identity', maxAge: 900 })
  }
  return { url: there.url.href, keep }
}

/**
 * Begins to link an identity to whoever is signed in, once they proved anew who they are: another way in is for good. The browser cookie
 * is for the provider's answer alone. Throws what the proof throws, identity_off or identity_unavailable.
 */
export async function startLink(
  call: Outside & { actor: Actor; body: Proof & { return_to?: string | undefined } }
): Promise<{ url: string }> {
  const { app, request, actor, body } = call
  if (!app.config.integrations.identity) throw new Problem(identityOff)
  const { return_to, ...proof } = body
  const spend = await requireFreshProof({ app, request, actor }, proof)
  const { url, keep } = await begin(call, { return_to: ownPath(return_to), person_id: actor.person_id })
  return app.db.transaction().execute((tx) =>
    once(tx, actor, request, linkOperation, async () => {
      await spend(tx)
      await keep(tx)
      return { url }
    })
  )
}

/** Begins to prove at the provider who one is. Throws identity_off, identity_unavailable or too_many_requests. */
export async function startProof(call: Call & { body: { return_to?: string | undefined } }): Promise<{ url: string }> {
  const { app, request, actor, body } = call
  if (!app.config.integrations.identity) throw new Problem(identityOff)
  await takeTry(app.db, actor.at, { key: `proof at the provider of ${actor.person_id}`, limit: 30, seconds: 3600 })
  const { url, keep } = await begin(call, { return_to: ownPath(body.return_to), person_id: actor.person_id, proves: true })
  return app.db.transaction().execute((tx) =>
    once(tx, actor, request, proveOperation, async () => {
      await keep(tx)
      return { url }
    })
  )
}

/** Unlinks an identity, once the person proved anew who they are. Throws not_found, last_way_in, and what the proof throws. */
export async function unlink({
  app,
  request,
  actor,
  params,
  body,
}: Call & { params: { identity_id: string }; body: Proof }): Promise<void> {
  // Whoever has no other way in could not prove anything, and gets that as the reason.
  await checkUnlinkable(app.db, actor, params.identity_id).catch((error: unknown) => refuseNew(request, error))
  const spend = await requireFreshProof({ app, request, actor }, body)
  await app.db.transaction().execute((tx) =>
    once(tx, actor, request, unlinkOperation, async () => {
      await unlinkIdentity(tx, actor, params.identity_id)
      await spend(tx)
      return {}
    })
  )
}

/** A repeated request finds its identity gone: its key may know the answer. */
function refuseNew({ headers }: FastifyRequest, error: unknown) {
  if (headers['idempotency-key'] === undefined) throw error
}

/** Sends the browser where `find` says, or to a page that says what went wrong. */
async function lead(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  { find, failed }: { find: () => Promise<string>; failed: (code: string) => string }
) {
  try {
    return await reply.redirect(await find(), 302)
  } catch (error) {
    const { kind } = asProblem(error as Problem)
    if (kind.status >= 500) app.log.error({ err: error, request_id: request.id }, 'a sign-in by an identity provider failed')
    return reply.redirect(failed(kind.code), 302)
  }
}
