import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Actor, App } from '../kernel/app.ts'

export const sessionCookie = 'masthead_session'
export const hashSecret = (secret: string) => createHash('sha256').update(secret).digest()

/** Who asks, by the session cookie; null when there is no valid one. A member acting for an owner differs in account, permissions and tags. */
export async function authenticate(app: App, request: FastifyRequest): Promise<Actor | null> {
  const secret = request.cookies[sessionCookie]
  if (!secret) return null
  const at = app.clock.now()
  const row = await app.db
    .selectFrom('session')
    .innerJoin('person', 'person.id', 'session.person_id')
    .leftJoin('membership', (join) =>
      join.onRef('membership.account_id', '=', 'session.acting_as').onRef('membership.person_id', '=', 'person.id')
    )
    .select(['person.id', 'person.email', 'person.account_id', 'person.permissions as staff', 'session.acting_as'])
    .select(['membership.account_id as member_account', 'membership.permissions as member_permissions', 'membership.tags'])
    .where('session.id_hash', '=', hashSecret(secret))
    .where('session.expires_at', '>', at)
    .executeTakeFirst()
  if (!row) return null
  // Acting ends by itself when the membership is gone.
  const acting = row.acting_as !== null && row.member_account !== null
  return {
    kind: 'member',
    email: row.email,
    person_id: row.id,
    account_id: acting ? row.member_account! : row.account_id,
    permissions: acting ? row.member_permissions! : 'all',
    staff: [],
    tags: acting ? row.tags! : [],
    at,
    ip: request.ip,
    request_id: request.id,
  }
}
