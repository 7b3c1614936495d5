import { getImage, listTags } from '@masthead/contract/registry/operations'
import { listPackages } from '@masthead/contract/registry/sbom-operations'
import { openHouse } from '@masthead/testkit/house'
import { expect, test } from 'vitest'
import { ownerEmail } from '../people.ts'
import { buildDemoImage } from './build-images.ts'
import { pushDemoImages } from './images.ts'

test('images of the demo are signed by a key of the account, and each says what it is made of', async () => {
  await using house = await openHouse()
  const address = await house.server.listen({ host: '127.0.0.1', port: 0 })
  const owner = await house.newOwner()
  await house.db.updateTable('person').set({ email: ownerEmail }).where('email', '=', owner.email).execute()
  await pushDemoImages(house.app, address)
  await pushDemoImages(house.app, address)
  const { slug } = await house.db.selectFrom('registry_account').select('slug').executeTakeFirstOrThrow()
  const repository_id = `${slug}/gps-tracker`
  const { items } = (await owner.call(listTags, { params: { repository_id } })).body
  expect(items.map(({ name }) => name).sort()).toEqual(['1.3.0', '1.4.0'])
  // Devices of the demo name them by what they are before they are pushed.
  for (const { name, digest } of items) expect(buildDemoImage('gps-tracker', name).described.digest).toBe(digest)
  for (const { digest } of items) {
    const image = (await owner.call(getImage, { params: { repository_id, digest } })).body
    expect(image.signatures).toMatchObject([{ verdict: 'verified' }])
    const packages = await owner.call(listPackages, { params: { repository_id, digest: image.manifests[0]!.digest } })
    expect(packages.body.total).toBe(5)
  }
})

test('where a start ended before all images were pushed, the next one pushes them', async () => {
  await using house = await openHouse()
  const address = await house.server.listen({ host: '127.0.0.1', port: 0 })
  const owner = await house.newOwner()
  await house.db.updateTable('person').set({ email: ownerEmail }).where('email', '=', owner.email).execute()
  const tags = async () => (await house.db.selectFrom('registry_tag').select('name').execute()).length
  // A port that nobody listens at: the robot is made, and nothing is pushed.
  await expect(pushDemoImages(house.app, 'http://127.0.0.1:9')).rejects.toThrow()
  expect(await tags()).toBe(0)
  await pushDemoImages(house.app, address)
  const all = await tags()
  expect(all).toBeGreaterThan(1)
  // And one that ended after some: here, all but one.
  await house.db.updateTable('registry_robot').set({ expires_at: house.clock.now() }).execute()
  await house.db.deleteFrom('registry_tag').where('name', '=', '1.4.0').execute()
  expect(await tags()).toBeLessThan(all)
  await pushDemoImages(house.app, address)
  expect(await tags()).toBe(all)
  // What its owner deletes later stays away.
  await house.db.deleteFrom('registry_tag').where('name', '=', '1.4.0').execute()
  await pushDemoImages(house.app, address)
  expect(await tags()).toBeLessThan(all)
})
