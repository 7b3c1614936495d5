import { randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Actor, App, Tx } from '../../kernel/app.ts'
import { noteSignIn } from '../../kernel/http/request-log.ts'
import { endStreams } from '../../kernel/live/streams.ts'
import { cookieOf, hashSecret, sessionCookie } from '../../kernel/secrets/presented-secret.ts'
import { graceOfSecret } from './authenticate.ts'
import { endStays } from './backoffice-token.ts'
import { atOnce, secretAfter } from './rotate-session.ts'

type NewSession = {
  person_id: string
  acting_as: string | null
  at: Date
  /** Set where it begins with two factors. */
  two_factors_at?: Date
  days: number
  ip: string | null
  user_agent: string | null
  /** What it was opened with, which is worth nothing from now on; else its secret is random. */
  spent?: string | undefined
}

/** Sessions of a person at once. Of more, those not used for the longest time end. */
export const mostSessions = 50

/** Opens a session: 256 bits for the cookie, random or made of what was spent for it; only their hash is kept. */
export async function openSession(tx: Tx, { days, at, spent, ...who }: NewSession): Promise<{ secret: string; expires_at: Date }> {
  const after = spent === undefined ? null : await secretAfter(tx, spent)
  const secret = after?.secret ?? randomBytes(32).toString('base64url')
  const replaced = after && { replaced_hash: after.presented, replaced_at: atOnce }
  const expires_at = new Date(at.getTime() + days * 86_400_000)
  // Two sign-ins at once do not see each other's session.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`sessions ${who.person_id}`}, 0))`.execute(tx)
  const opened = await tx
    .insertInto('session')
    .values({ ...who, ...replaced, id_hash: hashSecret(secret), created_at: at, seen_at: at, proved_at: at, expires_at })
    .returning('id')
    .executeTakeFirstOrThrow()
  await endBeyond(tx, who.person_id, opened.id)
  return { secret, expires_at }
}

/** The session that was just opened stays, also where the clock was set back and the others seem newer. */
async function endBeyond(tx: Tx, person_id: string, opened: string) {
  const beyond = tx
    .selectFrom('session')
    .select('id')
    .where('person_id', '=', person_id)
    .where('id', '<>', opened)
    .orderBy('seen_at', 'desc')
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .offset(mostSessions - 1)
  // What somebody else is ending is left to them: nobody waits here for a row.
  const free = tx.selectFrom('session').select('id').where('id', 'in', beyond).forUpdate().skipLocked()
  const ended = await tx.deleteFrom('session').where('id', 'in', free).returning('id').execute()
  for (const { id } of ended) await endStreams(tx, { person_id, session_id: id })
}

/** Ends a session and what it has open; its secrets are worth nothing from now on. */
export async function closeSession(tx: Tx, secret: string, at: Date): Promise<void> {
  const hash = hashSecret(secret)
  const since = new Date(at.getTime() - graceOfSecret)
  const ended = await tx
    .deleteFrom('session')
    .where((eb) => eb.or([eb('id_hash', '=', hash), eb.and([eb('replaced_hash', '=', hash), eb('replaced_at', '>', since)])]))
    .returning(['id', 'person_id'])
    .execute()
  for (const { id, person_id } of ended) await endStreams(tx, { person_id, session_id: id })
}

/** Ends one session of a person, by its name. Answers what it said it was; null when there is none. */
export async function closeSessionNamed(tx: Tx, person_id: string, id: string): Promise<{ user_agent: string | null } | null> {
  const row = await tx
    .deleteFrom('session')
    .where('id', '=', id)
    .where('person_id', '=', person_id)
    .returning('user_agent')
    .executeTakeFirst()
  if (!row) return null
  await endStreams(tx, { person_id, session_id: id })
  return row
}

/** Ends the sessions and stays in the backoffice of a person, all but `kept`. Answers how many sessions there were. */
export async function closeSessionsOf(tx: Tx, person_id: string, { at, kept }: { at: Date; kept?: string | undefined }): Promise<number> {
  const ended = await tx
    .deleteFrom('session')
    .where('person_id', '=', person_id)
    .$if(kept !== undefined, (query) => query.where('id', '<>', kept!))
    .returning('id')
    .execute()
  for (const { id } of ended) await endStreams(tx, { person_id, session_id: id })
  await endStays(tx, { person_id }, at)
  return ended.length
}

/** Two factors were proved in a session. What was closed to it for the lack of them comes anew. */
export async function markTwoFactors(tx: Tx, { session_id = '', person_id, lacks_factor, at }: Actor): Promise<void> {
  await tx.updateTable('session').set({ two_factors_at: at }).where('id', '=', session_id).execute()
  if (lacks_factor) await endStreams(tx, { person_id, session_id })
}

/** Opens a session for whoever just proved who they are (`byTwo`: by two factors, `spent`: with what); the one this browser presented ends. */
export async function beginSession(
  tx: Tx,
  { app, request, actor: { at, ip } }: { app: App; request: FastifyRequest; actor: Actor },
  person_id: string,
  { byTwo = false, spent }: { byTwo?: boolean; spent?: string } = {}
) {
  noteSignIn(request, person_id, true)
  const before = cookieOf(request, sessionCookie)
  if (before) await closeSession(tx, before, at)
  const user_agent = request.headers['user-agent']?.slice(0, 300) ?? null
  const proved = byTwo ? { two_factors_at: at } : {}
  return openSession(tx, { person_id, acting_as: null, at, ...proved, days: app.config.sessionDays, ip, user_agent, spent })
}

/**
 * SQL: when somebody was last active on an account; null: never. The later of their last change there and of what a session of theirs was
 * last used for there (to the minute): a session is gone once they sign out, what they did is not. `person` and `account_id` name
 * a table of persons and a column of the query.
 */
export const lastActive = (person: string, account_id: string) => {
  const of = (column: string) => sql.ref(`${person}.${column}`)
  return sql<Date | null>`greatest(
    (select max(s.seen_at) from session s
      where s.person_id = ${of('id')} and coalesce(s.acting_as, ${of('account_id')}) = ${sql.ref(account_id)}),
    (select e.at from event e where e.account_id = ${sql.ref(account_id)} and e.actor_email = ${of('email')} order by e.id desc limit 1)
  )`.as('last_active_at')
}
