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

export async function pushBlob(ask: Ask, repository: string, bytes: Buffer<ArrayBuffer>, mediaType: string): Promise<Described> {
  const digest = sha256(bytes)
  await ask(`/v2/${repository}/blobs/uploads/?digest=${digest}`, { method: 'POST', body: bytes })
  return { mediaType, digest, size: bytes.length }
}

export async function pushManifest(ask: Ask, repository: string, tag: string | null, mediaType: string, says: object): Promise<Described> {
  const content = JSON.stringify({ schemaVersion: 2, mediaType, ...says })
  const digest = sha256(content)
  await ask(`/v2/${repository}/manifests/${tag ?? digest}`, { method: 'PUT', body: content, headers: { 'content-type': mediaType } })
  return { mediaType, digest, size: Buffer.byteLength(content) }
}
