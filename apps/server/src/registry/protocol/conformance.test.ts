import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openHouse, type House } from '@masthead/testkit/house'
import { digestOf, newPusher, ociIndex, ociManifest, pushBlob, pushImage, putManifest, type Pusher } from '../test-registry.ts'

// What the OCI distribution specification 1.1 asks of a registry, section by section.

let house: House
let acme: Pusher
let name: string
beforeAll(async () => {
  house = await openHouse()
  acme = await newPusher(house, await house.server.listen({ host: '127.0.0.1', port: 0 }))
  name = `${acme.slug}/conformance/app`
})
afterAll(() => house[Symbol.asyncDispose]())

describe('push', () => {
  const blob = randomBytes(300_000)
  const digest = digestOf(blob)
  const begin = async () => (await acme.ask(`/v2/${name}/blobs/uploads/`, { method: 'POST' })).headers.get('location')!

  test('a blob by POST and PUT, by POST alone, and one of no bytes', async () => {
    const begun = await acme.ask(`/v2/${name}/blobs/uploads/`, { method: 'POST' })
    expect(begun).toMatchObject({ status: 202 })
    expect(begun.headers.get('range')).toBe('0-0')
    const ended = await acme.ask(`${begun.headers.get('location')}?digest=${digest}`, { method: 'PUT', body: blob })
    expect(ended).toMatchObject({ status: 201 })
    expect(ended.headers.get('location')).toBe(`/v2/${name}/blobs/${digest}`)
    expect(ended.headers.get('docker-content-digest')).toBe(digest)
    const other = randomBytes(100)
    expect(await acme.ask(`/v2/${name}/blobs/uploads/?digest=${digestOf(other)}`, { method: 'POST', body: other })).toMatchObject({
      status: 201,
    })
    expect((await acme.ask(`/v2/${name}/blobs/${digestOf(other)}`)).bytes.equals(other)).toBe(true)
    await pushBlob(acme.ask, name, '')
    expect(await acme.ask(`/v2/${name}/blobs/${digestOf('')}`)).toMatchObject({ status: 200, text: '' })
  })

  test('a blob in chunks, in order: others are 416, and the upload says how far it is', async () => {
    const location = await begin()
    const patch = (from: number, to: number, range = `${from}-${to - 1}`) =>
      acme.ask(location, {
        method: 'PATCH',
        body: blob.subarray(from, to),
        headers: { 'content-type': 'application/octet-stream', 'content-range': range },
      })
    const first = await patch(0, 100_000)
    expect(first).toMatchObject({ status: 202 })
    expect(first.headers.get('range')).toBe('0-99999')
    expect(await patch(200_000, 300_000)).toMatchObject({ status: 416, code: 'BLOB_UPLOAD_INVALID' })
    expect(await patch(0, 100_000)).toMatchObject({ status: 416 })
    expect(await patch(100_000, 150_000, '100000-199999')).toMatchObject({ status: 400, code: 'SIZE_INVALID' })
    const told = await acme.ask(location)
    expect(told.status).toBe(204)
    expect(told.headers.get('range')).toBe('0-99999')
    expect(await patch(100_000, 200_000)).toMatchObject({ status: 202 })
    const ended = await acme.ask(`${location}?digest=${digest}`, {
      method: 'PUT',
      body: blob.subarray(200_000),
      headers: { 'content-range': '200000-299999' },
    })
    expect(ended).toMatchObject({ status: 201 })
    expect((await acme.ask(`/v2/${name}/blobs/${digest}`)).bytes.equals(blob)).toBe(true)
    expect(await acme.ask(location)).toMatchObject({ status: 404, code: 'BLOB_UPLOAD_UNKNOWN' })
  })

  test('a blob as it comes, of no announced length', async () => {
    const location = await begin()
    async function* coming() {
      for (let at = 0; at < blob.length; at += 50_000) yield blob.subarray(at, at + 50_000)
    }
    expect(await acme.ask(location, { method: 'PATCH', body: coming() })).toMatchObject({ status: 202 })
    expect(await acme.ask(`${location}?digest=${digest}`, { method: 'PUT' })).toMatchObject({ status: 201 })
  })

  test('a blob of another digest is refused, and nothing of it is there', async () => {
    const location = await begin()
    const wrong = digestOf('something else')
    expect(await acme.ask(`${location}?digest=${wrong}`, { method: 'PUT', body: blob })).toMatchObject({
      status: 400,
      code: 'DIGEST_INVALID',
    })
    expect(await acme.ask(`/v2/${name}/blobs/${wrong}`, { method: 'HEAD' })).toMatchObject({ status: 404 })
    expect(await acme.ask(location)).toMatchObject({ status: 404 })
    const other = await begin()
    for (const none of ['', 'sha256:', 'sha256:xyz', `sha512:${'a'.repeat(64)}`, `sha384:${'a'.repeat(96)}`])
      expect(await acme.ask(`${other}?digest=${none}`, { method: 'PUT', body: blob }), none).toMatchObject({
        status: 400,
        code: 'DIGEST_INVALID',
      })
  })

  test('an upload is cancelled', async () => {
    const location = await begin()
    await acme.ask(location, { method: 'PATCH', body: blob })
    expect(await acme.ask(location, { method: 'DELETE' })).toMatchObject({ status: 204 })
    expect(await acme.ask(location)).toMatchObject({ status: 404 })
    expect(await acme.ask(location, { method: 'PATCH', body: blob })).toMatchObject({ status: 404, code: 'BLOB_UPLOAD_UNKNOWN' })
  })

  test('a blob is mounted from another repository; of one that has it not an upload begins', async () => {
    await pushBlob(acme.ask, name, blob)
    const to = `${acme.slug}/conformance/mounted`
    const mount = (from: string, mounted = digest) =>
      acme.ask(`/v2/${to}/blobs/uploads/?mount=${mounted}&from=${encodeURIComponent(from)}`, { method: 'POST' })
    expect(await mount(`${acme.slug}/none`)).toMatchObject({ status: 202 })
    expect(await mount(name, digestOf('never pushed'))).toMatchObject({ status: 202 })
    expect(await acme.ask(`/v2/${to}/blobs/${digest}`)).toMatchObject({ status: 404, code: 'BLOB_UNKNOWN' })
    const mounted = await mount(name)
    expect(mounted).toMatchObject({ status: 201 })
    expect(mounted.headers.get('location')).toBe(`/v2/${to}/blobs/${digest}`)
    expect((await acme.ask(`/v2/${to}/blobs/${digest}`)).bytes.equals(blob)).toBe(true)
  })

  test('manifests by tag and by digest, with the type as pushed', async () => {
    const { manifest, digest: own } = await pushImage(acme.ask, name, { tag: '1.0' })
    for (const reference of ['1.0', own]) {
      const answer = await acme.ask(`/v2/${name}/manifests/${reference}`)
      expect(answer).toMatchObject({ status: 200, text: manifest })
      expect(answer.headers.get('content-type')).toBe(ociManifest)
      expect(answer.headers.get('docker-content-digest')).toBe(own)
    }
    const docker = manifest.replace(ociManifest, 'application/vnd.docker.distribution.manifest.v2+json')
    expect(await putManifest(acme.ask, name, 'docker', docker, 'application/vnd.docker.distribution.manifest.v2+json')).toMatchObject({
      status: 201,
    })
    expect((await acme.ask(`/v2/${name}/manifests/docker`)).headers.get('content-type')).toBe(
      'application/vnd.docker.distribution.manifest.v2+json'
    )
    const index = JSON.stringify({
      schemaVersion: 2,
      mediaType: ociIndex,
      manifests: [{ mediaType: ociManifest, digest: own, size: manifest.length, platform: { os: 'linux', architecture: 'arm64' } }],
    })
    expect(await putManifest(acme.ask, name, 'many', index, ociIndex)).toMatchObject({ status: 201 })
    expect((await acme.ask(`/v2/${name}/manifests/many`)).headers.get('content-type')).toBe(ociIndex)
  })

  test('a manifest is refused that names what is not there, is not valid, or is another', async () => {
    const { manifest } = await pushImage(acme.ask, name, { tag: 'whole' })
    const missing = manifest.replace(/"layers":\[.*\]/, `"layers":[{"mediaType":"x/y","digest":"${digestOf('no')}","size":2}]`)
    expect(await putManifest(acme.ask, name, 'broken', missing)).toMatchObject({ status: 404, code: 'MANIFEST_BLOB_UNKNOWN' })
    const otherSize = manifest.replace(/"size":1000/, '"size":999')
    expect(await putManifest(acme.ask, name, 'broken', otherSize)).toMatchObject({ status: 400, code: 'SIZE_INVALID' })
    for (const [body, type] of [
      ['', ociManifest],
      ['[]', ociManifest],
      ['{', ociManifest],
      ['{"schemaVersion":1}', ociManifest],
      [manifest, 'application/json'],
      [manifest, ociIndex],
      [JSON.stringify({ schemaVersion: 2, manifests: 'x' }), ociIndex],
    ] as const)
      expect(await putManifest(acme.ask, name, 'broken', body, type), body.slice(0, 30)).toMatchObject({
        status: 400,
        code: 'MANIFEST_INVALID',
      })
    expect(await putManifest(acme.ask, name, digestOf('other'), manifest)).toMatchObject({ status: 400, code: 'DIGEST_INVALID' })
    expect(await putManifest(acme.ask, name, '.dotted', manifest)).toMatchObject({ status: 400, code: 'MANIFEST_INVALID' })
    expect(await putManifest(acme.ask, name, 'large', ' '.repeat(4 * 1024 * 1024) + manifest)).toMatchObject({ status: 413 })
    expect(await acme.ask(`/v2/${name}/manifests/broken`)).toMatchObject({ status: 404, code: 'MANIFEST_UNKNOWN' })
  })
})

describe('pull', () => {
  test('HEAD says what GET gives', async () => {
    const { digest, manifest, layers } = await pushImage(acme.ask, name, { tag: 'head' })
    for (const path of [`manifests/head`, `manifests/${digest}`, `blobs/${layers[0]}`]) {
      const [head, get] = [await acme.ask(`/v2/${name}/${path}`, { method: 'HEAD' }), await acme.ask(`/v2/${name}/${path}`)]
      expect(head).toMatchObject({ status: 200, text: '' })
      for (const header of ['content-length', 'docker-content-digest', 'content-type', 'etag'])
        expect(head.headers.get(header), `${path} ${header}`).toBe(get.headers.get(header))
    }
    expect((await acme.ask(`/v2/${name}/manifests/head`, { method: 'HEAD' })).headers.get('content-length')).toBe(String(manifest.length))
    for (const path of [`manifests/none`, `manifests/${digestOf('none')}`, `blobs/${digestOf('none')}`])
      expect(await acme.ask(`/v2/${name}/${path}`, { method: 'HEAD' }), path).toMatchObject({ status: 404, text: '' })
  })

  test('parts of a blob', async () => {
    const blob = randomBytes(10_000)
    const path = `/v2/${name}/blobs/${await pushBlob(acme.ask, name, blob)}`
    const part = async (range: string) => acme.ask(path, { headers: { range } })
    const middle = await part('bytes=100-199')
    expect(middle.status).toBe(206)
    expect(middle.headers.get('content-range')).toBe('bytes 100-199/10000')
    expect(middle.bytes.equals(blob.subarray(100, 200))).toBe(true)
    expect((await part('bytes=9990-')).bytes.equals(blob.subarray(9990))).toBe(true)
    expect((await part('bytes=-10')).bytes.equals(blob.subarray(9990))).toBe(true)
    expect(await part('bytes=10000-')).toMatchObject({ status: 416 })
    for (const none of ['lines=1-2', 'bytes=20-10']) expect(await part(none)).toMatchObject({ status: 200 })
    const goesOn = async (etag: string) => (await acme.ask(path, { headers: { range: 'bytes=9990-', 'if-range': etag } })).status
    // Whoever has begun something else gets all of this.
    expect([await goesOn(middle.headers.get('etag')!), await goesOn('"another"')]).toEqual([206, 200])
  })

  test('what is not there', async () => {
    expect(await acme.ask(`/v2/${acme.slug}/none/manifests/latest`)).toMatchObject({ status: 404, code: 'NAME_UNKNOWN' })
    expect(await acme.ask(`/v2/${name}/manifests/none`)).toMatchObject({ status: 404, code: 'MANIFEST_UNKNOWN' })
    expect(await acme.ask(`/v2/${name}/blobs/${digestOf('none')}`)).toMatchObject({ status: 404, code: 'BLOB_UNKNOWN' })
    expect(await acme.ask(`/v2/${acme.slug}/UPPER/manifests/latest`)).toMatchObject({ status: 400, code: 'NAME_INVALID' })
    expect(await acme.ask(`/v2/${name}/blobs/sha256:short`)).toMatchObject({ status: 400, code: 'DIGEST_INVALID' })
  })

  test('a name of the greatest length', async () => {
    const long = `${acme.slug}/${'a'.repeat(254 - acme.slug.length)}`
    const { digest } = await pushImage(acme.ask, long, { tag: 't'.repeat(128) })
    expect((await acme.ask(`/v2/${long}/manifests/${'t'.repeat(128)}`)).headers.get('docker-content-digest')).toBe(digest)
    expect(await acme.ask(`/v2/${long}a/manifests/latest`)).toMatchObject({ status: 400, code: 'NAME_INVALID' })
  })
})

test('other methods, and other addresses', async () => {
  const answer = await acme.ask(`/v2/${name}/tags/list`, { method: 'POST' })
  expect(answer).toMatchObject({ status: 405, code: 'UNSUPPORTED' })
  expect(answer.headers.get('allow')).toBe('GET, HEAD')
  expect(await acme.ask('/v2/some/where/else')).toMatchObject({ status: 404 })
  const { headers } = await acme.ask('/v2/')
  expect(headers.get('docker-distribution-api-version')).toBe('registry/2.0')
})
