import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { accountRegistered } from '@masthead/contract/auth/events'
import { register as registerOperation, type RegisterBody } from '@masthead/contract/auth/sign-in-operations'
import { credentialsWrong, emailTaken, registrationOff } from '@masthead/contract/auth/problems'
import { newId } from '@masthead/contract/kernel/id'
import { staffPermissions } from '@masthead/contract/kernel/permission'
import { idempotencyMismatch, Problem } from '@masthead/contract/kernel/problem'
import type * as z from 'zod/mini'
import type { Actor, App, Db, Tx } from '../../kernel/app.ts'
import { checkNewPassword, findAuthenticator } from '../../factors/index.ts'
import { once } from '../../kernel/http/idempotency.ts'
import { record } from '../../kernel/record.ts'
import { checkPassword, isStillPassword } from './check-password.ts'
import { setDeviceCookie, setSessionCookie } from '../sessions/cookies.ts'
import { hashPassword } from './password.ts'
import { beginSession } from '../sessions/session.ts'
import { takeTry } from './tries.ts'
import { networkOf } from '../../kernel/network-of.ts'

type Body = z.output<typeof RegisterBody>
type Call = { app: App; request: FastifyRequest; reply: FastifyReply; actor: Actor; body: Body }

/** Opens an account with its owner, signed in. Throws email_taken, registration_off or too_many_requests. */
export async function register({ body, ...call }: Call): Promise<{ email: string; team_name: string }> {
  const { app, request, actor } = call
  const { email, team_name } = body
  // Without any account nobody could ever sign in, so the first one is always welcome.
  if (!app.config.registration && !(await isFirstRun(app.db))) throw new Problem(registrationOff)
  await takeTry(app.db, actor.at, {
    key: `registration from ${networkOf(actor.ip)}`,
    limit: app.config.limits.registrationsPerAddress,
    seconds: 3600,
  })
  await checkNewPassword(body.password, email, 'password')
  const password_hash = await hashPassword(body.password)
  const session = await app.db.transaction().execute(async (tx) => {
    let created: string | null = null
    await once(tx, actor, request, registerOperation, async () => {
      created = await openAccount(tx, actor, { email, team_name, password_hash })
      return {}
    })
    return created && beginSession(tx, call, created)
  })
  setSessionCookie(call, session ?? (await signInAgain(call, body)))
  await setDeviceCookie(call, email)
  return { email, team_name }
}

/** An account and the person who owns it. On an empty installation they also become staff: nobody else could make anyone staff. */
export async function openAccount(
  tx: Tx,
  { at, ip, request_id }: Pick<Actor, 'at' | 'ip' | 'request_id'>,
  { team_name, ...who }: { email: string; team_name: string; password_hash: string | null; name?: string | null }
): Promise<string> {
  const { email } = who
  const person_id = newId('person', at.getTime())
  const account_id = newId('account', at.getTime())
  const first = await isFirst(tx)
  await tx.insertInto('account').values({ id: account_id, team_name, suspended_at: null, suspended_reason: null, created_at: at }).execute()
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('person')
    .values({ ...who, id: person_id, account_id, permissions: first ? Object.keys(staffPermissions) : [], created_at: at })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows === 0n) throw new Problem(emailTaken)
  const owner: Actor = { kind: 'member', email, person_id, account_id, permissions: 'all', staff: [], tags: [], at, ip, request_id }
  await record(tx, owner, accountRegistered, { email, team_name })
  return person_id
}

export const isFirstRun = async (db: Db) => (await db.selectFrom('person').select('id').limit(1).executeTakeFirst()) === undefined

/** Of two that register at once on an empty installation, the second waits here and then finds the first. */
async function isFirst(tx: Tx): Promise<boolean> {
  if (!(await isFirstRun(tx))) return false
  await sql`select pg_advisory_xact_lock(hashtext('masthead.first_account'))`.execute(tx)
  return isFirstRun(tx)
}

/** The same registration sent again with its key: the account is there already, so the password decides. */
async function signInAgain(call: Omit<Call, 'body'>, body: Body) {
  try {
    const person = await checkPassword(call, body)
    return await call.app.db.transaction().execute(async (tx) => {
      if (!(await isStillPassword(tx, person))) throw new Problem(idempotencyMismatch)
      // A registration sent again is no way around the second factor.
      if (await findAuthenticator(tx, person.id)) throw new Problem(idempotencyMismatch)
      return beginSession(tx, call, person.id)
    })
  } catch (error) {
    throw error instanceof Problem && error.kind === credentialsWrong ? new Problem(idempotencyMismatch) : error
  }
}
