import { isOwnDigest } from '../protocol/address.ts'

/** What somebody signed, with the signature; `about`: digests that it is for, by its own words. */
export type Signed = { kind: 'image' | 'attestation'; about: string[]; signed: Buffer; signature: Buffer }
/** A statement of in-toto: of what, which kind, and what it says. */
export type Statement = { about: string[]; type: string; predicate: unknown }

const mostSubjects = 100
/** What cosign says since its third version in place of a payload of its own. */
const signs = 'https://sigstore.dev/cosign/sign/v1'

export const objectOf = (value: unknown) =>
  (typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}) as Record<string, unknown>
export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]) : [])

/** Null where it is no JSON. */
export function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return null
  }
}

const isOne = (digest: unknown): digest is string => typeof digest === 'string' && isOwnDigest(digest)

/** A payload of cosign (“simple signing”) with the signature of the layer that names it. */
export function readSimpleSigning(payload: Buffer, signature: unknown): Signed[] {
  if (typeof signature !== 'string' || signature === '') return []
  const { 'docker-manifest-digest': digest } = objectOf(objectOf(objectOf(parseJson(payload)).critical).image)
  return [{ kind: 'image', about: isOne(digest) ? [digest] : [], signed: payload, signature: Buffer.from(signature, 'base64') }]
}

/** A statement without a signature. */
export function readStatement(value: unknown): Statement | null {
  const { subject, predicateType, predicate } = objectOf(value)
  if (typeof predicateType !== 'string') return null
  const about = listOf(subject)
    .slice(0, mostSubjects)
    .flatMap((each) => {
      const digests = objectOf(objectOf(each).digest)
      return ['sha256', 'sha512'].map((algorithm) => `${algorithm}:${String(digests[algorithm])}`).filter(isOwnDigest)
    })
  return { about, type: predicateType, predicate }
}

/** A DSSE envelope, or a bundle of Sigstore around one: its statement, and each signature of it. */
export function readEnvelope(value: unknown): { statement: Statement | null; signed: Signed[] } {
  const outer = objectOf(value)
  const { payload, payloadType, signatures } = objectOf(outer.dsseEnvelope ?? outer)
  if (typeof payload !== 'string' || typeof payloadType !== 'string') return { statement: null, signed: [] }
  const body = Buffer.from(payload, 'base64')
  const statement = readStatement(parseJson(body))
  const signed = before(payloadType, body)
  const kind = statement?.type === signs ? 'image' : 'attestation'
  return {
    statement,
    signed: listOf(signatures)
      .slice(0, 10)
      .flatMap((each) => {
        const { sig } = objectOf(each)
        return typeof sig === 'string' ? [{ kind, about: statement?.about ?? [], signed, signature: Buffer.from(sig, 'base64') }] : []
      }),
  }
}

/** What is signed of an envelope (DSSE, “pre-authentication encoding”). */
const before = (type: string, body: Buffer) =>
  Buffer.concat([Buffer.from(`DSSEv1 ${Buffer.byteLength(type)} ${type} ${body.byteLength} `), body])
