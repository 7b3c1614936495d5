import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openHouse, type House } from '@masthead/testkit/house'
import { digestOf, newPusher, ociIndex, ociManifest, pushImage, putManifest, type Pusher } from '../test-registry.ts'

// What the OCI distribution specification 1.1 asks of a registry, section by section: lists and deletes.

let house: House
let acme: Pusher
let name: string
beforeAll(async () => {
  house = await openHouse()
  acme = await newPusher(house, await house.server.listen({ host: '127.0.0.1', port: 0 }))
  name = `${acme.slug}/conformance/app`
  await pushImage(acme.ask, name, { tag: 'first' })
})
afterAll(() => house[Symbol.asyncDispose]())

describe('discovery', () => {
  test('tags in order, by page', async () => {
    const own = `${acme.slug}/conformance/tags`
    const { manifest } = await pushImage(acme.ask, own, { tag: 'b' })
    for (const tag of ['a', 'C', '1', 'b.1']) await putManifest(acme.ask, own, tag, manifest)
    const all = ['1', 'C', 'a', 'b', 'b.1']
    expect(JSON.parse((await acme.ask(`/v2/${own}/tags/list`)).text)).toEqual({ name: own, tags: all })
    const found: string[] = []
    let path: string | undefined = `/v2/${own}/tags/list?n=2`
    while (path) {
      const answer = await acme.ask(path)
      found.push(...(JSON.parse(answer.text) as { tags: string[] }).tags)
      path = /^<(.+)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1]
    }
    expect(found).toEqual(all)
    expect(JSON.parse((await acme.ask(`/v2/${own}/tags/list?n=0`)).text)).toMatchObject({ tags: [] })
    expect(JSON.parse((await acme.ask(`/v2/${own}/tags/list?last=a`)).text)).toMatchObject({ tags: ['b', 'b.1'] })
    expect(await acme.ask(`/v2/${acme.slug}/none/tags/list`)).toMatchObject({ status: 404, code: 'NAME_UNKNOWN' })
  })

  test('referrers, of one type where that is asked for', async () => {
    const own = `${acme.slug}/conformance/referrers`
    const { digest, size } = await pushImage(acme.ask, own, { tag: 'app' })
    const list = async (query = '') => acme.ask(`/v2/${own}/referrers/${digest}${query}`)
    expect(JSON.parse((await list()).text)).toEqual({ schemaVersion: 2, mediaType: ociIndex, manifests: [] })
    const subject = { mediaType: ociManifest, digest, size }
    const signature = await pushImage(acme.ask, own, {
      more: { subject, artifactType: 'application/signature', annotations: { by: 'me' } },
    })
    const parts = await pushImage(acme.ask, own, { more: { subject } })
    const answer = await list()
    expect(answer.headers.get('content-type')).toBe(ociIndex)
    const { manifests } = JSON.parse(answer.text) as {
      manifests: { digest: string; artifactType: string; annotations?: object; size: number }[]
    }
    expect(manifests.map((each) => each.digest).toSorted()).toEqual([signature.digest, parts.digest].toSorted())
    expect(manifests.find((each) => each.digest === signature.digest)).toEqual({
      mediaType: ociManifest,
      digest: signature.digest,
      size: signature.size,
      artifactType: 'application/signature',
      annotations: { by: 'me' },
    })
    const filtered = await list('?artifactType=application/signature')
    expect(filtered.headers.get('oci-filters-applied')).toBe('artifactType')
    expect((JSON.parse(filtered.text) as { manifests: unknown[] }).manifests).toHaveLength(1)
    const pushed = await putManifest(acme.ask, own, signature.digest, signature.manifest)
    expect(pushed.headers.get('oci-subject')).toBe(digest)
    expect(JSON.parse((await acme.ask(`/v2/${own}/referrers/${digestOf('none')}`)).text)).toMatchObject({ manifests: [] })
  })

  test('repositories of the account', async () => {
    const { repositories } = JSON.parse((await acme.ask('/v2/_catalog')).text) as { repositories: string[] }
    expect(repositories).toContain(name)
    expect(repositories).toEqual(repositories.toSorted())
    const first = await acme.ask('/v2/_catalog?n=1')
    expect(first.headers.get('link')).toContain(`last=${encodeURIComponent(repositories[0]!)}`)
    expect(JSON.parse((await acme.ask(`/v2/_catalog?n=1&last=${repositories[0]}`)).text)).toEqual({ repositories: [repositories[1]] })
  })
})

describe('management', () => {
  test('a tag goes alone, a manifest with its tags, a blob when nothing needs it', async () => {
    const own = `${acme.slug}/conformance/delete`
    const { digest, manifest, layers } = await pushImage(acme.ask, own, { tag: 'one' })
    await putManifest(acme.ask, own, 'two', manifest)
    const remove = (path: string) => acme.ask(`/v2/${own}/${path}`, { method: 'DELETE' })
    expect(await remove(`blobs/${layers[0]}`)).toMatchObject({ status: 403, code: 'DENIED' })
    expect(await remove('manifests/one')).toMatchObject({ status: 202 })
    expect(await remove('manifests/one')).toMatchObject({ status: 404, code: 'MANIFEST_UNKNOWN' })
    expect(await acme.ask(`/v2/${own}/manifests/two`)).toMatchObject({ status: 200 })
    expect(await remove(`manifests/${digest}`)).toMatchObject({ status: 202 })
    expect(await acme.ask(`/v2/${own}/manifests/two`)).toMatchObject({ status: 404 })
    expect(await acme.ask(`/v2/${own}/tags/list`)).toMatchObject({ status: 200, text: `{"name":"${own}","tags":[]}` })
    expect(await remove(`blobs/${layers[0]}`)).toMatchObject({ status: 202 })
    expect(await remove(`blobs/${layers[0]}`)).toMatchObject({ status: 404, code: 'BLOB_UNKNOWN' })
    expect(await acme.ask(`/v2/${own}/blobs/${layers[0]}`)).toMatchObject({ status: 404 })
    const names = (await house.events(acme.account_id)).filter(({ detail }) => (detail as { repository?: string }).repository === own)
    expect(names.map(({ name: each, detail }) => [each, (detail as { tag?: string }).tag])).toEqual([
      ['registry.image_pushed', 'one'],
      ['registry.image_pushed', 'two'],
      ['registry.tag_deleted', 'one'],
      ['registry.image_deleted', undefined],
    ])
  })

  test('what an index names stays until that is deleted', async () => {
    const own = `${acme.slug}/conformance/index`
    const { digest, manifest } = await pushImage(acme.ask, own)
    const index = JSON.stringify({ schemaVersion: 2, manifests: [{ mediaType: ociManifest, digest, size: manifest.length }] })
    await putManifest(acme.ask, own, 'all', index, ociIndex)
    const remove = (reference: string) => acme.ask(`/v2/${own}/manifests/${reference}`, { method: 'DELETE' })
    expect(await remove(digest)).toMatchObject({ status: 403, code: 'DENIED' })
    expect(await remove(digestOf(index))).toMatchObject({ status: 202 })
    expect(await remove(digest)).toMatchObject({ status: 202 })
  })
})
