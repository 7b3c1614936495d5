import * as ops from '@masthead/contract/reports/operations'
import { expect, test } from 'vitest'
import { inScene, type Scene } from '../test-report.ts'
import { runNextSchedule } from './run-schedules.ts'

let { house, owner } = {} as Scene
inScene((scene) => ({ house, owner } = scene))

test.each(['day', 'week', 'month'] as const)('a clock that was ahead leaves no schedule waiting for that time: each %s', async (every) => {
  const runAll = async () => {
    while (await runNextSchedule(house.app));
  }
  const { next_at } = (await owner.call(ops.createSchedule, { body: { kind: 'inventory', every } })).body
  const before = house.clock.now()
  house.clock.advance({ days: 100 })
  await runAll()
  house.clock.set(before)
  await runAll()
  const [schedule] = (await owner.call(ops.listSchedules)).body.items
  expect(schedule!.next_at).toBe(next_at)
})
