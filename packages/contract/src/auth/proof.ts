import * as z from 'zod/mini'

/** A code of an authenticator app (six digits) or a recovery code, as typed. */
export const Code = z.string().check(z.trim(), z.minLength(1, 'Enter the code'), z.maxLength(60, 'This is too long for a code'))
/** What a passkey answered: `JSON.stringify` of the browser's PublicKeyCredential. */
export const PasskeyAnswer = z.string().check(z.minLength(1), z.maxLength(50_000))

/**
 * The fields with which somebody proves anew who they are: their password or a passkey (challenged for `proof`), and a code where an
 * authenticator app is on.
 */
export const proofFields = {
  password: z.optional(z.string().check(z.maxLength(1000))),
  passkey: z.optional(PasskeyAnswer),
  code: z.optional(z.string().check(z.trim(), z.maxLength(60, 'This is too long for a code'))),
}
export const Proof = z.object(proofFields)
export type Proof = z.output<typeof Proof>
