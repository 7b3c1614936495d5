import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getImageComparison } from '@masthead/contract/registry/image-operations'
import { getImage } from '@masthead/contract/registry/operations'
import { openHouse, type House } from '@masthead/testkit/house'
import { configType, digestOf, newPusher, ociIndex, ociManifest, pushBlob, pushImage } from '../test-registry.ts'
import { readManifest } from './read-manifest.ts'

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
  // As they were kept before.
  await sql`update registry_manifest set image = jsonb_set(image, '{created_at}', '"+012026-01-01T00:00:00.000Z"') where digest = ${digest}`.execute(
    house.db
  )
  const again = await person.call(getImage, { params: { repository_id: repository, digest } })
  expect([again.status, again.body.config?.created_at]).toEqual([200, null])
})

test('types with characters that nothing keeps are refused in words; names and notes with them are kept as far as they can be shown', async () => {
  const { ask, slug, person } = await newPusher(house, address, 'Nothing')
  const repository = `${slug}/nul`
  const nul = (text: string) => `${text}\0${text}`
  const configuration = JSON.stringify({
    os: nul('linux'),
    architecture: 'amd64',
    variant: nul('v'),
    author: nul('author'),
    config: {
      Env: [nul('A')],
      Cmd: [nul('c')],
      Labels: { [nul('name')]: nul('value') },
      ExposedPorts: { [nul('80')]: {} },
      User: nul('u'),
      WorkingDir: nul('/'),
    },
    history: [{ created_by: nul('RUN'), comment: nul('x') }],
  })
  const config = { mediaType: configType, digest: await pushBlob(ask, repository, configuration), size: configuration.length }
  const list = JSON.stringify({
    bomFormat: 'CycloneDX',
    specVersion: nul('1'),
    components: [{ name: nul('lib'), version: nul('1'), purl: nul('pkg:npm/lib@1') }],
  })
  const layer = { mediaType: 'application/vnd.cyclonedx+json', digest: await pushBlob(ask, repository, list), size: list.length }
  const manifest = { schemaVersion: 2, mediaType: ociManifest, config, layers: [layer], annotations: { [nul('note')]: nul('text') } }
  const subject = { mediaType: ociManifest, digest: digestOf('none'), size: 4 }
  for (const odd of [
    { artifactType: nul('application/x') },
    { artifactType: 'x'.repeat(300) },
    { config: { ...config, mediaType: nul('application/x') } },
    { layers: [{ ...layer, mediaType: nul('application/x') }] },
    { subject: { ...subject, mediaType: nul('application/x') } },
  ])
    expect(await put(ask, repository, ociManifest, { ...manifest, ...odd }), JSON.stringify(odd)).toMatchObject({
      status: 400,
      code: 'MANIFEST_INVALID',
    })
  const index = { schemaVersion: 2, mediaType: ociIndex, manifests: [{ ...subject, platform: { os: nul('x'), architecture: nul('y') } }] }
  expect(await put(ask, repository, ociIndex, { ...index, artifactType: nul('x') })).toMatchObject({
    status: 400,
    code: 'MANIFEST_INVALID',
  })
  const pushed = await put(ask, repository, ociManifest, manifest)
  expect(pushed.status, pushed.text).toBe(201)
  const digest = pushed.headers.get('docker-content-digest')!
  const shown = await person.call(getImage, { params: { repository_id: repository, digest } })
  expect(shown.body).toMatchObject({
    annotations: { notenote: 'texttext' },
    platforms: [{ os: 'linuxlinux', architecture: 'amd64', variant: 'vv' }],
    config: {
      author: 'authorauthor',
      env: ['AA'],
      labels: { namename: 'valuevalue' },
      exposed_ports: ['8080'],
      history: [{ created_by: 'RUNRUN' }],
    },
  })
  const part = await house.db.selectFrom('registry_package').select(['name', 'version']).where('digest', '=', digest).executeTakeFirst()
  expect(part).toEqual({ name: 'liblib', version: '11' })
  // What was pushed is given as it came.
  expect((await ask(`/v2/${repository}/manifests/${digest}`)).text).toBe(JSON.stringify(manifest))
  const whole = { ...index, manifests: [{ ...index.manifests[0], digest, size: Buffer.byteLength(JSON.stringify(manifest)) }] }
  expect((await put(ask, repository, ociIndex, whole)).status).toBe(201)
})

test('sizes that others say are summed as far as an answer has them', async () => {
  const { ask, slug, person, account_id } = await newPusher(house, address, 'Sums')
  const repository = `${slug}/sums`
  const elsewhere = (n: number) => ({
    mediaType: 'application/vnd.oci.image.layer.nondistributable.v1.tar',
    digest: digestOf(`elsewhere ${n}`),
    size: Number.MAX_SAFE_INTEGER,
    urls: ['https://example.test/layer'],
  })
  const images = [await pushImage(ask, repository), await pushImage(ask, repository)]
  const config = { mediaType: configType, digest: await pushBlob(ask, repository, '{}'), size: 2 }
  const more = await put(ask, repository, ociManifest, {
    schemaVersion: 2,
    mediaType: ociManifest,
    config,
    layers: [elsewhere(1), elsewhere(2)],
  })
  const digest = more.headers.get('docker-content-digest')!
  const compared = await person.call(getImageComparison, {
    params: { repository_id: repository, digest },
    query: { before: images[0]!.digest },
  })
  expect([compared.status, compared.body.pull_bytes]).toEqual([200, Number.MAX_SAFE_INTEGER])
  await house.db
    .updateTable('registry_manifest')
    .set({ size_bytes: Number.MAX_SAFE_INTEGER - 1 })
    .where('account_id', '=', account_id)
    .execute()
  const manifests = images.map((image) => ({ mediaType: ociManifest, digest: image.digest, size: image.size }))
  const index = await put(ask, repository, ociIndex, { schemaVersion: 2, mediaType: ociIndex, manifests })
  expect(index.status, index.text).toBe(201)
  const shown = await person.call(getImage, {
    params: { repository_id: repository, digest: index.headers.get('docker-content-digest')! },
  })
  expect([shown.status, shown.body.size_bytes]).toEqual([200, Number.MAX_SAFE_INTEGER])
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

test('of the platforms of an index the first fifty are kept, each once', () => {
  const named = (architecture: string, nth: number) => ({
    mediaType: ociManifest,
    digest: digestOf(`${architecture} ${nth}`),
    size: 2,
    platform: { os: 'linux', architecture },
  })
  const manifests = [named('arm64', 1), named('arm64', 2), ...Array.from({ length: 60 }, (_, nth) => named(`machine-${nth}`, 1))]
  const read = readManifest(Buffer.from(JSON.stringify({ schemaVersion: 2, mediaType: ociIndex, manifests })), ociIndex, 'sha256')
  expect(read.references).toHaveLength(62)
  expect(read.platforms).toHaveLength(50)
  expect(read.platforms.map(({ architecture }) => architecture).slice(0, 3)).toEqual(['arm64', 'machine-0', 'machine-1'])
})
