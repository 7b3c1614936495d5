import { afterAll, beforeAll, expect, test } from 'vitest'
import { notThere } from '@masthead/contract/devices/agent/container'
import * as ops from '@masthead/contract/devices/agent/operations'
import { openHouse, type House } from '@masthead/testkit/house'
import { putAgent } from './test-agent.ts'

let house: House
beforeAll(async () => {
  house = await openHouse({ config: { publicUrl: 'http://registry.test' } })
})
afterAll(() => house[Symbol.asyncDispose]())

const digests = ['a', 'b'].map((letter) => `sha256:${letter.repeat(64)}`) as [string, string]

test('a tag that was pushed anew since a device pulled it is shown, until the device is asked to update', async () => {
  const owner = await house.newOwner()
  const { account_id } = owner
  const [at, repository_id] = [house.clock.now(), `rep_${owner.account_id}`]
  await house.db.insertInto('registry_account').values({ account_id, slug: 'acme', created_at: at }).execute()
  await house.db.insertInto('registry_repository').values({ account_id, id: repository_id, name: 'edge/relay', created_at: at }).execute()
  const manifest = { media_type: 'x', artifact_type: null, subject: null, content: Buffer.from('{}'), bytes: 2, size_bytes: 2 }
  const pushed = { pushed_at: at, pushed_by: 'ci' }
  for (const digest of digests)
    await house.db
      .insertInto('registry_manifest')
      .values({ account_id, repository_id, digest, ...manifest, annotations: '{}', platforms: '[]', config: null, image: null, ...pushed })
      .execute()
  const tag = { account_id, repository_id, name: '2', ...pushed }
  await house.db
    .insertInto('registry_tag')
    .values({ ...tag, digest: digests[0] })
    .execute()

  const { asset_id, device_id } = await putAgent(house, owner)
  const params = { asset_id }
  const health = { command: 'true', every_s: 10, retries: 2, start_s: 60 }
  const images = {
    tagged: 'registry.test/acme/edge/relay:2',
    pinned: `registry.test/acme/edge/relay:2@${digests[0]}`,
    other: 'acme/edge/relay:2',
    // Another registry may have the same names.
    elsewhere: 'ghcr.io/acme/edge/relay:2',
  }
  for (const [name, image] of Object.entries(images)) await owner.call(ops.deployContainer, { params, body: { name, image, health } })
  const shown = async () => (await owner.call(ops.getApplication, { params })).body.items
  const newer = async () => (await shown()).filter(({ newer_digest }) => newer_digest).map(({ name, newer_digest }) => [name, newer_digest])
  const report = async (digest: string) => {
    const containers = (await shown()).map(({ name, generation, image }) => ({
      ...notThere,
      name,
      generation,
      image,
      digest,
      state: 'running',
      health: 'healthy',
    }))
    await house.db
      .updateTable('device')
      .set({ reported: { agent: { containers } } as never })
      .where('id', '=', device_id)
      .execute()
  }
  await report(digests[0])
  expect(await newer()).toEqual([])
  expect((await shown()).find(({ name }) => name === 'tagged')).toMatchObject({ health })
  await house.db.updateTable('registry_tag').set({ digest: digests[1] }).where('account_id', '=', account_id).execute()
  expect(await newer()).toEqual([['tagged', digests[1]]])
  await owner.call(ops.updateContainer, { params: { asset_id, name: 'tagged' }, body: {} })
  expect(await newer(), 'it is on its way').toEqual([])
  await report(digests[1])
  expect(await newer()).toEqual([])
})
