import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import * as ops from '@masthead/contract/registry/operations'
import { openHouse, type House } from '@masthead/testkit/house'
import { registryCheck } from '../check-words.ts'
import { checkOldest } from './check-registry.ts'
import { watchDamage } from './watch-damage.ts'
import { digestOf, newPusher, ociIndex, ociManifest, pushBlob, pushImage, putManifest } from '../test-registry.ts'

let house: House
let address: string
beforeAll(async () => {
  house = await openHouse()
  address = await house.server.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => house[Symbol.asyncDispose]())

const blobOf = (digest: string) =>
  house.db.selectFrom('registry_blob').select(['key', 'damaged_at']).where('digest', '=', digest).executeTakeFirstOrThrow()
async function damage(digest: string) {
  async function* other() {
    yield Buffer.from('not it')
  }
  await house.app.blobs.put((await blobOf(digest)).key, other())
}

/** As if it had been pushed so long ago. */
const keptDaysAgo = (digest: string, days: number) =>
  house.db
    .updateTable('registry_blob')
    .set({ kept_at: new Date(house.clock.now().getTime() - days * 86_400_000) })
    .where('digest', '=', digest)
    .execute()

async function newImage(account: string, layer: Buffer) {
  const own = await newPusher(house, address, account)
  const name = `${own.slug}/app`
  const image = await pushImage(own.ask, name, { layers: [layer], tag: 'v1' })
  return { ...own, name, image, blob: (method = 'GET') => own.ask(`/v2/${name}/blobs/${digestOf(layer)}`, { method }) }
}

test('what the check finds damaged is given to nobody, and whoever pushes the same repairs it for all', async () => {
  const layer = Buffer.alloc(3000, 7)
  const digest = digestOf(layer)
  const acme = await newImage('Acme', layer)
  const other = await newImage('Other', layer)
  const index = JSON.stringify({
    schemaVersion: 2,
    manifests: [{ mediaType: ociManifest, digest: acme.image.digest, size: acme.image.size }],
  })
  await putManifest(acme.ask, acme.name, 'all', index, ociIndex)
  const damagedOf = async (image: string) =>
    (await acme.person.call(ops.getImage, { params: { repository_id: acme.name, digest: image } })).body.damaged
  expect((await registryCheck(house.app)).right).toBe(true)
  expect(await damagedOf(acme.image.digest)).toEqual([])

  await damage(digest)
  const { key } = await blobOf(digest)
  const wrong = await registryCheck(house.app)
  expect(wrong.right).toBe(false)
  expect(wrong.words).toContain(`${digest}: its 6 of 3000 bytes at ${key}`)
  expect(wrong.words).toContain(`(in ${acme.name}, ${other.name})`)
  for (const { blob } of [acme, other]) {
    expect(await blob()).toMatchObject({ status: 404, code: 'BLOB_UNKNOWN' })
    expect(await blob('HEAD')).toMatchObject({ status: 404 })
  }
  expect([await damagedOf(acme.image.digest), await damagedOf(digestOf(index))]).toEqual([[digest], [digest]])
  // Nothing counts on it: no manifest, no mount.
  expect(await putManifest(acme.ask, acme.name, 'v2', acme.image.manifest)).toMatchObject({ status: 404, code: 'MANIFEST_BLOB_UNKNOWN' })
  const mounted = await acme.ask(`/v2/${acme.slug}/second/blobs/uploads/?mount=${digest}&from=${acme.name}`, { method: 'POST' })
  expect(mounted.status).toBe(202)

  await pushBlob(other.ask, other.name, layer)
  expect((await blobOf(digest)).key).not.toBe(key)
  for (const { blob } of [acme, other]) expect((await blob()).bytes.equals(layer)).toBe(true)
  expect((await registryCheck(house.app)).right).toBe(true)
  expect(await damagedOf(digestOf(index))).toEqual([])
  expect((await putManifest(acme.ask, acme.name, 'v2', acme.image.manifest)).status).toBe(201)
})

test('what a pull finds missing is damaged; what was restored and checked is given again', async () => {
  const layer = Buffer.alloc(2000, 9)
  const digest = digestOf(layer)
  const acme = await newImage('Restoring', layer)
  const { key } = await blobOf(digest)
  await house.app.blobs.remove(key)
  const refused = await acme.blob()
  expect(refused).toMatchObject({ status: 404, code: 'BLOB_UNKNOWN' })
  expect(refused.words).toContain('Push the image again')
  expect(await acme.blob('HEAD')).toMatchObject({ status: 404 })
  async function* again() {
    yield layer
  }
  await house.app.blobs.put(key, again())
  expect((await registryCheck(house.app)).right).toBe(true)
  expect((await acme.blob()).bytes.equals(layer)).toBe(true)
})

test('what the store has lost comes again with the next push of it, before anybody noticed', async () => {
  const [layer, cut, asked] = [Buffer.alloc(2500, 13), Buffer.alloc(2500, 14), Buffer.alloc(2500, 15)]
  const acme = await newImage('Losing', layer)
  for (const bytes of [cut, asked]) await pushBlob(acme.ask, acme.name, bytes)
  await house.app.blobs.remove((await blobOf(digestOf(layer))).key)
  await house.app.blobs.remove((await blobOf(digestOf(asked))).key)
  // A disk that was full, or a copy that was not whole.
  await damage(digestOf(cut))
  for (const bytes of [layer, cut]) {
    const { key } = await blobOf(digestOf(bytes))
    await pushBlob(acme.ask, acme.name, bytes)
    expect((await blobOf(digestOf(bytes))).key).not.toBe(key)
    expect((await acme.ask(`/v2/${acme.name}/blobs/${digestOf(bytes)}`)).bytes.equals(bytes)).toBe(true)
  }
  // What is there stays where it is.
  const { key } = await blobOf(digestOf(layer))
  await pushBlob(acme.ask, acme.name, layer)
  expect((await blobOf(digestOf(layer))).key).toBe(key)
  // Nor is it mounted.
  const path = `/v2/${acme.slug}/second/blobs/uploads/?mount=${digestOf(asked)}&from=${acme.name}`
  expect(await acme.ask(path, { method: 'POST' })).toMatchObject({ status: 202 })
  await pushBlob(acme.ask, acme.name, asked)
  expect(await acme.ask(path, { method: 'POST' })).toMatchObject({ status: 201 })
  await house.app.blobs.remove((await blobOf(digestOf(asked))).key)
  // A client that asks first is answered that it must bring it.
  expect(await acme.ask(`/v2/${acme.name}/blobs/${digestOf(asked)}`, { method: 'HEAD' })).toMatchObject({ status: 404 })
  await pushBlob(acme.ask, acme.name, asked)
  expect((await acme.ask(`/v2/${acme.name}/blobs/${digestOf(asked)}`)).bytes.equals(asked)).toBe(true)
})

test('a store that gives nothing for a while damages nothing', async () => {
  const layer = Buffer.alloc(1000, 11)
  const acme = await newImage('Away', layer)
  const failing = vi.spyOn(house.app.blobs, 'read').mockImplementation(() => Promise.reject(new Error('The store is away')))
  const { right, words } = await registryCheck(house.app)
  await keptDaysAgo(digestOf(layer), 8)
  await expect(checkOldest(house.app)).rejects.toThrow('it could not be read')
  failing.mockRestore()
  expect(right).toBe(false)
  expect(words).toContain('it could not be read')
  expect((await acme.blob()).bytes.equals(layer)).toBe(true)
})

test('what was not read for a week is read, so much at a time, and staff read of damage until it is mended', async () => {
  const staff = await house.newOwner('Of staff', { staff: ['backoffice'] })
  const [first, second] = [Buffer.alloc(1500, 21), Buffer.alloc(1500, 22)]
  const acme = await newImage('Read weekly', first)
  await pushBlob(acme.ask, acme.name, second)
  const digests = [digestOf(first), digestOf(second)] as const
  const isDamaged = async () => [(await blobOf(digests[0])).damaged_at !== null, (await blobOf(digests[1])).damaged_at !== null]
  const alerts = () =>
    house.db
      .selectFrom('alert')
      .select(['account_id', 'count', 'words', 'resolved_words'])
      .where('cause', '=', 'registry:damaged')
      .execute()
  await watchDamage(house.app)
  expect(await alerts()).toEqual([])
  for (const digest of digests) await damage(digest)
  // They came just now.
  await checkOldest(house.app)
  expect(await isDamaged()).toEqual([false, false])
  await keptDaysAgo(digests[0], 9)
  await keptDaysAgo(digests[1], 8)
  await checkOldest(house.app, 1)
  expect(await isDamaged()).toEqual([true, false])
  await watchDamage(house.app)
  house.clock.advance({ minutes: 1 })
  await checkOldest(house.app, 1)
  expect(await isDamaged()).toEqual([true, true])
  for (let i = 0; i < 2; i++) await watchDamage(house.app)
  expect(await alerts()).toMatchObject([{ account_id: staff.account_id, count: 2, resolved_words: null }])
  expect((await alerts())[0]!.words).toContain(`2 blobs with 3 KB of ${acme.name} are not what the digest says`)
  for (const blob of [first, second]) await pushBlob(acme.ask, acme.name, blob)
  await watchDamage(house.app)
  expect(await alerts()).toMatchObject([{ resolved_words: 'None is damaged any more' }])
})
