import { expect, test } from 'vitest'
import { mostUntaken } from './ends.ts'
import { Outbox } from './outbox.ts'

test('what a channel has no room for waits in its order, and many keys hold up who types as a long paste does', async () => {
  const channel = { hasRoom: true, sent: [] as (string | Buffer)[] }
  let taken = 0
  const outbox = new Outbox({ hasRoom: () => channel.hasRoom, send: (message) => channel.sent.push(message) })
  outbox.say('a')
  expect([channel.sent, outbox.untaken]).toEqual([['a'], 0])
  channel.hasRoom = false
  const keys = Array.from({ length: 20_000 }, (_, nth) => String.fromCharCode(97 + (nth % 26)))
  for (const key of keys) outbox.say(key, () => taken++)
  expect([channel.sent.length, taken, outbox.untaken >= mostUntaken]).toEqual([1, 0, true])
  channel.hasRoom = true
  await expect.poll(() => taken, { timeout: 20_000 }).toBe(20_000)
  expect([channel.sent.join(''), outbox.untaken]).toEqual([`a${keys.join('')}`, 0])
})
