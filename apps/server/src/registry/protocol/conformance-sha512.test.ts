import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getImage } from '@masthead/contract/registry/operations'
import { openHouse, type House } from '@masthead/testkit/house'
import { checkRegistry } from '../content/check-registry.ts'
import { configType, layerType, newPusher, ociManifest, putManifest, type Pusher } from '../test-registry.ts'

let house: House
let acme: Pusher
let name: string
beforeAll(async () => {
  house = await openHouse()
  acme = await newPusher(house, await house.server.listen({ host: '127.0.0.1', port: 0 }), 'Longer')
  name = `${acme.slug}/app`
})
afterAll(() => house[Symbol.asyncDispose]())

const digestOf = (bytes: Uint8Array | string) => `sha512:${createHash('sha512').update(bytes).digest('hex')}`

async function push(bytes: Buffer | string, digest = digestOf(bytes)) {
  const { headers } = await acme.ask(`/v2/${name}/blobs/uploads/`, { method: 'POST' })
  const half = Math.floor(bytes.length / 2)
  await acme.ask(headers.get('location')!, { method: 'PATCH', body: bytes.slice(0, half) })
  return acme.ask(`${headers.get('location')}?digest=${digest}`, { method: 'PUT', body: bytes.slice(half) })
}

test('blobs and manifests are pushed, pulled and checked by sha512 where a client counts so', async () => {
  const [layer, config] = [randomBytes(5000), '{"os":"linux","architecture":"arm64"}']
  expect(await push(layer, digestOf('another'))).toMatchObject({ status: 400, code: 'DIGEST_INVALID' })
  for (const bytes of [layer, config]) {
    const pushed = await push(bytes)
    expect([pushed.status, pushed.headers.get('docker-content-digest')]).toEqual([201, digestOf(bytes)])
  }
  const path = `/v2/${name}/blobs/${digestOf(layer)}`
  expect((await acme.ask(path)).bytes.equals(layer)).toBe(true)
  expect((await acme.ask(path, { headers: { range: 'bytes=10-19' } })).bytes.equals(layer.subarray(10, 20))).toBe(true)
  // The same bytes by another digest are another blob, which nobody pushed.
  const other = `sha256:${createHash('sha256').update(layer).digest('hex')}`
  expect((await acme.ask(`/v2/${name}/blobs/${other}`)).status).toBe(404)

  const describe = (bytes: Buffer | string, mediaType: string) => ({ mediaType, digest: digestOf(bytes), size: Buffer.byteLength(bytes) })
  const manifest = JSON.stringify({
    schemaVersion: 2,
    mediaType: ociManifest,
    config: describe(config, configType),
    layers: [describe(layer, layerType)],
  })
  const digest = digestOf(manifest)
  expect(await putManifest(acme.ask, name, digestOf('another'), manifest)).toMatchObject({ status: 400, code: 'DIGEST_INVALID' })
  const put = await putManifest(acme.ask, name, digest, manifest)
  expect([put.status, put.headers.get('docker-content-digest')]).toEqual([201, digest])
  const got = await acme.ask(`/v2/${name}/manifests/${digest}`)
  expect([got.status, got.text]).toEqual([200, manifest])
  const about = JSON.stringify({ ...JSON.parse(manifest), subject: { mediaType: ociManifest, digest, size: manifest.length } })
  expect((await putManifest(acme.ask, name, digestOf(about), about)).headers.get('oci-subject')).toBe(digest)
  const referrers = JSON.parse((await acme.ask(`/v2/${name}/referrers/${digest}`)).text) as { manifests: { digest: string }[] }
  expect(referrers.manifests.map((each) => each.digest)).toEqual([digestOf(about)])
  const shown = await acme.person.call(getImage, { params: { repository_id: name, digest } })
  expect([shown.status, shown.body.platforms, shown.body.layers[0]?.digest]).toEqual([
    200,
    [{ os: 'linux', architecture: 'arm64' }],
    digestOf(layer),
  ])
  expect(await checkRegistry(house.app)).toMatchObject({ blobs: 2, manifests: 2, wrong: [] })
  // What is damaged is found by the same count, and a push replaces it.
  const { key } = await house.db.selectFrom('registry_blob').select('key').where('digest', '=', digestOf(layer)).executeTakeFirstOrThrow()
  await house.app.blobs.put(
    key,
    (async function* () {
      yield Buffer.from('damaged')
    })()
  )
  expect((await checkRegistry(house.app)).wrong).toMatchObject([
    { digest: digestOf(layer), why: expect.stringContaining('sha512:') as string },
  ])
  expect((await acme.ask(path)).status).toBe(404)
  expect((await push(layer)).status).toBe(201)
  expect((await acme.ask(path)).bytes.equals(layer)).toBe(true)
})
