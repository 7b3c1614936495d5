import { Email, TeamName } from '@masthead/contract/kernel/fields'
import * as z from 'zod/mini'

/** What a provider claims of who signs in. `email` only where it says that it verified it. */
export type IdentityClaims = { issuer: string; subject: string; email: string | null; name: string | null; id_token: string | null }

/** Reads the claims of a token or of userinfo. Some providers write the flag as a text. */
export function readIdentityClaims(issuer: string, claims: Record<string, unknown>, id_token: string | null = null): IdentityClaims {
  const { sub, email, email_verified, name } = claims
  const given = z.safeParse(Email, email)
  const verified = email_verified === true || email_verified === 'true'
  return {
    issuer,
    subject: String(sub),
    email: verified && given.success ? given.data : null,
    name: typeof name === 'string' ? nameOf(name) : null,
    id_token,
  }
}

/** A name as people may choose one themselves; null where nothing of it is left. */
function nameOf(name: string): string | null {
  const read = z.safeParse(TeamName, name.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]+/gu, ' ').slice(0, 120))
  return read.success ? read.data : null
}
