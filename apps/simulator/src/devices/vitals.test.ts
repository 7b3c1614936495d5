import { expect, test } from 'vitest'
import { seededRandom } from '../random.ts'
import { changesOf, Vitals } from './vitals.ts'

test('vitals live within their bounds, and only what changed is said', () => {
  const device = { username: 'a', password: 'b', kind: 'agent' as const, name: 'cam', flaky: false }
  const vitals = new Vitals(device, seededRandom(7), Date.now())
  let last = vitals.look(Date.now())
  for (let i = 0; i < 500; i++) {
    const next = vitals.look(Date.now() + i * 1000)
    expect(next.vitals!.cpu_pct as number).toBeGreaterThanOrEqual(1)
    expect(next.vitals!.temperature_c as number).toBeLessThanOrEqual(78)
    expect(Object.keys(changesOf(next.system!, last.system))).toEqual([])
    last = next
  }
  expect(changesOf({ a: 1, b: [1] }, { a: 1, b: [2] })).toEqual({ b: [1] })
  expect(Object.keys(new Vitals({ ...device, kind: 'core' }, seededRandom(7), 0).look(0))).toEqual([
    'monitoring',
    'system',
    'config',
    'geolocation',
  ])
})

test('its disk goes on from what is known of its past', () => {
  const at = '2026-11-26T12:00:00.000Z'
  const device = {
    username: 'a',
    password: 'b',
    kind: 'agent' as const,
    name: 'cam',
    flaky: false,
    disk: { used_pct: 42, a_day: 0.12, at },
  }
  const usedAfter = (days: number) => {
    const { disk_used_bytes, disk_total_bytes } = new Vitals(device, seededRandom(7), 0).look(Date.parse(at) + days * 86_400_000).vitals!
    return ((disk_used_bytes as number) / (disk_total_bytes as number)) * 100
  }
  expect([usedAfter(0), usedAfter(10), usedAfter(10_000)].map((pct) => Number(pct.toFixed(3)))).toEqual([42, 43.2, 95])
})
