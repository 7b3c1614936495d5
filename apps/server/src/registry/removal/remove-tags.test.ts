import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listActivities } from '@masthead/contract/activities/operations'
import * as ops from '@masthead/contract/registry/operations'
import { previewRemoval, removeTags, setImmutableTags } from '@masthead/contract/registry/removal-operations'
import { openHouse, type House } from '@masthead/testkit/house'
import { putContainer, putDevice, putFleet } from '../../alpon-fleets/test-fleet.ts'
import { addAsset } from '../../assets/test-stock.ts'
import { newPusher, ociIndex, ociManifest, pushImage, putManifest } from '../test-registry.ts'

let house: House
let address: string
beforeAll(async () => {
  house = await openHouse()
  address = await house.server.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => house[Symbol.asyncDispose]())

async function newRepository(name: string) {
  const acme = await newPusher(house, address, name)
  const repository = `${acme.slug}/relay`
  const params = { repository_id: repository }
  return {
    ...acme,
    repository,
    params,
    push: (tag: string, layers = [randomBytes(1000)]) => {
      house.clock.advance({ seconds: 1 })
      return pushImage(acme.ask, repository, { tag, layers })
    },
    used: async () => (await acme.person.call(ops.getRegistry)).body.used_bytes,
    tags: async () => (await acme.person.call(ops.listTags, { params })).body.items.map((tag) => tag.name).toSorted(),
    preview: async (body: object) => {
      const answer = await acme.person.call(previewRemoval, { params, body: body as never })
      expect(answer.status, answer.text).toBe(200)
      return answer.body
    },
    remove: async (body: object) => {
      const answer = await acme.person.call(removeTags, { params, body: body as never })
      expect(answer.status, answer.text).toBe(200)
      return answer.body
    },
  }
}

test('tags are deleted as the preview said, with the images that nothing names then', async () => {
  const acme = await newRepository('Bulk')
  const shared = randomBytes(5000)
  await acme.push('1.0', [shared, randomBytes(2000)])
  const { digest, manifest } = await acme.push('2.0', [shared, randomBytes(3000)])
  await putManifest(acme.ask, acme.repository, 'latest', manifest)
  await acme.push('locked')
  await acme.person.call(ops.setTagProtection, { params: { ...acme.params, tag: 'locked' }, body: { protected: true } })
  await acme.push('release-3')
  expect((await acme.person.call(setImmutableTags, { body: { patterns: ['release-*'] } })).body.immutable).toEqual(['release-*'])
  const asset = await addAsset(house, acme.person)
  await putContainer(house, { account_id: acme.account_id, asset_id: asset.id, name: 'c', image: `host/${acme.repository}:2.0` })
  // What was pushed within the hour may be for the next image, and counts until later.
  house.clock.advance({ hours: 2 })

  const names = ['1.0', '2.0', 'locked', 'release-3', 'gone']
  const preview = await acme.preview({ names })
  expect(preview).toMatchObject({
    count: 4,
    unused: { tags: 1, images: 1 },
    names_only: { tags: 2, images: 1 },
    all: { tags: 2, images: 1 },
    devices: 1,
    more_devices: false,
    others: [{ name: 'latest', same_as: '2.0' }],
  })
  expect(preview.unused.freed_bytes).toBeGreaterThanOrEqual(2000)
  expect(preview.unused.freed_bytes).toBeLessThan(5000)
  expect(preview.unused.kept).toEqual([
    { name: 'gone', code: 'unknown', why: 'There is no tag of this name any more' },
    { name: 'release-3', code: 'immutable', why: 'The rule release-* makes it immutable' },
    { name: 'locked', code: 'protected', why: 'It is protected' },
    { name: '2.0', code: 'deployed', why: 'It is deployed on 1 device' },
  ])
  const before = await acme.used()
  const done = await acme.remove({ names, what: 'unused', count: 4 })
  const { stay, kept: _, ...said } = preview.unused
  expect(done).toMatchObject(said)
  expect(done.kept).toHaveLength(stay)
  expect(before - (await acme.used())).toBe(done.freed_bytes)
  expect(await acme.tags()).toEqual(['2.0', 'latest', 'locked', 'release-3'])

  // The image stays while another tag names it, then goes with that.
  expect(await acme.remove({ names: ['2.0'], what: 'all', count: 1 })).toMatchObject({ tags: 1, images: 0, freed_bytes: 0 })
  expect((await acme.ask(`/v2/${acme.repository}/manifests/${digest}`)).status).toBe(200)
  expect(await acme.remove({ names: ['latest'], what: 'all', count: 1 })).toMatchObject({ tags: 1, images: 1 })
  expect((await acme.ask(`/v2/${acme.repository}/manifests/${digest}`)).status).toBe(404)
  const { items } = (await acme.person.call(listActivities)).body
  expect(items.slice(0, 3).map(({ metadata }) => metadata.action)).toEqual(['image_deleted', 'tag_deleted', 'image_deleted'])
})

test('all that match are deleted, if they are still those that were looked at', async () => {
  const acme = await newRepository('Matching')
  for (const tag of ['a-1', 'a-2', 'a-3', 'b-1']) await acme.push(tag)
  for (const sort of ['name', '-pulls', 'size_bytes', '-pulled_at', 'pushed_at'] as const) {
    const first = (await acme.person.call(ops.listTags, { params: acme.params, query: { sort, page_size: 3 } })).body
    const { items } = (await acme.person.call(ops.listTags, { params: acme.params, query: { sort, page_size: 3, after: first.next! } }))
      .body
    expect(new Set([...first.items, ...items].map(({ name }) => name)).size, sort).toBe(4)
  }
  const preview = await acme.preview({ search: 'a-', except: ['a-2'] })
  expect(preview).toMatchObject({ count: 2, names: ['a-3', 'a-1'], unused: { tags: 2, images: 2, stay: 0 } })
  await acme.push('a-4')
  const late = await acme.person.call(removeTags, {
    params: acme.params,
    body: { search: 'a-', except: ['a-2'], what: 'unused', count: 2 },
  })
  expect(late).toMatchObject({ status: 409, body: { code: 'tags_changed' } })
  expect(await acme.remove({ search: 'a-', except: ['a-2'], what: 'unused', count: 3 })).toMatchObject({ tags: 3, kept: [] })
  expect(await acme.tags()).toEqual(['a-2', 'b-1'])
})

test('with an index go its images and what is attached, but for those that run or have a name', async () => {
  const acme = await newRepository('Index')
  const arm = await pushImage(acme.ask, acme.repository)
  const amd = await pushImage(acme.ask, acme.repository, { config: { architecture: 'amd64' } })
  const index = JSON.stringify({
    schemaVersion: 2,
    manifests: [arm, amd].map(({ digest, size }) => ({ mediaType: ociManifest, digest, size })),
  })
  await putManifest(acme.ask, acme.repository, 'v1', index, ociIndex)
  await putManifest(acme.ask, acme.repository, 'amd', amd.manifest)
  const signature = await pushImage(acme.ask, acme.repository, {
    more: { subject: { mediaType: ociManifest, digest: arm.digest, size: arm.size }, artifactType: 'application/example' },
  })
  const asset = await addAsset(house, acme.person)
  await putContainer(house, { account_id: acme.account_id, asset_id: asset.id, name: 'c', image: `h/${acme.repository}@${arm.digest}` })
  expect((await acme.preview({ names: ['v1'] })).unused).toMatchObject({ tags: 0, kept: [{ code: 'deployed' }] })
  expect((await acme.preview({ names: ['v1'] })).names_only).toMatchObject({ tags: 1, images: 0 })
  expect(await acme.remove({ names: ['v1'], what: 'all', count: 1 })).toMatchObject({ tags: 1, images: 3 })
  const has = async (digest: string) => (await acme.ask(`/v2/${acme.repository}/manifests/${digest}`)).status
  expect([await has(arm.digest), await has(signature.digest), await has(amd.digest)]).toEqual([404, 404, 200])
})

test('an immutable tag is refused to pushes, moves and deletes, in words', async () => {
  const acme = await newRepository('Immutable')
  await acme.push('v1')
  const other = await acme.push('next')
  await acme.person.call(setImmutableTags, { body: { patterns: ['relay:v*'] } })
  expect((await acme.person.call(ops.listTags, { params: acme.params })).body.items).toMatchObject([
    { name: 'next', immutable: null },
    { name: 'v1', immutable: 'relay:v*' },
  ])
  const refused = await putManifest(acme.ask, acme.repository, 'v1', other.manifest)
  expect(refused).toMatchObject({ status: 403, code: 'DENIED' })
  expect(refused.words).toContain('the rule relay:v* says so')
  for (const answer of [
    await acme.person.call(ops.deleteTag, { params: { ...acme.params, tag: 'v1' } }),
    await acme.person.call(ops.addTag, { params: acme.params, body: { tag: 'v1', digest: other.digest } }),
    await acme.person.call(ops.deleteRepository, { params: acme.params }),
  ])
    expect(answer).toMatchObject({ status: 409, body: { code: 'tag_protected' } })
  // A new one may come, and is immutable from then on.
  expect((await putManifest(acme.ask, acme.repository, 'v2', other.manifest)).status).toBe(201)
  expect((await acme.person.call(setImmutableTags, { body: { patterns: ['no spaces'] } })).status).toBe(400)
})

test('what any version of a fleet runs stays, as it may go back to it, and so does what a device said it runs', async () => {
  const acme = await newRepository('Fleets')
  const images = []
  for (const tag of ['1', '2', '3', '4']) images.push(await acme.push(tag))
  const asset = await addAsset(house, acme.person)
  const fleet_id = await putFleet(house, { account_id: acme.account_id, asset_id: asset.id })
  for (const [n, { digest }] of images.slice(0, 3).entries())
    await house.db
      .insertInto('fleet_version')
      .values({
        account_id: acme.account_id,
        fleet_id,
        version: n + 1,
        id: `flv_${randomUUID()}`,
        pilot_name: 'Pilot',
        containers: JSON.stringify([{ name: 'relay', image: `h/${acme.repository}:${n + 1}@${digest}` }]),
        sealed_secrets: '',
        changes: [],
        note: null,
        created_at: house.clock.now(),
        created_by: 'owner',
      } as never)
      .execute()
  const kept = async () => (await acme.preview({ names: ['1', '2', '3', '4'] })).unused.kept.map(({ name, why }) => `${name}: ${why}`)
  expect(await kept()).toEqual([3, 2, 1].map((n) => `${n}: It is needed for version ${n} of the fleet Depots`))
  expect((await acme.preview({ names: ['3'] })).fleets).toEqual(['version 3 of the fleet Depots'])
  // It names the tag 4 now, and still runs the image of 1.
  await putDevice(house, { account_id: acme.account_id, asset_id: asset.id })
  await putContainer(house, { account_id: acme.account_id, asset_id: asset.id, name: 'c', image: `h/${acme.repository}:4` })
  // What a device says is its own: it may hold what is no container.
  const reported = { agent: { containers: ['x', null, { name: 'c', digest: images[0]!.digest }] } }
  await house.db
    .updateTable('device')
    .set({ reported: reported as never })
    .where('asset_id', '=', asset.id)
    .execute()
  expect((await kept()).filter((line) => line.includes('deployed'))).toEqual([
    '4: It is deployed on 1 device',
    '1: It is deployed on 1 device',
  ])
})
