import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openHouse, type House } from '@masthead/testkit/house'
import { digestOf, newPusher, ociIndex, ociManifest, pushBlob, pushImage, putManifest, type Pusher } from '../test-registry.ts'

// What the OCI distribution specification 1.1 says beside the main way of each section.

let house: House
let address: string
let acme: Pusher
let name: string
beforeAll(async () => {
  house = await openHouse()
  address = await house.server.listen({ host: '127.0.0.1', port: 0 })
  acme = await newPusher(house, address)
  name = `${acme.slug}/details/app`
})
afterAll(() => house[Symbol.asyncDispose]())

const begin = async () => (await acme.ask(`/v2/${name}/blobs/uploads/`, { method: 'POST' })).headers.get('location')!

test('end-1: the base is answered to whoever signs in, and asks the others to', async () => {
  expect(await acme.ask('/v2/')).toMatchObject({ status: 200 })
  const asked = await fetch(`${address}/v2/`)
  expect(asked.status).toBe(401)
  expect(asked.headers.get('www-authenticate')).toMatch(/^Bearer realm=".*\/v2\/token"/)
  expect(await asked.json()).toMatchObject({ errors: [{ code: 'UNAUTHORIZED', message: expect.any(String) }] })
})
describe('push', () => {
  test('a last piece out of order is 416 at PUT too, and what came before stays', async () => {
    const blob = randomBytes(30_000)
    const location = await begin()
    const piece = (from: number, to: number) => ({ body: blob.subarray(from, to), headers: { 'content-range': `${from}-${to - 1}` } })
    expect(await acme.ask(location, { method: 'PATCH', ...piece(0, 10_000) })).toMatchObject({ status: 202 })
    const early = await acme.ask(`${location}?digest=${digestOf(blob)}`, { method: 'PUT', ...piece(20_000, 30_000) })
    expect(early).toMatchObject({ status: 416, code: 'BLOB_UPLOAD_INVALID' })
    expect(early.headers.get('range')).toBe('0-9999')
    expect((await acme.ask(location)).headers.get('range')).toBe('0-9999')
    expect(await acme.ask(location, { method: 'PATCH', ...piece(10_000, 20_000) })).toMatchObject({ status: 202 })
    expect(await acme.ask(`${location}?digest=${digestOf(blob)}`, { method: 'PUT', ...piece(20_000, 30_000) })).toMatchObject({
      status: 201,
    })
    expect((await acme.ask(`/v2/${name}/blobs/${digestOf(blob)}`)).bytes.equals(blob)).toBe(true)
  })

  test('a range that is none is 416', async () => {
    const location = await begin()
    for (const range of ['ten-twenty', '5-', '-5', ''])
      expect(await acme.ask(location, { method: 'PATCH', body: 'x', headers: { 'content-range': range } }), range).toMatchObject({
        status: 416,
      })
  })

  test('what is pushed twice is there once, and each answer names it', async () => {
    const blob = randomBytes(500)
    for (let n = 0; n < 2; n++) {
      const ended = await acme.ask(`${await begin()}?digest=${digestOf(blob)}`, { method: 'PUT', body: blob })
      expect(ended).toMatchObject({ status: 201 })
      expect(ended.headers.get('docker-content-digest')).toBe(digestOf(blob))
    }
    const { manifest, digest } = await pushImage(acme.ask, name, { tag: 'twice' })
    const again = await putManifest(acme.ask, name, 'twice', manifest)
    expect(again).toMatchObject({ status: 201 })
    expect(again.headers.get('location')).toBe(`/v2/${name}/manifests/${digest}`)
    expect(again.headers.get('docker-content-digest')).toBe(digest)
  })

  test('a manifest with a subject says that it was taken, whether that is there or not', async () => {
    const subject = { mediaType: ociManifest, digest: digestOf('not pushed yet'), size: 14 }
    const config = '{}'
    await pushBlob(acme.ask, name, config)
    const empty = { mediaType: 'application/vnd.oci.empty.v1+json', digest: digestOf(config), size: 2 }
    const body = JSON.stringify({
      schemaVersion: 2,
      mediaType: ociManifest,
      artifactType: 'application/x',
      config: empty,
      layers: [empty],
      subject,
    })
    const answer = await putManifest(acme.ask, name, digestOf(body), body)
    expect(answer).toMatchObject({ status: 201 })
    expect(answer.headers.get('oci-subject')).toBe(subject.digest)
    const list = await acme.ask(`/v2/${name}/referrers/${subject.digest}`)
    expect(JSON.parse(list.text)).toMatchObject({
      manifests: [{ digest: digestOf(body), artifactType: 'application/x', size: body.length }],
    })
    expect(list.headers.get('content-type')).toBe(ociIndex)
  })

  test('a mount without a repository to mount from begins an upload', async () => {
    const digest = await pushBlob(acme.ask, name, randomBytes(100))
    const answer = await acme.ask(`/v2/${acme.slug}/details/other/blobs/uploads/?mount=${digest}`, { method: 'POST' })
    expect([201, 202]).toContain(answer.status)
    expect(answer.headers.get('location')).toContain(`/v2/${acme.slug}/details/other/blobs/`)
  })
})

describe('pull', () => {
  test('what one has already is not sent again', async () => {
    const { digest, layers } = await pushImage(acme.ask, name, { tag: 'etag' })
    for (const path of [`manifests/etag`, `manifests/${digest}`, `blobs/${layers[0]}`]) {
      const { headers } = await acme.ask(`/v2/${name}/${path}`)
      expect(await acme.ask(`/v2/${name}/${path}`, { headers: { 'if-none-match': headers.get('etag')! } }), path).toMatchObject({
        status: 304,
        text: '',
      })
    }
  })

  test('errors are of the form of the standard, and of a type that says so', async () => {
    for (const [path, code] of [
      [`/v2/${name}/manifests/none`, 'MANIFEST_UNKNOWN'],
      [`/v2/${name}/blobs/${digestOf('none')}`, 'BLOB_UNKNOWN'],
      [`/v2/${name}/blobs/uploads/none`, 'BLOB_UPLOAD_UNKNOWN'],
      [`/v2/${acme.slug}/none/tags/list`, 'NAME_UNKNOWN'],
    ] as const) {
      const answer = await acme.ask(path)
      expect(answer.status, path).toBe(404)
      expect(answer.headers.get('content-type'), path).toContain('application/json')
      expect(JSON.parse(answer.text), path).toEqual({ errors: [{ code, message: expect.any(String) }] })
    }
  })
})

describe('discovery', () => {
  test('pages of tags end where they end, whatever is asked for', async () => {
    const own = `${acme.slug}/details/pages`
    const { manifest } = await pushImage(acme.ask, own, { tag: 'a' })
    for (const tag of ['b', 'c']) await putManifest(acme.ask, own, tag, manifest)
    const list = async (query: string) => {
      const answer = await acme.ask(`/v2/${own}/tags/list${query}`)
      return [(JSON.parse(answer.text) as { tags: string[] }).tags, answer.headers.get('link')]
    }
    expect(await list('?n=3')).toEqual([['a', 'b', 'c'], null])
    expect(await list('?n=100')).toEqual([['a', 'b', 'c'], null])
    expect(await list('?n=0')).toEqual([[], null])
    expect(await list('?n=2&last=a')).toEqual([['b', 'c'], null])
    expect(await list('?n=1&last=a')).toEqual([['b'], `</v2/${own}/tags/list?n=1&last=b>; rel="next"`])
    // One that is not there itself is a place in the order all the same.
    expect(await list('?last=bb')).toEqual([['c'], null])
    expect(await list('?last=z')).toEqual([[], null])
  })

  test('referrers are by page too, and the filter goes with the pages', async () => {
    const own = `${acme.slug}/details/referrers`
    const { digest, size } = await pushImage(acme.ask, own, { tag: 'app' })
    const subject = { mediaType: ociManifest, digest, size }
    const signed = new Set<string>()
    for (let n = 0; n < 3; n++)
      signed.add(
        (await pushImage(acme.ask, own, { more: { subject, artifactType: 'application/signature', annotations: { n: String(n) } } })).digest
      )
    await pushImage(acme.ask, own, { more: { subject, artifactType: 'application/sbom' } })
    const found = new Set<string>()
    let path: string | undefined = `/v2/${own}/referrers/${digest}?artifactType=application/signature&n=2`
    for (let pages = 0; path && pages < 5; pages++) {
      const answer = await acme.ask(path)
      expect(answer.headers.get('oci-filters-applied')).toBe('artifactType')
      for (const each of (JSON.parse(answer.text) as { manifests: { digest: string; artifactType: string }[] }).manifests) {
        expect(each.artifactType).toBe('application/signature')
        found.add(each.digest)
      }
      path = /^<(.+)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1]
    }
    expect(found).toEqual(signed)
    // Not even of a repository that is not there yet: whoever reads 404 keeps the list in a tag.
    const none = await acme.ask(`/v2/${acme.slug}/details/not-yet/referrers/${digest}`)
    expect([none.status, JSON.parse(none.text)]).toEqual([200, { schemaVersion: 2, mediaType: ociIndex, manifests: [] }])
    expect(await acme.ask(`/v2/${own}/referrers/sha256:short`)).toMatchObject({ status: 400, code: 'DIGEST_INVALID' })
  })
})

test('referrers with long annotations come in pages that are no larger than a manifest', async () => {
  const own = `${acme.slug}/details/long-referrers`
  const { digest, size } = await pushImage(acme.ask, own, { tag: 'app' })
  const subject = { mediaType: ociManifest, digest, size }
  const pushed: string[] = []
  for (const n of [1, 2, 3])
    pushed.push((await pushImage(acme.ask, own, { more: { subject, annotations: { n: String(n).repeat(1_500_000) } } })).digest)
  const pages: string[][] = []
  for (let path: string | undefined = `/v2/${own}/referrers/${digest}`; path;) {
    const { text, headers } = await acme.ask(path)
    pages.push((JSON.parse(text) as { manifests: { digest: string }[] }).manifests.map((each) => each.digest))
    path = /^<(.+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1]
  }
  expect(pages.map(({ length }) => length)).toEqual([2, 1])
  expect(pages.flat()).toEqual(pushed.toSorted())
})

describe('management', () => {
  test('what is deleted is gone for HEAD, GET and a second DELETE', async () => {
    const { digest, layers } = await pushImage(acme.ask, name, { tag: 'going' })
    expect(await acme.ask(`/v2/${name}/blobs/${layers[0]}`, { method: 'DELETE' })).toMatchObject({ status: 403, code: 'DENIED' })
    for (const path of ['manifests/going', `manifests/${digest}`, `blobs/${layers[0]}`]) {
      expect(await acme.ask(`/v2/${name}/${path}`, { method: 'DELETE' }), path).toMatchObject({ status: 202 })
      for (const method of ['HEAD', 'GET', 'DELETE'])
        expect((await acme.ask(`/v2/${name}/${path}`, { method })).status, `${method} ${path}`).toBe(404)
    }
  })
})
