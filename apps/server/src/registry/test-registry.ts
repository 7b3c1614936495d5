import { createHash, randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import type { House, Person } from '@masthead/testkit/house'
import { newKey } from '../developers/test-keys.ts'

export const digestOf = (bytes: Uint8Array | string) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`
export const ociManifest = 'application/vnd.oci.image.manifest.v1+json'
export const ociIndex = 'application/vnd.oci.image.index.v1+json'
export const configType = 'application/vnd.oci.image.config.v1+json'
export const layerType = 'application/vnd.oci.image.layer.v1.tar+gzip'

type Ask = { method?: string; body?: string | Uint8Array | AsyncIterable<Uint8Array>; headers?: Record<string, string> }
export type Answered = {
  status: number
  headers: Headers
  text: string
  bytes: Buffer
  code: string | undefined
  words: string | undefined
}

/** Asks the registry as a client does: with a secret as password, or a token, or nothing. */
export function client(address: string, authorization?: string) {
  return async (path: string, { method = 'GET', body, headers = {} }: Ask = {}): Promise<Answered> => {
    const answer = await fetch(path.startsWith('http') ? path : address + path, {
      method,
      headers: { ...(authorization && { authorization }), ...headers },
      redirect: 'manual',
      ...(body !== undefined && { body, duplex: 'half' }),
    } as never)
    const bytes = Buffer.from(await answer.arrayBuffer())
    const text = bytes.toString()
    const isJson = answer.headers.get('content-type')?.includes('json')
    const [error] = isJson ? ((JSON.parse(text || '{}') as { errors?: { code: string; message: string }[] }).errors ?? []) : []
    return { status: answer.status, headers: answer.headers, text, bytes, code: error?.code, words: error?.message }
  }
}
export type Client = ReturnType<typeof client>
export const basic = (secret: string, user = 'whoever') => `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`

/** Somebody with an account, its slug, and a key that pushes. */
export async function newPusher(house: House, address: string, name = 'Acme', scopes = ['registry.view', 'registry.edit'], owner?: Person) {
  const person = owner ?? (await house.newOwner(name))
  const { secret } = await newKey(house, person, scopes, { name: 'ci-push' })
  const ask = client(address, basic(secret))
  expect((await ask('/v2/')).status).toBe(200)
  const { slug } = await house.db
    .selectFrom('registry_account')
    .select('slug')
    .where('account_id', '=', person.account_id)
    .executeTakeFirstOrThrow()
  return { person, account_id: person.account_id, secret, ask, slug }
}
export type Pusher = Awaited<ReturnType<typeof newPusher>>

export async function pushBlob(ask: Client, name: string, bytes: Uint8Array | string): Promise<string> {
  const digest = digestOf(bytes)
  const begun = await ask(`/v2/${name}/blobs/uploads/`, { method: 'POST' })
  expect(begun.status, begun.text).toBe(202)
  const ended = await ask(`${begun.headers.get('location')}?digest=${digest}`, { method: 'PUT', body: bytes })
  expect(ended.status, ended.text).toBe(201)
  return digest
}

type Made = { layers?: (Buffer | string)[]; config?: object; more?: object; tag?: string }

/** An image with its configuration and layers, pushed. */
export async function pushImage(ask: Client, name: string, { layers = [randomBytes(1000)], config = {}, more = {}, tag }: Made = {}) {
  const configBytes = JSON.stringify({ os: 'linux', architecture: 'arm64', config: { Env: ['TOKEN=very-secret', 'PATH=/bin'] }, ...config })
  const describe = (bytes: Buffer | string, mediaType: string) => ({ mediaType, digest: digestOf(bytes), size: Buffer.byteLength(bytes) })
  for (const blob of [configBytes, ...layers]) await pushBlob(ask, name, blob)
  const manifest = JSON.stringify({
    schemaVersion: 2,
    mediaType: ociManifest,
    config: describe(configBytes, configType),
    layers: layers.map((layer) => describe(layer, layerType)),
    ...more,
  })
  const digest = digestOf(manifest)
  const answer = await putManifest(ask, name, tag ?? digest, manifest)
  expect(answer.status, answer.text).toBe(201)
  return { digest, manifest, config: digestOf(configBytes), layers: layers.map(digestOf), size: manifest.length }
}

export const putManifest = (ask: Client, name: string, reference: string, body: string, type = ociManifest) =>
  ask(`/v2/${name}/manifests/${reference}`, { method: 'PUT', body, headers: { 'content-type': type } })
