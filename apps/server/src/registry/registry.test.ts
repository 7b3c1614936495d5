import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listActivities } from '@masthead/contract/activities/operations'
import * as ops from '@masthead/contract/registry/operations'
import { setImmutableTags } from '@masthead/contract/registry/removal-operations'
import { setRetention } from '@masthead/contract/registry/retention-operations'
import { openHouse, type House } from '@masthead/testkit/house'
import { registryCheck } from './check-words.ts'
import { registryCleanUp } from './clean-up-words.ts'
import { cleanUp } from './content/clean-up.ts'
import { countPull, writePulls } from './content/count-pulls.ts'
import { addAsset } from '../assets/test-stock.ts'
import { putContainer } from '../alpon-fleets/test-fleet.ts'
import { basic, client, digestOf, newPusher, ociIndex, ociManifest, pushBlob, pushImage, putManifest } from './test-registry.ts'

let house: House
let address: string
beforeAll(async () => {
  house = await openHouse()
  address = await house.server.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => house[Symbol.asyncDispose]())

describe('the console', () => {
  test('chooses the name until there is a repository, which no two accounts share', async () => {
    const owner = await house.newOwner('Ärger & Söhne')
    const { body } = await owner.call(ops.getRegistry)
    expect(body).toMatchObject({ slug: null, suggested: 'arger-sohne', can_choose_slug: true, used_bytes: 0, repositories: 0 })
    expect((await owner.call(ops.chooseSlug, { body: { slug: 'sohne' } })).body).toMatchObject({ slug: 'sohne' })
    expect((await owner.call(ops.chooseSlug, { body: { slug: 'Söhne' } })).status).toBe(400)
    const other = await newPusher(house, address, 'Other')
    expect(await other.person.call(ops.chooseSlug, { body: { slug: 'sohne' } })).toMatchObject({
      status: 409,
      body: { code: 'slug_taken' },
    })
    await pushBlob(other.ask, `${other.slug}/app`, 'x')
    expect(await other.person.call(ops.chooseSlug, { body: { slug: 'late' } })).toMatchObject({
      status: 409,
      body: { code: 'slug_settled' },
    })
  })

  test('shows repositories, tags and an image, without values of its environment', async () => {
    const acme = await newPusher(house, address, 'Shown')
    const repository = `${acme.slug}/sensors/door`
    const history = [{ created_by: 'COPY . /app' }, { created_by: 'ENV TOKEN=very-secret', empty_layer: true }, { created_by: 'RUN make' }]
    const layers = [randomBytes(4000), randomBytes(2000)]
    const first = await pushImage(acme.ask, repository, { tag: '1.0', layers, config: { history, author: 'Ada' } })
    const index = JSON.stringify({ schemaVersion: 2, manifests: [{ mediaType: ociManifest, digest: first.digest, size: first.size }] })
    await putManifest(acme.ask, repository, 'all', index, ociIndex)
    await acme.ask(`/v2/${repository}/manifests/1.0`)
    await writePulls(house.app)
    const { items } = (await acme.person.call(ops.listRepositories)).body
    expect(items).toMatchObject([{ name: repository, tags: 2, pushed_by: 'ci-push', pulls: 0 }])
    const tags = (await acme.person.call(ops.listTags, { params: { repository_id: repository }, query: { page_size: 1 } })).body
    expect(tags).toMatchObject({ total: 2, items: [{ name: 'all' }] })
    const named = async (name: string) =>
      (await acme.person.call(ops.listTags, { params: { repository_id: repository }, query: { name } })).body.items.map((tag) => tag.name)
    expect([await named('all'), await named('al'), await named('1.0')]).toEqual([['all'], [], ['1.0']])
    const next = (await acme.person.call(ops.listTags, { params: { repository_id: items[0]!.id }, query: { after: tags.next! } })).body
    expect(next.items).toMatchObject([
      { name: '1.0', digest: first.digest, platforms: [{ os: 'linux', architecture: 'arm64' }], pulls: 1, protected: false },
    ])
    await acme.person.call(setImmutableTags, { body: { patterns: ['sensors/door:1.*'] } })
    const image = await acme.person.call(ops.getImage, { params: { repository_id: repository, digest: first.digest } })
    expect(image.text).not.toContain('very-secret')
    expect(image.body).toMatchObject({
      tags: [{ name: '1.0', protected: false, immutable: 'sensors/door:1.*' }],
      config: { env: ['TOKEN', 'PATH'], author: 'Ada' },
      layers: [
        { digest: first.layers[0], bytes: 4000, created_by: 'COPY . /app' },
        { digest: first.layers[1], bytes: 2000, created_by: 'RUN make' },
      ],
      needed_by: [digestOf(index)],
      raw: first.manifest,
    })
  })

  test('says on how many devices a tag is deployed, and on which, of those that whoever asks may see', async () => {
    const acme = await newPusher(house, address, 'Deployed')
    const repository = `${acme.slug}/relay`
    const { digest } = await pushImage(acme.ask, repository, { tag: 'latest' })
    await putManifest(acme.ask, repository, '2.0', (await acme.ask(`/v2/${repository}/manifests/latest`)).text)
    const other = await pushImage(acme.ask, repository, { tag: '1.0', config: { architecture: 'amd64' } })
    const names = [`registry.test:5000/${repository}`, `10.0.0.1/${repository}:2.0`, `registry.test/${repository}:1.0@${digest}`]
    const assets = await Promise.all(names.map(() => addAsset(house, acme.person)))
    for (const [i, image] of [...names, `registry.test/${repository}-other:2.0`].entries())
      await putContainer(house, { account_id: acme.account_id, asset_id: assets[i % 3]!.id, name: `c${i}`, image })
    const params = { repository_id: repository }
    const tags = (await acme.person.call(ops.listTags, { params })).body.items
    expect(new Map(tags.map(({ name, devices }) => [name, devices]))).toEqual(
      new Map([
        ['latest', 2],
        ['2.0', 2],
        ['1.0', 0],
      ])
    )
    const repositories = (await acme.person.call(ops.listRepositories)).body.items
    expect(repositories.map(({ name, devices }) => [name, devices])).toEqual([[repository, 3]])
    expect((await acme.person.call(ops.getRepository, { params })).body.devices).toBe(3)
    const listed = await acme.person.call(ops.listDeployedImage, { params: { ...params, digest } })
    expect(listed.body.items.map(({ image }) => image).toSorted()).toEqual(names.toSorted())
    expect((await acme.person.call(ops.listDeployedImage, { params: { ...params, digest: other.digest } })).body.items).toEqual([])
    const outsider = await house.newOwner('Elsewhere')
    expect((await outsider.call(ops.listDeployedImage, { params: { ...params, digest } })).status).toBe(404)
  })

  test('protects a tag against the console and against pushes', async () => {
    const acme = await newPusher(house, address, 'Protecting')
    const repository_id = `${acme.slug}/app`
    const { digest } = await pushImage(acme.ask, repository_id, { tag: 'stable' })
    const tag = { repository_id, tag: 'stable' }
    expect((await acme.person.call(ops.setTagProtection, { params: tag, body: { protected: true } })).body).toMatchObject({
      protected: true,
    })
    const other = await pushImage(acme.ask, repository_id)
    expect(await putManifest(acme.ask, repository_id, 'stable', other.manifest)).toMatchObject({ status: 403, code: 'DENIED' })
    expect(await acme.ask(`/v2/${repository_id}/manifests/${digest}`, { method: 'DELETE' })).toMatchObject({ status: 403, code: 'DENIED' })
    for (const refused of [
      acme.person.call(ops.deleteTag, { params: tag }),
      acme.person.call(ops.deleteImage, { params: { repository_id, digest } }),
      acme.person.call(ops.deleteRepository, { params: { repository_id } }),
      acme.person.call(ops.addTag, { params: { repository_id }, body: { tag: 'stable', digest: other.digest } }),
    ])
      expect(await refused).toMatchObject({ status: 409, body: { code: 'tag_protected' } })
    await acme.person.call(ops.setTagProtection, { params: tag, body: { protected: false } })
    await acme.person.call(ops.addTag, { params: { repository_id }, body: { tag: 'v1', digest } })
    expect((await acme.person.call(ops.deleteImage, { params: { repository_id, digest } })).body).toEqual({
      tags: ['stable', 'v1'],
      images: 0,
    })
    const { items } = (await acme.person.call(listActivities)).body
    expect(items.slice(0, 2).map(({ metadata }) => metadata.action)).toEqual(['image_deleted', 'image_tagged'])
    expect((await acme.person.call(ops.deleteRepository, { params: { repository_id } })).status).toBe(200)
    expect(await acme.ask(`/v2/${repository_id}/tags/list`)).toMatchObject({ status: 404 })
  })
})

test('with an index go the images that it names, and what is attached to them; not those that something else needs', async () => {
  const acme = await newPusher(house, address, 'Several platforms')
  const name = `${acme.slug}/app`
  const [arm, amd, tagged, run] = [
    await pushImage(acme.ask, name),
    await pushImage(acme.ask, name),
    await pushImage(acme.ask, name),
    await pushImage(acme.ask, name),
  ]
  const indexOf = (images: { digest: string; size: number }[]) =>
    JSON.stringify({ schemaVersion: 2, manifests: images.map(({ digest, size }) => ({ mediaType: ociManifest, digest, size })) })
  const index = indexOf([arm, amd, tagged, run])
  await putManifest(acme.ask, name, 'all', index, ociIndex)
  await putManifest(acme.ask, name, 'other', indexOf([amd]), ociIndex)
  await putManifest(acme.ask, name, 'one', tagged.manifest)
  const subject = { mediaType: ociManifest, digest: arm.digest, size: arm.size }
  const signature = await pushImage(acme.ask, name, { more: { subject, artifactType: 'application/example' } })
  const asset = await addAsset(house, acme.person)
  await putContainer(house, { account_id: acme.account_id, asset_id: asset.id, name: 'c', image: `h/${name}@${run.digest}` })
  const deleted = await acme.person.call(ops.deleteImage, { params: { repository_id: name, digest: digestOf(index) } })
  expect(deleted.body).toEqual({ tags: ['all'], images: 2 })
  const has = async (digest: string) => (await acme.ask(`/v2/${name}/manifests/${digest}`)).status
  expect(await Promise.all([arm, signature, amd, tagged, run].map(({ digest }) => has(digest)))).toEqual([404, 404, 200, 200, 200])
})

test('a robot reaches its repositories, as far as it may, until it expires or is deleted', async () => {
  const acme = await newPusher(house, address, 'Robots')
  await pushImage(acme.ask, `${acme.slug}/sensors/door`, { tag: 'v1' })
  await pushImage(acme.ask, `${acme.slug}/secret`, { tag: 'v1' })
  const make = async (body: object) => {
    const made = await acme.person.call(ops.createRobot, { body: body as never })
    expect(made.status, made.text).toBe(200)
    return { ...made.body, ask: client(address, basic(made.body.secret, acme.slug)) }
  }
  const robot = await make({ name: 'gateways', repositories: ['sensors/*'], expires_in_days: 1 })
  expect(robot.secret).toMatch(/^mhr_/)
  expect(await robot.ask(`/v2/${acme.slug}/sensors/door/manifests/v1`)).toMatchObject({ status: 200 })
  expect(await robot.ask(`/v2/${acme.slug}/secret/manifests/v1`)).toMatchObject({ status: 403, code: 'DENIED' })
  expect(await robot.ask(`/v2/${acme.slug}/sensors/door/blobs/uploads/`, { method: 'POST' })).toMatchObject({ status: 403 })
  expect(JSON.parse((await robot.ask('/v2/_catalog')).text)).toEqual({ repositories: [`${acme.slug}/sensors/door`] })
  const { token, scope } = JSON.parse(
    (await robot.ask(`/v2/token?scope=repository:${acme.slug}/sensors/door:pull,push&scope=repository:${acme.slug}/secret:pull`)).text
  ) as { token: string; scope: string }
  expect(scope).toBe(`repository:${acme.slug}/sensors/door:pull`)
  expect(await client(address, `Bearer ${token}`)(`/v2/${acme.slug}/sensors/door/manifests/v1`)).toMatchObject({ status: 200 })
  const pusher = await make({ name: 'ci', can_push: true })
  await pushImage(pusher.ask, `${acme.slug}/built`, { tag: 'v1' })
  expect((await acme.person.call(ops.listTags, { params: { repository_id: 'built' } })).body.items[0]!.pushed_by).toBe('ci')
  expect((await acme.person.call(ops.createRobot, { body: { name: 'ci' } })).body.code).toBe('robot_name_taken')
  const listed = await acme.person.call(ops.listRobots)
  expect(listed.text).not.toContain(pusher.secret)
  expect(listed.body.items.map(({ name }) => name)).toEqual(['ci', 'gateways'])
  await acme.person.call(ops.deleteRobot, { params: { robot_id: pusher.id } })
  expect(await pusher.ask('/v2/')).toMatchObject({ status: 401, words: 'This robot is not known here, or was deleted' })
  house.clock.advance({ hours: 25 })
  expect(await robot.ask('/v2/')).toMatchObject({ status: 401 })
})

test('clean-up removes repositories in which nothing is left, once nobody pushes to them for a day', async () => {
  const acme = await newPusher(house, address, 'Emptied')
  const names = async () => (await acme.person.call(ops.listRepositories)).body.items.map(({ name }) => name.split('/')[1])
  for (const name of ['emptied', 'kept', 'ruled']) await pushImage(acme.ask, `${acme.slug}/${name}`, { tag: 'v1' })
  await acme.ask(`/v2/${acme.slug}/begun/blobs/uploads/`, { method: 'POST' })
  const rule = { keep_newest: 3, keep_days: null, keep_like: [], untagged_days: null }
  await acme.person.call(setRetention, { body: { repository: `${acme.slug}/ruled`, rule } })
  for (const name of ['emptied', 'ruled']) {
    const params = { repository_id: `${acme.slug}/${name}` }
    const { digest } = (await acme.person.call(ops.listTags, { params })).body.items[0]!
    await acme.person.call(ops.deleteImage, { params: { ...params, digest } })
  }
  await cleanUp(house.app)
  expect(await names()).toEqual(['begun', 'emptied', 'kept', 'ruled'])
  house.clock.advance({ hours: 25 })
  expect((await cleanUp(house.app)).repositories).toBeGreaterThanOrEqual(2)
  expect(await names()).toEqual(['kept', 'ruled'])
  const { items } = (await acme.person.call(listActivities)).body
  expect(items.filter(({ metadata }) => metadata.action === 'repository_deleted')).toHaveLength(2)
  // The next push makes it anew.
  await pushImage(acme.ask, `${acme.slug}/emptied`, { tag: 'v2' })
  expect(await names()).toEqual(['emptied', 'kept', 'ruled'])
})

test('pulls go on being counted where a repository was deleted right after a pull of it', async () => {
  const acme = await newPusher(house, address, 'Pulled and gone')
  for (const name of ['gone', 'there']) {
    await pushImage(acme.ask, `${acme.slug}/${name}`, { tag: 'v1' })
    await acme.ask(`/v2/${acme.slug}/${name}/manifests/v1`)
  }
  const gone = await house.db
    .selectFrom('registry_repository')
    .select('id')
    .where('account_id', '=', acme.account_id)
    .where('name', '=', 'gone')
    .executeTakeFirstOrThrow()
  await acme.person.call(ops.deleteRepository, { params: { repository_id: gone.id } })
  // Counted after it is gone, as one of a moment before that was not written yet.
  countPull(house.app, { account_id: acme.account_id, repository_id: gone.id, name: '' }, digestOf('gone'))
  await writePulls(house.app)
  const { items } = (await acme.person.call(ops.listRepositories)).body
  expect(items).toMatchObject([{ name: `${acme.slug}/there`, pulls: 1 }])
})

test('the bytes of an image that was deleted go with the next clean-up, once an hour has passed since they were pushed: they are in nobody’s quota', async () => {
  const acme = await newPusher(house, address, 'Deleted')
  const name = `${acme.slug}/app`
  const layer = randomBytes(1000)
  await pushImage(acme.ask, name, { tag: 'v1', layers: [layer] })
  const kept = async () =>
    (await house.db.selectFrom('registry_blob').select('bytes').where('digest', '=', digestOf(layer)).execute()).map(({ bytes }) => bytes)
  const params = { repository_id: name }
  const { digest } = (await acme.person.call(ops.listTags, { params })).body.items[0]!
  house.clock.advance({ minutes: 61 })
  await acme.person.call(ops.deleteImage, { params: { ...params, digest } })
  expect(await kept()).toEqual([1000])
  await cleanUp(house.app)
  expect(await kept()).toEqual([])
  // The same is pushed as if it had never been there.
  await pushImage(acme.ask, name, { tag: 'v1', layers: [layer] })
  expect(await kept()).toEqual([1000])
})

test('clean-up removes what nothing names, and nothing that a push counts on', async () => {
  const acme = await newPusher(house, address, 'Cleaned')
  const name = `${acme.slug}/app`
  const { layers } = await pushImage(acme.ask, name, { tag: 'v1' })
  const [orphan, wanted] = [randomBytes(3000), randomBytes(3000)]
  for (const blob of [orphan, wanted]) await pushBlob(acme.ask, name, blob)
  const begun = (await acme.ask(`/v2/${name}/blobs/uploads/`, { method: 'POST' })).headers.get('location')!
  await acme.ask(begun, { method: 'PATCH', body: randomBytes(100) })
  const has = async (digest: string) => (await acme.ask(`/v2/${name}/blobs/${digest}`)).status
  await cleanUp(house.app)
  expect(await has(digestOf(orphan))).toBe(200)
  house.clock.advance({ hours: 25 })
  // As a client that is about to push asks.
  await acme.ask(`/v2/${name}/blobs/${digestOf(wanted)}`, { method: 'HEAD' })
  const words = await registryCleanUp(house.app)
  for (const line of [
    /\d uploads? that nobody went on with/,
    /\d blobs? of repositories in which no image/,
    /the bytes of \d+ blobs?.*, \d.* [kM]?B$/im,
  ])
    expect(words).toMatch(line)
  expect(await registryCleanUp(house.app)).toMatch(/^There is nothing to remove/)
  expect([await has(digestOf(orphan)), await has(digestOf(wanted)), await has(layers[0]!)]).toEqual([404, 200, 200])
  expect(await acme.ask(begun)).toMatchObject({ status: 404 })
  const right = await registryCheck(house.app)
  expect(right.words).toMatch(/each is what its digest says/)
  expect(right.right).toBe(true)
})
