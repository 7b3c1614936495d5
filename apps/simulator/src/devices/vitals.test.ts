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
  expect(Object.keys(new Vitals({ ...device, kind: 'core' }, seededRandom(7), 0).look(0))).toEqual(['monitoring', 'system', 'config'])
})
