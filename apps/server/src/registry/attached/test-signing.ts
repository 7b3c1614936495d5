import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import { configType, digestOf, ociManifest, pushBlob, putManifest, type Client } from '../test-registry.ts'

export const newSigningKey = (kind: 'ecdsa-p256' | 'ed25519' | 'rsa' = 'ecdsa-p256') => {
  const pair =
    kind === 'ed25519'
      ? generateKeyPairSync('ed25519')
      : kind === 'rsa'
        ? generateKeyPairSync('rsa', { modulusLength: 2048 })
        : generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  return { privateKey: pair.privateKey, pem: pair.publicKey.export({ type: 'spki', format: 'pem' }).toString() }
}

export const signed = (bytes: Buffer, key: KeyObject) =>
  sign(key.asymmetricKeyType === 'ed25519' ? null : 'sha256', bytes, key).toString('base64')

export const simpleSigning = (digest: string) =>
  Buffer.from(
    JSON.stringify({
      critical: {
        identity: { 'docker-reference': 'registry.test/app' },
        image: { 'docker-manifest-digest': digest },
        type: 'cosign container image signature',
      },
      optional: null,
    })
  )

type Layer = { bytes: Buffer; mediaType: string; annotations?: Record<string, string> }
/** `subject`: as OCI 1.1 has it; `tag`: as before. */
type How = { artifactType?: string; subject?: string; tag?: string }

/** Something attached to an image. */
export async function attach(ask: Client, name: string, layers: Layer[], { artifactType, subject, tag }: How): Promise<string> {
  const config = Buffer.from('{}')
  for (const bytes of [config, ...layers.map((layer) => layer.bytes)]) await pushBlob(ask, name, bytes)
  const manifest = JSON.stringify({
    schemaVersion: 2,
    mediaType: ociManifest,
    ...(artifactType && { artifactType }),
    config: { mediaType: configType, digest: digestOf(config), size: config.length },
    layers: layers.map(({ bytes, ...layer }) => ({ ...layer, digest: digestOf(bytes), size: bytes.length })),
    ...(subject && { subject: { mediaType: ociManifest, digest: subject, size: 1 } }),
  })
  const answer = await putManifest(ask, name, tag ?? digestOf(manifest), manifest)
  if (answer.status !== 201) throw new Error(answer.text)
  return digestOf(manifest)
}

export const signatureLayer = (payload: Buffer, signature: string): Layer => ({
  bytes: payload,
  mediaType: 'application/vnd.dev.cosign.simplesigning.v1+json',
  annotations: { 'dev.cosignproject.cosign/signature': signature },
})

export const tagFor = (digest: string, kind: string) => `${digest.replace(':', '-')}.${kind}`

/** A statement of in-toto in a signed envelope, as `cosign attest` makes it. */
export function envelope(statement: object, key: KeyObject): Layer {
  const payloadType = 'application/vnd.in-toto+json'
  const body = Buffer.from(JSON.stringify(statement))
  const bytes = Buffer.concat([Buffer.from(`DSSEv1 ${payloadType.length} ${payloadType} ${body.length} `), body])
  const made = { payloadType, payload: body.toString('base64'), signatures: [{ keyid: '', sig: signed(bytes, key) }] }
  return { bytes: Buffer.from(JSON.stringify(made)), mediaType: 'application/vnd.dsse.envelope.v1+json' }
}
