import { afterAll, beforeAll, expect, test } from 'vitest'
import { cleanUpNow, setRetention } from '@masthead/contract/registry/retention-operations'
import { openHouse, type House } from '@masthead/testkit/house'
import { deliver, newWebhook, openReceiver } from '../developers/webhooks/test-receiver.ts'
import { newPusher, pushImage } from './test-registry.ts'

let house: House
let address: string
beforeAll(async () => {
  house = await openHouse({ config: { webhookPrivate: true } })
  address = await house.server.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => house[Symbol.asyncDispose]())

test('a webhook of the registry hears of pushes, deletes and clean-ups, and by whom', async () => {
  await using receiver = await openReceiver()
  const acme = await newPusher(house, address, 'Hooked')
  await newWebhook(acme.person, receiver.url, { events: ['registry.*'] })
  const repository = `${acme.slug}/app`
  const { digest } = await pushImage(acme.ask, repository, { tag: 'v1' })
  house.clock.advance({ seconds: 1 })
  await pushImage(acme.ask, repository, { tag: 'v2' })
  await acme.ask(`/v2/${repository}/manifests/v2`, { method: 'DELETE' })
  await pushImage(acme.ask, repository, { tag: 'v3' })
  const rule = { keep_newest: 1, keep_days: null, keep_like: [], untagged_days: null }
  await acme.person.call(setRetention, { body: { repository: null, rule } })
  const { body: cleanUp } = await acme.person.call(cleanUpNow)
  expect(cleanUp.tags).toBe(1)
  while ((await deliver(house)) > 0);
  const told = receiver.received.map(
    ({ body }) => JSON.parse(body) as { type: string; data: { detail: object; actor: { api_key: unknown } } }
  )
  expect(told.map(({ type }) => type).toSorted()).toEqual(
    ['image_pushed', 'image_pushed', 'image_pushed', 'tag_deleted', 'retention_set', 'cleaned_up']
      .map((name) => `registry.${name}`)
      .toSorted()
  )
  const of = (type: string) => told.find((each) => each.type === `registry.${type}`)!.data
  expect(told.map(({ data }) => data.detail)).toContainEqual({ repository, tag: 'v1', digest, bytes: expect.any(Number) })
  expect(of('image_pushed').actor.api_key).toBe('ci-push')
  expect(of('tag_deleted').detail).toMatchObject({ repository, tag: 'v2' })
  expect(of('cleaned_up').detail).toMatchObject({ clean_up_id: cleanUp.id, tags: 1, images: 1, bytes: cleanUp.freed_bytes, kept: 1 })
})
