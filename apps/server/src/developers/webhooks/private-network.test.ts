import { expect, test } from 'vitest'
import * as ops from '@masthead/contract/developers/operations'
import { openHouse } from '@masthead/testkit/house'
import { postWebhook } from './post-webhook.ts'
import { isPublicAddress, lookupPublic, PrivateAddress, urlProblem } from './public-address.ts'
import { openReceiver } from './test-receiver.ts'
import { sendDue } from './webhook-sender.ts'

test.each([
  ['8.8.8.8', true],
  ['127.0.0.1', false],
  ['127.255.255.254', false],
  ['10.0.0.1', false],
  ['172.16.0.1', false],
  ['172.32.0.1', true],
  ['192.168.1.1', false],
  ['169.254.169.254', false],
  ['100.64.0.1', false],
  ['0.0.0.0', false],
  ['224.0.0.1', false],
  ['255.255.255.255', false],
  ['2606:4700::1111', true],
  ['::1', false],
  ['::', false],
  ['fe80::1', false],
  ['fd00::1', false],
  ['ff02::1', false],
  ['::ffff:127.0.0.1', false],
  ['::ffff:8.8.8.8', false],
  ['64:ff9b::7f00:1', false],
  ['2002:7f00:1::', false],
  ['2001:0:4136:e378::', false],
  ['2001:db8::1', false],
  ['not an address', false],
])('%s is public: %j', (address, open) => expect(isPublicAddress(address)).toBe(open))

test.each([
  ['https://hooks.example.com/x', null],
  ['https://8.8.8.8/', null],
  ['http://hooks.example.com/', 'https'],
  ['https://localhost/', 'private'],
  ['https://LOCALHOST./', 'private'],
  ['https://x.localhost/', 'private'],
  ['https://printer/', 'private'],
  ['https://printer.local/', 'private'],
  ['https://metadata.google.internal/', 'private'],
  ['https://127.0.0.1/', 'private'],
  ['https://2130706433/', 'private'],
  ['https://0x7f.1/', 'private'],
  ['https://0177.0.0.1/', 'private'],
  ['https://[::1]/', 'private'],
  ['https://[::ffff:a9fe:a9fe]/', 'private'],
  ['https://169.254.169.254/latest/meta-data', 'private'],
  ['https://user@example.com/', 'password'],
  ['file:///etc/passwd', 'address'],
  ['nothing', 'address'],
])('%s: %j', (url, words) => {
  const problem = urlProblem(url, { allowPrivate: false })
  if (words === null) expect(problem).toBeNull()
  else expect(problem).toContain(words)
})

test('a host that leads into a private network is not connected to, by address or by name', async () => {
  await using receiver = await openReceiver()
  for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '0.0.0.0', '0x7f.1']) {
    const posted = await postWebhook({ url: `http://${host}:${receiver.port}/`, headers: {}, body: '{}', allowPrivate: false })
    expect(posted).toMatchObject({ status: null, words: expect.stringMatching(/leads into a private network, where webhooks may not go$/) })
  }
  expect(receiver.received).toEqual([])
  expect(await postWebhook({ url: receiver.url, headers: {}, body: '{}', allowPrivate: true })).toMatchObject({
    status: 200,
    reply: 'thanks',
  })
  // The look-up in whose hands the connection is, in both forms that Node asks for.
  for (const all of [true, false])
    expect(await new Promise((resolve) => lookupPublic('localhost', { all }, resolve))).toBeInstanceOf(PrivateAddress)
})

test('an installation that allows no private addresses takes none, and sends to none that it took before', async () => {
  await using receiver = await openReceiver()
  await using house = await openHouse()
  const ada = await house.newOwner()
  const make = (url: string) => ada.call(ops.createWebhook, { body: { name: 'x', url, events: ['*'] } })
  expect(await make(receiver.url)).toMatchObject({ status: 400, body: { fields: { url: expect.stringContaining('https') } } })
  const { id } = (await make('https://hooks.example.com/')).body
  await house.db.updateTable('webhook').set({ url: receiver.url }).where('id', '=', id).execute()
  const params = { webhook_id: id }
  await ada.call(ops.testWebhook, { params })
  expect(await sendDue(house.app)).toBe(1)
  const [delivery] = (await ada.call(ops.listDeliveries, { params })).body.items
  expect(delivery).toMatchObject({ state: 'waiting', words: '127.0.0.1 leads into a private network, where webhooks may not go' })
  expect(receiver.received).toEqual([])
  // It may be renamed as it is, and led nowhere else of the kind.
  expect(await ada.call(ops.updateWebhook, { params, body: { name: 'y', url: receiver.url } })).toMatchObject({ status: 200 })
  expect(await ada.call(ops.updateWebhook, { params, body: { url: `${receiver.url}2` } })).toMatchObject({ status: 400 })
  // What this process itself receives is the one exception.
  await ada.call(ops.testWebhook, { params })
  expect(await sendDue(house.app, { ownReceiver: receiver.url })).toBe(1)
  expect(receiver.received).toHaveLength(1)
})

test('who does not answer in time is not waited for', async () => {
  await using receiver = await openReceiver(() => {})
  const posted = await postWebhook({ url: receiver.url, headers: {}, body: '{}', allowPrivate: true, within: 100 })
  expect(posted).toMatchObject({ status: null, words: 'No answer within 0.1 s' })
})

test('who wants to speak another protocol is answered no further, and keeps no place', async () => {
  await using receiver = await openReceiver((reply) => void reply.writeHead(101, { connection: 'upgrade', upgrade: 'x' }).end())
  const posted = postWebhook({ url: receiver.url, headers: {}, body: '{}', allowPrivate: true, within: 1000 })
  expect(await posted).toMatchObject({ status: 101, words: 'Answered with 101' })
})
