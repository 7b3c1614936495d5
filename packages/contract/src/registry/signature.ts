import * as z from 'zod/mini'
import { Name, Time } from '../kernel/fields.ts'
import { idKind } from '../kernel/id.ts'

export const signingKeyId = idKind('sgk')
export const mostSigningKeys = 20

const signingKinds = ['ecdsa-p256', 'ed25519', 'rsa'] as const

/** The public half of a key that signs images: with it the account says whose signatures it trusts. */
export const SigningKey = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(signingKinds),
  /** SHA-256 of the key as DER, as `openssl pkey -pubin -outform DER | sha256sum` says it. */
  fingerprint: z.string(),
  public_key: z.string(),
  created_by: z.string(),
  created_at: Time,
})
export type SigningKey = z.output<typeof SigningKey>

export const AddSigningKeyBody = z.object({
  name: Name,
  public_key: z.string().check(z.trim(), z.minLength(1, 'Paste the public key'), z.maxLength(10_000, 'Use at most 10,000 characters')),
})
export type AddSigningKeyBody = z.output<typeof AddSigningKeyBody>

/** Whether a signature is one of an image: made by a key of the account, and for that very image. */
export const verdicts = ['verified', 'key_unknown', 'no_keys', 'other_image'] as const

/** A signature that is attached to an image. */
export const Signature = z.object({
  /** Of the manifest that carries it. */
  digest: z.string(),
  /** An `attestation` signs what is said of the image, as a list of its parts. */
  of: z.enum(['image', 'attestation']),
  verdict: z.enum(verdicts),
  why: z.string(),
  key: z.nullable(z.object({ id: z.string(), name: z.string() })),
  pushed_at: Time,
  pushed_by: z.string(),
})
export type Signature = z.output<typeof Signature>

/** What the signatures of an image say together. Null where it has none. */
export const SignatureSummary = z.nullable(z.object({ verified: z.boolean(), key: z.nullable(z.string()), why: z.string() }))
export type SignatureSummary = z.output<typeof SignatureSummary>
