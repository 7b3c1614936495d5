import { jwtVerify, SignJWT } from 'jose'
import { isStaffPermission, type StaffPermission } from '@masthead/contract/kernel/permission'
import type { Db } from '../kernel/app.ts'
import { getSigningKey } from '../kernel/signing-key.ts'

/** The header that staff calls carry, spelt as Node spells headers. */
export const backofficeHeader = 'x-backoffice-token'

const audience = 'backoffice'
const keyName = 'backoffice'
const seconds = (at: Date) => Math.floor(at.getTime() / 1000)

type Stay = { id: string; person_id: string; permissions: readonly string[]; at: Date; expires_at: Date }

/** A signed token for one stay in the backoffice, with `exp` in seconds (spec §3). */
export async function signBackofficeToken(db: Db, { id, person_id, permissions, at, expires_at }: Stay): Promise<string> {
  return new SignJWT({ permissions })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setAudience(audience)
    .setSubject(person_id)
    .setJti(id)
    .setIssuedAt(seconds(at))
    .setExpirationTime(seconds(expires_at))
    .sign(await getSigningKey(db, keyName))
}

/** What a token still allows its person: nothing when it is forged, expired, another's or ended, and never more than they have today. */
export async function staffOf(
  db: Db,
  token: string,
  { person_id, permissions, at }: Pick<Stay, 'person_id' | 'permissions' | 'at'>
): Promise<StaffPermission[]> {
  const claims = await readClaims(db, token, at)
  if (!claims?.jti || claims.sub !== person_id) return []
  const stay = await db
    .selectFrom('backoffice_stay')
    .select('id')
    .where('id', '=', claims.jti)
    .where('person_id', '=', person_id)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', at)
    .executeTakeFirst()
  const granted = Array.isArray(claims.permissions) ? (claims.permissions as unknown[]) : []
  return stay ? permissions.filter(isStaffPermission).filter((name) => granted.includes(name)) : []
}

async function readClaims(db: Db, token: string, at: Date) {
  const key = await getSigningKey(db, keyName)
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: ['HS256'],
      audience,
      currentDate: at,
      requiredClaims: ['exp', 'jti', 'sub'],
    })
    return payload
  } catch {
    return null
  }
}
