import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openHouse, type House } from '@masthead/testkit/house'
import { digestOf, newPusher, ociIndex, ociManifest, pushBlob, pushImage, putManifest, type Pusher } from '../test-registry.ts'

// What the OCI distribution specification 1.1 asks of a registry in half a sentence.

let house: House
let address: string
let acme: Pusher
let name: string
beforeAll(async () => {
  house = await openHouse()
  address = await house.server.listen({ host: '127.0.0.1', port: 0 })
  acme = await newPusher(house, address)
  name = `${acme.slug}/rest/app`
  await pushImage(acme.ask, name, { tag: 'first' })
})
afterAll(() => house[Symbol.asyncDispose]())

const codes = [
  'BLOB_UNKNOWN',
  'BLOB_UPLOAD_INVALID',
  'BLOB_UPLOAD_UNKNOWN',
  'DIGEST_INVALID',
  'MANIFEST_BLOB_UNKNOWN',
  'MANIFEST_INVALID',
  'MANIFEST_UNKNOWN',
  'NAME_INVALID',
  'NAME_UNKNOWN',
  'SIZE_INVALID',
  'UNAUTHORIZED',
  'DENIED',
  'UNSUPPORTED',
  'TOOMANYREQUESTS',
]

test('an answer of 4xx has a code of the standard, also where a range is none', async () => {
  const blob = `/v2/${name}/blobs/${await pushBlob(acme.ask, name, 'some bytes')}`
  const location = (await acme.ask(`/v2/${name}/blobs/uploads/`, { method: 'POST' })).headers.get('location')!
  const beyond = await acme.ask(blob, { headers: { range: 'bytes=10-' } })
  expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, 'bytes */10'])
  const early = await acme.ask(location, { method: 'PATCH', body: 'x', headers: { 'content-range': '5-5' } })
  const none = await acme.ask(location, { method: 'PATCH', body: 'x', headers: { 'content-range': 'x' } })
  expect([early.status, none.status]).toEqual([416, 416])
  for (const { code } of [beyond, early, none]) expect(codes).toContain(code)
})

test('the address of an upload has a UUID', async () => {
  const { headers } = await acme.ask(`/v2/${name}/blobs/uploads/`, { method: 'POST' })
  expect(headers.get('location')).toMatch(/\/blobs\/uploads\/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})

test('whoever has too many uploads open is told when to come again', async () => {
  const other = await newPusher(house, address, 'Too many')
  const path = `/v2/${other.slug}/app/blobs/uploads/`
  await other.ask(path, { method: 'POST' })
  const { id, ...upload } = await house.db
    .selectFrom('registry_upload')
    .selectAll()
    .where('account_id', '=', other.account_id)
    .executeTakeFirstOrThrow()
  const more = Array.from({ length: 199 }, (_, n) => ({ ...upload, id: `${id}-${n}` }))
  await house.db.insertInto('registry_upload').values(more).execute()
  const refused = await other.ask(path, { method: 'POST' })
  expect(refused).toMatchObject({ status: 429, code: 'TOOMANYREQUESTS' })
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
})

test('what has a digest of an algorithm that is not ours is not there, and is refused when it is pushed', async () => {
  const digest = `blake3:${'a'.repeat(64)}`
  expect(await acme.ask(`/v2/${name}/blobs/${digest}`)).toMatchObject({ status: 404, code: 'BLOB_UNKNOWN' })
  expect(await acme.ask(`/v2/${name}/manifests/${digest}`)).toMatchObject({ status: 404, code: 'MANIFEST_UNKNOWN' })
  expect(await acme.ask(`/v2/${name}/blobs/${digest}`, { method: 'DELETE' })).toMatchObject({ status: 404, code: 'BLOB_UNKNOWN' })
  expect(await acme.ask(`/v2/${name}/manifests/${digest}`, { method: 'DELETE' })).toMatchObject({ status: 404, code: 'MANIFEST_UNKNOWN' })
  const list = await acme.ask(`/v2/${name}/referrers/${digest}`)
  expect([list.status, JSON.parse(list.text)]).toEqual([200, { schemaVersion: 2, mediaType: ociIndex, manifests: [] }])
  expect(await acme.ask(`/v2/${name}/blobs/uploads/?digest=${digest}`, { method: 'POST', body: 'x' })).toMatchObject({
    status: 400,
    code: 'DIGEST_INVALID',
  })
  const { manifest } = await pushImage(acme.ask, name)
  expect(await putManifest(acme.ask, name, digest, manifest)).toMatchObject({ status: 400, code: 'DIGEST_INVALID' })
})

test('an empty type of an artifact is none: that of the configuration stands for it, and an index has none', async () => {
  const own = `${acme.slug}/rest/types`
  const { digest, size } = await pushImage(acme.ask, own, { tag: 'app' })
  const subject = { mediaType: ociManifest, digest, size }
  const image = await pushImage(acme.ask, own, { more: { subject, artifactType: '' } })
  const index = JSON.stringify({ schemaVersion: 2, mediaType: ociIndex, artifactType: '', manifests: [], subject })
  expect((await putManifest(acme.ask, own, digestOf(index), index, ociIndex)).headers.get('oci-subject')).toBe(digest)
  const { manifests } = JSON.parse((await acme.ask(`/v2/${own}/referrers/${digest}`)).text) as { manifests: { digest: string }[] }
  const of = (one: string) => manifests.find((each) => each.digest === one)
  expect(of(image.digest)).toMatchObject({ artifactType: 'application/vnd.oci.image.config.v1+json' })
  expect(of(digestOf(index))).not.toHaveProperty('artifactType')
})

test('a list of what refers to something is never 404, also under a name that is not one’s own', async () => {
  for (const other of ['nobody-here/app', 'app'])
    expect(await acme.ask(`/v2/${other}/referrers/${digestOf('x')}`), other).toMatchObject({ status: 403, code: 'DENIED' })
})

describe('conditions', () => {
  test('what one has is not sent again, whatever a proxy made of its entity tag', async () => {
    const { digest, layers } = await pushImage(acme.ask, name, { tag: 'known' })
    for (const [path, of] of [
      ['manifests/known', digest],
      [`blobs/${layers[0]}`, layers[0]],
    ] as const) {
      const ask = async (none: string) => (await acme.ask(`/v2/${name}/${path}`, { headers: { 'if-none-match': none } })).status
      expect([await ask(`W/"${of}"`), await ask(`"x", "${of}"`), await ask('*'), await ask('"x"'), await ask(of!)]).toEqual([
        304, 304, 304, 200, 200,
      ])
    }
  })

  test('a tag is pushed and deleted only while it names what the client thinks', async () => {
    const own = `${acme.slug}/rest/conditions`
    const [first, second] = [await pushImage(acme.ask, own), await pushImage(acme.ask, own)]
    const put = ({ manifest }: typeof first, headers: Record<string, string>) =>
      acme.ask(`/v2/${own}/manifests/tag`, { method: 'PUT', body: manifest, headers: { 'content-type': ociManifest, ...headers } })
    const names = async () => (await acme.ask(`/v2/${own}/manifests/tag`)).headers.get('docker-content-digest')
    expect(await put(first, { 'if-match': `"${first.digest}"` })).toMatchObject({ status: 412, code: 'DENIED' })
    expect((await put(first, { 'if-match': '*' })).status).toBe(412)
    expect((await put(first, { 'if-none-match': '*' })).status).toBe(201)
    expect((await put(second, { 'if-none-match': '*' })).status).toBe(412)
    expect((await put(second, { 'if-match': `"${second.digest}"` })).status).toBe(412)
    expect(await names()).toBe(first.digest)
    expect((await put(second, { 'if-match': `"${first.digest}"` })).status).toBe(201)
    const remove = async (match: string) =>
      (await acme.ask(`/v2/${own}/manifests/tag`, { method: 'DELETE', headers: { 'if-match': match } })).status
    expect(await remove(`"${first.digest}"`)).toBe(412)
    expect(await names()).toBe(second.digest)
    expect(await remove(`"${second.digest}"`)).toBe(202)
  })
})
