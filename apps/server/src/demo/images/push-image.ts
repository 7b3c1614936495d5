import { createHash } from 'node:crypto'

export const types = {
  config: 'application/vnd.oci.image.config.v1+json',
  layer: 'application/vnd.oci.image.layer.v1.tar+gzip',
  manifest: 'application/vnd.oci.image.manifest.v1+json',
  empty: 'application/vnd.oci.empty.v1+json',
  index: 'application/vnd.oci.image.index.v1+json',
}

export const sha256 = (bytes: Uint8Array | string) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`
export type Described = { mediaType: string; digest: string; size: number }
export type Ask = (path: string, init?: RequestInit) => Promise<Response>

export const describe = (bytes: Buffer, mediaType: string): Described => ({ mediaType, digest: sha256(bytes), size: bytes.length })

export async function pushBlob(ask: Ask, repository: string, bytes: Buffer<ArrayBuffer>, mediaType: string): Promise<Described> {
  const described = describe(bytes, mediaType)
  await ask(`/v2/${repository}/blobs/uploads/?digest=${described.digest}`, { method: 'POST', body: bytes })
  return described
}

const contentOf = (mediaType: string, says: object) => JSON.stringify({ schemaVersion: 2, mediaType, ...says })
/** What a manifest is called before it is pushed. */
export const describeManifest = (mediaType: string, says: object) => describe(Buffer.from(contentOf(mediaType, says)), mediaType)

export async function pushManifest(ask: Ask, repository: string, tag: string | null, mediaType: string, says: object): Promise<Described> {
  const described = describeManifest(mediaType, says)
  const body = contentOf(mediaType, says)
  await ask(`/v2/${repository}/manifests/${tag ?? described.digest}`, { method: 'PUT', body, headers: { 'content-type': mediaType } })
  return described
}
