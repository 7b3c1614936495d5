import { Readable } from 'node:stream'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { getImageComparison } from '@masthead/contract/registry/image-operations'
import { getLayerFiles } from '@masthead/contract/registry/image-operations'
import { openHouse, type House } from '@masthead/testkit/house'
import { attach } from '../attached/test-signing.ts'
import { newPusher, ociIndex, ociManifest, pushImage, putManifest } from '../test-registry.ts'
import { listFiles } from './layer-files.ts'
import { tarOf } from './test-tar.ts'

let house: House
let address: string
beforeAll(async () => {
  house = await openHouse()
  address = await house.server.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => house[Symbol.asyncDispose]())

const long = `opt/${'deep/'.repeat(30)}file`
const tar = tarOf([
  { path: './etc/', type: '5' },
  { path: 'etc/app.conf', content: 'a=1\n', mode: 0o640 },
  { path: 'usr/bin/sh', type: '2', target: 'dash' },
  { path: 'var/.wh.cache', content: '' },
  { path: long, content: 'x'.repeat(2000) },
])

test('the files of a layer are listed, whichever way it is packed', async () => {
  const acme = await newPusher(house, address, 'Layers')
  const repository_id = `${acme.slug}/app`
  const layers = [gzipSync(tar), zstdCompressSync(tar), tar, randomBytes(3000)]
  const { digest } = await pushImage(acme.ask, repository_id, { tag: '1.0', layers })
  const files = (layer: string, person = acme.person) => person.call(getLayerFiles, { params: { repository_id, digest, layer } })
  for (const layer of ['1', '2', '3'])
    expect((await files(layer)).body).toEqual({
      bytes: 2004,
      cut: null,
      items: [
        { path: 'etc', kind: 'folder', bytes: 0, mode: '0755', target: null },
        { path: 'etc/app.conf', kind: 'file', bytes: 4, mode: '0640', target: null },
        { path: 'usr/bin/sh', kind: 'link', bytes: 0, mode: '0755', target: 'dash' },
        { path: 'var/cache', kind: 'removed', bytes: 0, mode: '0755', target: null },
        { path: long, kind: 'file', bytes: 2000, mode: '0755', target: null },
      ],
    })
  expect(await files('4')).toMatchObject({ status: 409, body: { code: 'layer_unreadable' } })
  for (const none of ['0', '5', 'x']) expect((await files(none)).status).toBe(404)
  expect((await files('1', await house.newOwner('Elsewhere'))).status).toBe(404)
})

test('a layer of many files, a broken one, and one that takes too long end in words', async () => {
  const many = tarOf(Array.from({ length: 10_050 }, (_, n) => ({ path: `f${n}`, content: '' })))
  const listed = await listFiles(Readable.from([gzipSync(many)], { objectMode: false }))
  expect([listed.items.length, listed.cut]).toEqual([10_000, 'These are the first 10,000 files'])
  const cut = await listFiles(Readable.from([gzipSync(tar).subarray(0, 100)], { objectMode: false })).catch(() => null)
  expect(cut === null || cut.cut !== null).toBe(true)
  expect((await listFiles(Readable.from([tar.subarray(0, 1700)], { objectMode: false }))).cut).toContain('broken')
  expect((await listFiles(Readable.from([tar], { objectMode: false }), 0)).cut).toContain('20 seconds')
})

test('an account that asks for many layers at once keeps no other account from its own', async () => {
  const open = async (name: string) => {
    const { ask, slug, person } = await newPusher(house, address, name)
    const { digest } = await pushImage(ask, `${slug}/app`, { layers: [tar] })
    return () => person.call(getLayerFiles, { params: { repository_id: `${slug}/app`, digest, layer: '1' } })
  }
  const [one, other] = [await open('Many layers'), await open('One layer')]
  let letRead = () => {}
  const more = new Promise<void>((resolve) => (letRead = resolve))
  async function* slow() {
    await more
    yield tar
  }
  const read = vi.spyOn(house.app.blobs, 'read').mockResolvedValueOnce(Readable.from(slow(), { objectMode: false }))
  let refused = 0
  const asked = Array.from({ length: 12 }, async () => {
    const { status } = await one()
    if (status === 429) refused++
    return status
  })
  // One is read and three wait: nothing of it depends on when the others come.
  await expect.poll(() => refused, { timeout: 20_000 }).toBe(8)
  const theirs = other()
  letRead()
  expect((await theirs).status).toBe(200)
  expect((await Promise.all(asked)).toSorted()).toEqual([...Array.from({ length: 4 }, () => 200), ...Array.from({ length: 8 }, () => 429)])
  read.mockRestore()
})

test('a name longer than a path can be is cut, however it is written', async () => {
  const name = 'n'.repeat(400_000)
  const line = (key: string) => `${key.length + name.length + 9} ${key}=${name}\n`
  const entries = [
    { path: name, content: '' },
    { path: 'more', type: 'x', content: line('path') + line('linkpath') },
    { path: 'link', type: '2', target: 'x' },
  ]
  const { items } = await listFiles(Readable.from([gzipSync(tarOf(entries))], { objectMode: false }))
  const cut = name.slice(0, 4096)
  expect(items).toMatchObject([{ path: cut }, { path: cut, target: cut }])
})

test('a file that says it is larger than any is counted as far as a number goes', async () => {
  const largest = `25 size=${Number.MAX_SAFE_INTEGER}\n`
  const entries = [
    { path: 'small', content: 'x' },
    { path: 'more', type: 'x', content: largest },
    { path: 'large', content: '' },
  ]
  const { items, bytes, cut } = await listFiles(Readable.from([tarOf(entries)], { objectMode: false }))
  expect([items.map((each) => each.bytes), bytes]).toEqual([[1, Number.MAX_SAFE_INTEGER], Number.MAX_SAFE_INTEGER])
  expect(cut).toContain('broken')
})

test('two images are compared by size, layers, configuration and packages', async () => {
  const acme = await newPusher(house, address, 'Compared')
  const repository_id = `${acme.slug}/app`
  const shared = randomBytes(5000)
  const config = (cmd: string, env: string[]) => ({ config: { Cmd: [cmd], Env: env } })
  const before = await pushImage(acme.ask, repository_id, {
    tag: '1.0',
    layers: [shared, randomBytes(1000)],
    config: config('serve', ['A=1']),
  })
  const after = await pushImage(acme.ask, repository_id, {
    tag: '1.1',
    layers: [shared, randomBytes(2000)],
    config: config('run', ['A=2', 'B=1']),
  })
  const compare = async () => {
    const params = { repository_id, digest: after.digest }
    return (await acme.person.call(getImageComparison, { params, query: { before: before.digest } })).body
  }
  expect(await compare()).toMatchObject({
    layers: { same: 1, gone: [{ digest: before.layers[1], bytes: 1000 }], added: [{ digest: after.layers[1], bytes: 2000 }] },
    pull_bytes: 2000,
    config: [
      { name: 'Command', before: 'serve', after: 'run' },
      { name: 'Environment B', before: null, after: 'set' },
    ],
    packages: null,
    vulnerabilities: null,
  })
  const sbom = (...packages: [string, string][]) => ({
    bytes: Buffer.from(
      JSON.stringify({ spdxVersion: 'SPDX-2.3', packages: packages.map(([name, versionInfo]) => ({ name, versionInfo })) })
    ),
    mediaType: 'application/spdx+json',
  })
  await attach(acme.ask, repository_id, [sbom(['a', '1'], ['b', '1'], ['c', '1'])], { subject: before.digest })
  await attach(acme.ask, repository_id, [sbom(['a', '1'], ['b', '2'], ['d', '1'])], { subject: after.digest })
  expect((await compare()).packages).toEqual({
    same: 1,
    different: 3,
    items: [
      { name: 'b', before: '1', after: '2' },
      { name: 'c', before: '1', after: null },
      { name: 'd', before: null, after: '1' },
    ],
  })
  const params = { repository_id, digest: after.digest }
  expect((await acme.person.call(getImageComparison, { params, query: { before: `sha256:${'0'.repeat(64)}` } })).status).toBe(404)
})

test('what is of several platforms is compared by the platform that both have, or the one that is asked for', async () => {
  const acme = await newPusher(house, address, 'Platforms')
  const repository_id = `${acme.slug}/app`
  const shared = randomBytes(5000)
  const build = async (architecture: string, cmd: string, variant?: string) => {
    const { digest, size } = await pushImage(acme.ask, repository_id, {
      layers: [shared, randomBytes(1000)],
      config: { architecture, config: { Cmd: [cmd] } },
    })
    return { mediaType: ociManifest, digest, size, platform: { os: 'linux', architecture, ...(variant && { variant }) } }
  }
  type Built = Awaited<ReturnType<typeof build>>
  const push = async (tag: string, ...manifests: Built[]) => {
    const provenance = { ...(await build('amd64', tag)), platform: { os: 'unknown', architecture: 'unknown' } }
    const index = JSON.stringify({ schemaVersion: 2, mediaType: ociIndex, manifests: [...manifests, provenance] })
    const answer = await putManifest(acme.ask, repository_id, tag, index, ociIndex)
    expect(answer.status, answer.text).toBe(201)
    return answer.headers.get('docker-content-digest')!
  }
  const compare = (digest: string, query: { before: string; platform?: string }) =>
    acme.person.call(getImageComparison, { params: { repository_id, digest }, query })
  const amd64 = await build('amd64', 'serve')
  const before = await push('1.0', amd64, await build('arm64', 'serve', 'v8'), await build('arm', 'serve', 'v7'))
  const after = await push('1.1', amd64, await build('arm64', 'run'), await build('riscv64', 'run'))

  const platforms = { both: ['linux/amd64', 'linux/arm64'], gone: ['linux/arm/v7'], added: ['linux/riscv64'] }
  expect((await compare(after, { before })).body).toMatchObject({
    platforms: { compared: 'linux/amd64', ...platforms },
    layers: { same: 2, gone: [], added: [] },
    pull_bytes: 0,
    config: [],
  })
  for (const platform of ['linux/arm64', 'linux/arm64/v8'])
    expect((await compare(after, { before, platform })).body).toMatchObject({
      platforms: { compared: 'linux/arm64', ...platforms },
      layers: { same: 1, gone: [{ bytes: 1000 }], added: [{ bytes: 1000 }] },
      pull_bytes: 1000,
      config: [{ name: 'Command', before: 'serve', after: 'run' }],
    })
  expect((await compare(after, { before, platform: 'linux/arm/v7' })).status).toBe(404)
  // With an image of one platform.
  expect((await compare(after, { before: amd64.digest })).body).toMatchObject({
    platforms: { compared: 'linux/amd64', both: ['linux/amd64'], gone: [], added: ['linux/arm64', 'linux/riscv64'] },
    layers: { same: 2, gone: [], added: [] },
  })
  const alone = await build('s390x', 'serve')
  expect((await compare(alone.digest, { before })).body).toMatchObject({
    platforms: { compared: null, both: [], gone: ['linux/amd64', 'linux/arm/v7', 'linux/arm64'], added: ['linux/s390x'] },
  })
})
