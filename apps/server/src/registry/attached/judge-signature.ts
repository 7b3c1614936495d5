import { createPublicKey, verify, type KeyObject } from 'node:crypto'
import type { Signature, SignatureSummary, SigningKey } from '@masthead/contract/registry/signature'
import type { Signed } from './read-signed.ts'

export type TrustedKey = Pick<SigningKey, 'id' | 'name' | 'kind'> & { key: KeyObject }

export const trusted = (keys: readonly SigningKey[]): TrustedKey[] =>
  keys.map(({ id, name, kind, public_key }) => ({ id, name, kind, key: createPublicKey(public_key) }))

/** Ed25519 hashes by itself; the others sign a SHA-256. */
const isOf = ({ signed, signature }: Signed, { kind, key }: TrustedKey): boolean =>
  verify(kind === 'ed25519' ? null : 'sha256', signed, key, signature)

/** Whether a signature is one of an image, and why not. */
export function judgeSignature(given: Signed, image: string, keys: readonly TrustedKey[]): Pick<Signature, 'verdict' | 'why' | 'key'> {
  const what = given.kind === 'image' ? 'signature' : 'attestation'
  if (!given.about.includes(image)) {
    const [other] = given.about
    const why = other ? `This ${what} is for another image, ${other}` : `This ${what} does not say which image it is for`
    return { verdict: 'other_image', why, key: null }
  }
  if (keys.length === 0) return { verdict: 'no_keys', why: 'The account has no signing key to verify it with', key: null }
  const found = keys.find((key) => isOf(given, key))
  if (!found) return { verdict: 'key_unknown', why: 'It was made with none of the account’s signing keys, or changed since', key: null }
  return {
    verdict: 'verified',
    why: `It was made with the key ${found.name}, for this image`,
    key: { id: found.id, name: found.name },
  }
}

/** Signatures of the image alone: who signs a list of its parts does not sign it. */
export function summaryOf(signatures: readonly Pick<Signature, 'of' | 'verdict' | 'why' | 'key'>[]): SignatureSummary {
  const own = signatures.filter(({ of }) => of === 'image')
  const best = own.find(({ verdict }) => verdict === 'verified') ?? own[0]
  return best ? { verified: best.verdict === 'verified', key: best.key?.name ?? null, why: best.why } : null
}
