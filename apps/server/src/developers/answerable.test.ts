import { afterAll, beforeAll, expect, test } from 'vitest'
import * as ops from '@masthead/contract/developers/operations'
import { createTag, listTags } from '@masthead/contract/tags/operations'
import { removeMember } from '@masthead/contract/teams/operations'
import { openHouse, type House } from '@masthead/testkit/house'
import { openReceiver } from '../webhooks/test-receiver.ts'
import { sendDue } from '../webhooks/webhook-sender.ts'
import { newKey, withKey } from './test-keys.ts'

// What somebody has in their hands does not outlive their rights, whoever made it.

let house: House
beforeAll(async () => {
  house = await openHouse({ config: { webhookPrivate: true } })
})
afterAll(() => house[Symbol.asyncDispose]())

const rights = ['developers.view', 'developers.edit', 'assets.view', 'overview.view']

test('a key that a member rotated ends with their membership: they have its new secret', async () => {
  const owner = await house.newOwner()
  const key = await newKey(house, owner, ['assets.view'])
  const member = await house.newMember(owner, rights)
  const rotated = (await member.call(ops.rotateApiKey, { params: { api_key_id: key.id }, body: { overlap_hours: 1 } })).body
  expect(rotated.created_by).toBe(member.email)
  expect((await withKey(house, rotated.secret).call(listTags)).status).toBe(200)
  expect((await owner.call(removeMember, { params: { member_email: member.email } })).status).toBe(200)
  expect((await withKey(house, rotated.secret).call(listTags)).status).toBe(401)
  // Whoever stays rotates it in turn.
  const again = (await owner.call(ops.rotateApiKey, { params: { api_key_id: key.id }, body: { overlap_hours: 0 } })).body
  expect((await withKey(house, again.secret).call(listTags)).status).toBe(200)
  expect((await withKey(house, rotated.secret).call(listTags)).status).toBe(401)
})

test('a webhook that a member turned to another address ends with their membership', async () => {
  await using theirs = await openReceiver()
  const owner = await house.newOwner()
  const body = { name: 'Ops', url: 'http://127.0.0.1:9/hooks', events: ['tags.*'] }
  const { id } = (await owner.call(ops.createWebhook, { body })).body
  const params = { webhook_id: id }
  const member = await house.newMember(owner, rights)
  expect((await member.call(ops.updateWebhook, { params, body: { name: 'Ops 2' } })).body.created_by).toBe(owner.email)
  expect((await member.call(ops.updateWebhook, { params, body: { url: theirs.url } })).body.created_by).toBe(member.email)
  await owner.call(removeMember, { params: { member_email: member.email } })
  await owner.call(createTag, { body: { name: 'secret plan' } })
  await house.settle()
  await sendDue(house.app)
  expect(theirs.received).toEqual([])
  expect((await owner.call(ops.getWebhook, { params })).body).toMatchObject({ state: 'disabled', disabled_because: 'maker_gone' })
})

test('a key that may not read activities makes no webhook that hears them', async () => {
  const owner = await house.newOwner()
  const body = { name: 'All', url: 'http://127.0.0.1:9/hooks', events: ['*'] }
  const { id } = (await owner.call(ops.createWebhook, { body: { ...body, events: ['tags.tag_created'] } })).body
  const narrow = await newKey(house, owner, ['developers.view', 'developers.edit'])
  const refused = { status: 403, body: { code: 'forbidden', detail: expect.stringContaining('overview.view') } }
  expect(await narrow.call(ops.createWebhook, { body })).toMatchObject(refused)
  expect(await narrow.call(ops.updateWebhook, { params: { webhook_id: id }, body: { events: ['*'] } })).toMatchObject(refused)
  expect(await narrow.call(ops.updateWebhook, { params: { webhook_id: id }, body: { url: body.url + '/else' } })).toMatchObject(refused)
  expect((await narrow.call(ops.updateWebhook, { params: { webhook_id: id }, body: { name: 'Ops' } })).status).toBe(200)
  const wide = await newKey(house, owner, ['developers.edit', 'overview.view'])
  expect((await wide.call(ops.createWebhook, { body })).status).toBe(200)
})
