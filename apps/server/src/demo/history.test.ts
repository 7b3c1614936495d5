import { expect, test } from 'vitest'
import type { DemoAsset } from './fleet.ts'
import { historyOf, sessionsOf } from './history.ts'

const asset = {
  asset_id: 'ast_1',
  sim_id: 'sim_1',
  imsi: '204081170019383',
  imei: '867698048166717',
  apn: 'iot.acme',
  pattern: 'meter',
  route: [{ mccmnc: '21407', rat: 'lte_m' }],
  daily_bytes: 1_500_000,
  created_days_ago: 30,
} as unknown as DemoAsset

test('what a SIM of the demo used today was used in a session that is over', () => {
  const now = new Date('2026-11-27T11:30:00Z')
  const points = historyOf(asset, now, null)
  const last = points.at(-1)!
  expect(last.hour.toISOString()).toMatch(/^2026-11-27/)
  const session = sessionsOf(asset, points, { id: 'gw_1', name: 'pgw-1' }, 'acc_1', null).at(-1)!
  expect(session).toMatchObject({ started_at: last.hour, bytes_up: last.bytes_up, bytes_down: last.bytes_down })
  expect(session.ended_at.getTime()).toBeLessThan(now.getTime())
})
