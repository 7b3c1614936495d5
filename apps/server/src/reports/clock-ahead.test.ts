import * as ops from '@masthead/contract/reports/operations'
import { expect, test } from 'vitest'
import { inScene, type Scene } from './test-report.ts'
import { runNextSchedule } from './schedules/run-schedules.ts'

// A clock was ahead by months, and is right again.

let { house, owner } = {} as Scene
const { makeAll, ask, get } = inScene((scene) => ({ house, owner } = scene))

test.each(['day', 'week', 'month'] as const)('no schedule waits for that time: each %s', async (every) => {
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

test('a report whose worker was killed then is begun anew', async () => {
  const report = await ask(owner, { kind: 'inventory' })
  const held_until = new Date(house.clock.now().getTime() + 100 * 86_400_000)
  await house.db.updateTable('report').set({ state: 'running', run: 1, tries: 1, held_until }).where('id', '=', report.id).execute()
  await makeAll()
  expect((await get(owner, report)).state).toBe('complete')
})
