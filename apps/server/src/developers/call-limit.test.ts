import type { FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { openHouse } from '@masthead/testkit/house'
import type { App } from '../kernel/app.ts'
import { takeCall } from './call-limit.ts'
import { newKey } from './test-keys.ts'

test('processes whose clocks differ around the end of a minute let no more through together', async () => {
  await using house = await openHouse()
  const limit = 5
  const { id } = await newKey(house, await house.newOwner(), ['assets.view'], { calls_per_minute: limit })
  const [ahead, behind]: App[] = [{ ...house.app }, { ...house.app }]
  const passes = (app: App, time: string) =>
    takeCall(app, {} as FastifyRequest, { id, limit, at: new Date(`2026-11-21T${time}Z`) }).then(
      () => 1,
      () => 0
    )
  let passed = 0
  for (let i = 0; i < 10; i++) {
    passed += await passes(ahead!, '10:01:00.200')
    passed += await passes(behind!, '10:00:59.900')
  }
  expect(passed).toBe(limit)
  // Also in one process, where a call of the minute before comes after one of the next.
  expect(await passes(ahead!, '10:00:59.999')).toBe(0)
  // A clock that was wrong by far shuts nobody out.
  expect(await passes(ahead!, '17:00:00.000')).toBe(1)
  expect(await passes(ahead!, '10:02:00.000')).toBe(1)
  expect(await passes(behind!, '10:02:00.000')).toBe(1)
})
