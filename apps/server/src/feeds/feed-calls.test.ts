import { afterAll, beforeAll, expect, test } from 'vitest'
import { addFeedRecords } from '@masthead/contract/usage/feed-operations'
import { openMeteredHouse, type MeteredHouse } from '../metering/test-network.ts'
import { putFeed } from './test-feed.ts'

let house: MeteredHouse
beforeAll(async () => {
  house = await openMeteredHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

test('of a feed it is known since when its calls follow each other; after a longer pause another delivery begins', async () => {
  const feed = await putFeed(house.db)
  const { imsi } = await house.newSim()
  let id = 0
  const call = async (minutes: number) => {
    house.clock.advance({ seconds: minutes * 60 })
    const at = house.clock.now()
    const ended_at = at.toISOString()
    const records = [{ id: `r${++id}`, ended_at, bytes_up: 1, bytes_down: 1, imsi }]
    expect((await house.anyone.call(addFeedRecords, { body: { records } }, { 'x-feed-key': feed.key })).status).toBe(200)
    const kept = await house.db.selectFrom('feed').select(['called_at', 'calls_since']).where('id', '=', feed.id).executeTakeFirstOrThrow()
    expect(kept.called_at).toEqual(at)
    return Math.round((at.getTime() - kept.calls_since!.getTime()) / 60_000)
  }
  expect(await call(0)).toBe(0)
  expect(await call(10)).toBe(10)
  expect(await call(14)).toBe(24)
  expect(await call(16)).toBe(0)
})

test('what is neither text nor a number is refused with words', async () => {
  const feed = await putFeed(house.db)
  const answer = await house.anyone.call(addFeedRecords, { body: { records: [{ id: ['r'] }] } } as never, { 'x-feed-key': feed.key })
  expect(answer).toMatchObject({ status: 400, body: { fields: { 'records.0.id': 'A field is text or a number' } } })
})
