import { afterAll, beforeAll, expect, test } from 'vitest'
import { getImage } from '@masthead/contract/registry/operations'
import { openHouse, type House } from '@masthead/testkit/house'
import { configType, newPusher, ociIndex, ociManifest, pushBlob, pushImage } from '../test-registry.ts'

let house: House
let address: string
beforeAll(async () => {
  house = await openHouse()
  address = await house.server.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => house[Symbol.asyncDispose]())

const put = (ask: Awaited<ReturnType<typeof newPusher>>['ask'], repository: string, type: string, manifest: object) =>
  ask(`/v2/${repository}/manifests/odd`, { method: 'PUT', body: JSON.stringify(manifest), headers: { 'content-type': type } })

test('what is an image and an index at once is refused in words', async () => {
  const { ask, slug } = await newPusher(house, address, 'Odd')
  const repository = `${slug}/odd`
  const config = { mediaType: configType, digest: await pushBlob(ask, repository, '{}'), size: 2 }
  const image = { schemaVersion: 2, mediaType: ociManifest, config, layers: [] }
  expect(await put(ask, repository, ociManifest, { ...image, manifests: 5 })).toMatchObject({ status: 400, code: 'MANIFEST_INVALID' })
  const index = { schemaVersion: 2, mediaType: ociIndex, manifests: [] }
  for (const more of [{ layers: 5 }, { layers: [null] }, { config }])
    expect(await put(ask, repository, ociIndex, { ...index, ...more })).toMatchObject({ status: 400, code: 'MANIFEST_INVALID' })
  expect((await put(ask, repository, ociManifest, image)).status).toBe(201)
})

test('half characters and times of other ages are kept as far as they can be shown', async () => {
  const { ask, slug, person } = await newPusher(house, address, 'Halves')
  const repository = `${slug}/halves`
  const configuration = JSON.stringify({
    os: `${'o'.repeat(49)}🚚`,
    architecture: 'amd64',
    created: '+012026-01-01T00:00:00Z',
    config: { Labels: { note: `${'x'.repeat(399)}🚚` } },
  })
  const config = { mediaType: configType, digest: await pushBlob(ask, repository, configuration), size: Buffer.byteLength(configuration) }
  const manifest = { schemaVersion: 2, mediaType: ociManifest, config, layers: [], annotations: { half: 'a\ud800' } }
  const pushed = await put(ask, repository, ociManifest, manifest)
  expect(pushed.status).toBe(201)
  const digest = pushed.headers.get('docker-content-digest')!
  const shown = await person.call(getImage, { params: { repository_id: repository, digest } })
  expect(shown.status, shown.text).toBe(200)
  expect(shown.body).toMatchObject({ annotations: { half: 'a�' }, config: { created_at: null, labels: { note: `${'x'.repeat(399)}�` } } })
})

test('an attestation that is named many times is read once within a bound, and only so many signatures of it are kept', async () => {
  const { ask, slug } = await newPusher(house, address, 'Signed')
  const repository = `${slug}/signed`
  const statement = { _type: 'https://in-toto.io/Statement/v1', subject: [], predicateType: 'x', predicate: { text: 'x'.repeat(1000) } }
  const envelope = {
    payload: Buffer.from(JSON.stringify(statement)).toString('base64'),
    payloadType: 'application/vnd.in-toto+json',
    signatures: Array.from({ length: 10 }, () => ({ sig: 'AAAA' })),
  }
  const bytes = JSON.stringify(envelope)
  const layer = { mediaType: 'application/vnd.dsse.envelope.v1+json', digest: await pushBlob(ask, repository, bytes), size: bytes.length }
  const config = { mediaType: configType, digest: await pushBlob(ask, repository, '{}'), size: 2 }
  const layers = Array.from({ length: 50 }, () => layer)
  expect((await put(ask, repository, ociManifest, { schemaVersion: 2, mediaType: ociManifest, config, layers })).status).toBe(201)
  const { count } = await house.db
    .selectFrom('registry_signature')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  expect(Number(count)).toBe(20)
})

test('a tag that is pushed again with the same image was pushed then', async () => {
  const { ask, slug, account_id } = await newPusher(house, address, 'Again')
  const repository = `${slug}/again`
  const pushedAt = async () =>
    (await house.db.selectFrom('registry_tag').select('pushed_at').where('account_id', '=', account_id).executeTakeFirstOrThrow()).pushed_at
  const layers = [Buffer.from('the same')]
  await pushImage(ask, repository, { tag: 'stable', layers })
  const before = await pushedAt()
  house.clock.advance({ hours: 24 * 40 })
  await pushImage(ask, repository, { tag: 'stable', layers })
  expect((await pushedAt()).getTime() - before.getTime()).toBe(40 * 86_400_000)
})
