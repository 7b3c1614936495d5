import type { FastifyRequest } from 'fastify'
import { factorOf } from '../../factors/index.ts'
import { viewPermissions, type Actor, type App } from '../../kernel/app.ts'
import { leaveUnwritten } from '../../kernel/database/database-trouble.ts'
import { prepared } from '../../kernel/database/prepared.ts'
import { cookieOf, hashSecret, sessionCookie } from '../../kernel/secrets/presented-secret.ts'
import { backofficeHeader, noteRefusedToken, staffOf } from './backoffice-token.ts'

/** How long the secret before still counts after a session got another: requests are on their way with it. */
export const graceOfSecret = 30_000 // ms
const seenEvery = 60_000 // ms: one write a minute is enough to say when a session was last used

/** Addresses at which a connection stays open. */
const streams: ReadonlySet<string> = new Set(['live', 'terminal', 'terminal_file'])

/** Who asks, by the session cookie; null when there is no valid one. A member acting for an owner differs in account, permissions and tags. */
export async function authenticate(app: App, request: FastifyRequest): Promise<Actor | null> {
  const secret = cookieOf(request, sessionCookie)
  if (!secret) return null
  const at = app.clock.now()
  const row = await findSession(app, hashSecret(secret), at)
  if (!row) return null
  // A stream that is open, or opened anew by itself, is no use of the session: it ends with it.
  const used = !streams.has(request.routeOptions.config.operation ?? '')
  if (used && at.getTime() - row.seen_at.getTime() > seenEvery) await markSeen(app, row.session_id, at).catch(leaveUnwritten)
  // Acting ends by itself when the membership is gone.
  const acting = row.acting_as !== null && row.member_account !== null
  const who = {
    email: row.email,
    person_id: row.id,
    session_id: row.session_id,
    at,
    ip: request.ip,
    request_id: request.id,
    until: endOf(app, row),
  }
  // Staff who look at a customer's console see what its owner sees, as long as they might begin to look now; what is not theirs to do is refused before any handler.
  if (row.viewed_account !== null)
    return { ...who, kind: 'staff', account_id: row.viewed_account, permissions: viewPermissions, staff: [], tags: [] }
  const token = request.headers[backofficeHeader]
  const bearer = { person_id: row.id, session_id: row.session_id, permissions: row.staff, at }
  // The backoffice is out of reach while acting on a team's account (spec §6).
  const staff = !acting && typeof token === 'string' ? await staffOf(app.db, token, bearer) : []
  if (typeof staff === 'string') await noteRefusedToken(app, who, staff)
  return {
    ...who,
    kind: 'member',
    account_id: acting ? row.member_account! : row.account_id,
    permissions: acting ? row.member_permissions! : 'all',
    staff: typeof staff === 'string' ? [] : staff,
    tags: acting ? row.tags! : [],
    ...(row.lacks_factor && { lacks_factor: row.lacks_factor }),
    ...(row.closed && { closed: true }),
  }
}

type Found = {
  session_id: string
  seen_at: Date
  acting_as: string | null
  id: string
  email: string
  account_id: string
  staff: string[]
  member_account: string | null
  member_permissions: string[] | null
  tags: string[] | null
  viewed_account: string | null
  expires_at: Date
  view_expires_at: Date | null
  lacks_factor: 'missing' | 'unproved' | null
  closed: boolean
}

/** When what somebody may do now ends by itself. */
const endOf = ({ config }: App, { expires_at, view_expires_at, seen_at }: Found) =>
  new Date(Math.min(expires_at.getTime(), view_expires_at?.getTime() ?? Infinity, seen_at.getTime() + config.sessionIdleHours * 3_600_000))

/** Session, account and membership in one look-up, made for every call: rights that were taken away are gone with the next one. */
const sessionsWith = prepared<Found>(`select session.id as session_id, session.seen_at, session.acting_as,
    person.id, person.email, person.account_id, person.permissions as staff,
    membership.account_id as member_account, membership.permissions as member_permissions,
    tags_there(membership.account_id, membership.tags) as tags, view.account_id as viewed_account,
    session.expires_at, view.expires_at as view_expires_at,
    case when held.second_factor_demanded_at is null then null
      when not ${factorOf('person.id')} then 'missing'
      when session.two_factors_at is null then 'unproved' end as lacks_factor,
    held.closed_at is not null as closed
  from session
  join person on person.id = session.person_id
  left join membership on membership.account_id = session.acting_as and membership.person_id = person.id
  join account held on held.id = coalesce(membership.account_id, person.account_id)
  left join staff_view view on view.session_id = session.id and view.expires_at > $2 and 'backoffice' = any (person.permissions)
    and not exists (select from person viewed where viewed.account_id = view.account_id and viewed.permissions <> '{}'
      and not ('manage_staff' = any (person.permissions) and viewed.permissions <@ person.permissions))
  where session.expires_at > $2 and session.seen_at > $4 and (session.id_hash = $1 or session.replaced_hash = $1 and session.replaced_at > $3)`)

const findSession = async (app: App, id_hash: Buffer, at: Date) =>
  (await sessionsWith(app.db, [id_hash, at, new Date(at.getTime() - graceOfSecret), unusedSince(app, at)]))[0]

/** Whether a session goes on, whichever secret it has by now: whoever is connected with one of before gets in again with what took its place. */
export async function sessionStands(app: App, { session_id = '', person_id }: Actor): Promise<boolean> {
  const at = app.clock.now()
  const row = await app.db
    .selectFrom('session')
    .select('id')
    .where('id', '=', session_id)
    .where('person_id', '=', person_id)
    .where('expires_at', '>', at)
    .where('seen_at', '>', unusedSince(app, at))
    .executeTakeFirst()
  return row !== undefined
}

/** Sessions last used then or before have ended. */
export const unusedSince = ({ config }: Pick<App, 'config'>, at: Date) => new Date(at.getTime() - config.sessionIdleHours * 3_600_000)

const markSeen = (app: App, id: string, at: Date) =>
  app.db.transaction().execute((tx) => tx.updateTable('session').set({ seen_at: at }).where('id', '=', id).execute())
