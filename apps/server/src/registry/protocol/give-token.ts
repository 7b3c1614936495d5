import type { FastifyRequest } from 'fastify'
import type { App } from '../../kernel/app.ts'
import { callerBySecret, callerOf, challenge } from './caller.ts'
import { Refusal } from './refusal.ts'
import { makeToken, readScopes, tokenLasts, type Grants } from './token.ts'

/** What a form or a query says under a name, each time it says it. */
type Asked = { get: (name: string) => string | null; getAll: (name: string) => string[] }

/**
 * A token for what is asked of it, as far as the key that is shown may: `docker login` asks for nothing, a pull for its repository. By GET with the key as
 * a password (Docker's token specification), or by POST as OAuth 2 has it.
 */
export async function giveToken(app: App, request: FastifyRequest, asked: Asked) {
  const password = asked.get('grant_type') === 'password' ? asked.get('password') : null
  const caller =
    password === null ? await callerOf(app, request, { counts: true }) : await callerBySecret(app, request, password, { counts: true })
  if (!caller || caller.grants)
    throw new Refusal('UNAUTHORIZED', 'Sign in with the account’s slug as user name and an API key as password', {
      headers: caller ? {} : challenge(app, request),
    })
  const grants: Grants = {}
  for (const [name, actions] of readScopes(asked.getAll('scope'))) {
    // The list says of each name for itself whether it may be read.
    if (name === '*') grants[name] = ['pull']
    if (!name.startsWith(`${caller.slug}/`)) continue
    // A name of somebody else's gets a token that opens nothing: what it is for is refused with words.
    const granted = actions.filter((action) => caller.may(name, action))
    if (granted.length > 0) grants[name] = granted
  }
  const at = app.clock.now()
  const until = Math.floor(at.getTime() / 1000) + tokenLasts
  const token = await makeToken(app.db, { of: caller.of, hash: caller.hash.toString('base64url'), grants, until })
  const scope = Object.entries(grants).map(([name, actions]) =>
    name === '*' ? 'registry:catalog:*' : `repository:${name}:${actions.join(',')}`
  )
  return { token, access_token: token, expires_in: tokenLasts, issued_at: at.toISOString(), scope: scope.join(' ') }
}
