import { errors, jwtVerify, SignJWT } from 'jose'
import { sql } from 'kysely'
import { refusedTokenWords, tokenRefused, type TokenFault } from '@masthead/contract/backoffice/staff-actions'
import { newId } from '@masthead/contract/kernel/id'
import { isStaffPermission, type StaffPermission } from '@masthead/contract/kernel/permission'
import type { App, Tx, WriteDb } from '../../kernel/app.ts'
import { getSigningKey } from '../../kernel/secrets/signing-key.ts'

/** The header that staff calls carry, spelt as Node spells headers. */
export const backofficeHeader = 'x-backoffice-token'

const audience = 'backoffice'
const keyName = 'backoffice'
const seconds = (at: Date) => Math.floor(at.getTime() / 1000)

type Stay = { id: string; person_id: string; permissions: readonly string[]; at: Date; expires_at: Date }

/** A signed token for one stay in the backoffice, with `exp` in seconds (spec §3). */
export async function signBackofficeToken(db: WriteDb, { id, person_id, permissions, at, expires_at }: Stay): Promise<string> {
  return new SignJWT({ permissions })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setAudience(audience)
    .setSubject(person_id)
    .setJti(id)
    .setIssuedAt(seconds(at))
    .setExpirationTime(seconds(expires_at))
    .sign(await getSigningKey(db, keyName))
}

type Bearer = Pick<Stay, 'person_id' | 'permissions' | 'at'> & { session_id: string }

/** What a token still allows its person in this session, never more than they have today; or why it is worth nothing. */
export async function staffOf(
  db: WriteDb,
  token: string,
  { person_id, session_id, permissions, at }: Bearer
): Promise<StaffPermission[] | TokenFault> {
  const claims = await readClaims(db, token, at)
  if (typeof claims === 'string') return claims
  if (claims.sub !== person_id) return 'another_person'
  const stay = await db
    .selectFrom('backoffice_stay')
    .select(['session_id', 'ended_at', 'expires_at'])
    .where('id', '=', claims.jti!)
    .where('person_id', '=', person_id)
    .executeTakeFirst()
  if (!stay) return 'forged'
  if (stay.ended_at) return 'ended'
  if (stay.expires_at <= at) return 'expired'
  // Whoever has the token alone has nothing: it goes with the cookie of the session it was made in.
  if (stay.session_id !== session_id) return 'another_session'
  const granted = Array.isArray(claims.permissions) ? (claims.permissions as unknown[]) : []
  return permissions.filter(isStaffPermission).filter((name) => granted.includes(name))
}

async function readClaims(db: WriteDb, token: string, at: Date) {
  const key = await getSigningKey(db, keyName)
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: ['HS256'],
      audience,
      currentDate: at,
      requiredClaims: ['exp', 'jti', 'sub'],
    })
    return payload
  } catch (error) {
    return error instanceof errors.JWTExpired ? 'expired' : 'forged'
  }
}

/** Ends the stays of a person in the backoffice, or those of one session: their tokens are worth nothing from now on. */
export async function endStays(tx: Tx, { person_id, session_id }: { person_id: string; session_id?: string | undefined }, at: Date) {
  await tx
    .updateTable('backoffice_stay')
    .set({ ended_at: at })
    .where('person_id', '=', person_id)
    .$if(session_id !== undefined, (query) => query.where('session_id', '=', session_id!))
    .where('ended_at', 'is', null)
    .execute()
}

/** A console that lost its stay asks again and again, and a customer could fill the log: so much is kept, of each person and of everybody. */
const ofPerson = { most: 1, within: 5 * 60_000 } // ms
const ofAll = { most: 200, within: 3_600_000 }

type Who = { email: string; person_id: string; ip: string; at: Date; request_id: string }

/** Keeps in the staff log that a staff token was refused, and why. */
export async function noteRefusedToken({ db }: App, { email, person_id, ip, at, request_id }: Who, why: TokenFault): Promise<void> {
  const since = ({ within }: { within: number }) => new Date(at.getTime() - within)
  const known = sql`select count(*) from (select from staff_log where action = ${tokenRefused.name}`
  const line = sql`insert into staff_log (id, at, staff_email, person_id, action, result, failure, detail, ip, request_id)
    select ${newId('staff_log', at.getTime())}, ${at}, ${email}, ${person_id}, ${tokenRefused.name}, 'refused', ${refusedTokenWords[why]},
      ${JSON.stringify({ why })}, ${ip}, ${request_id}
    where (${known} and person_id = ${person_id} and detail->>'why' = ${why} and result = 'refused' and at > ${since(ofPerson)}
        limit ${ofPerson.most}) k) < ${ofPerson.most}
      and (${known} and result = 'refused' and at > ${since(ofAll)} limit ${ofAll.most}) k) < ${ofAll.most}`
  await db.transaction().execute((tx) => line.execute(tx))
}
