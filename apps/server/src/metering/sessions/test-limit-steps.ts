import fc from 'fast-check'
import { zones } from './test-slow-hours.ts'
import type { Period } from './test-slow-limits.ts'

const groups = ['default', 'default_1gb', 'default_10gb']
/** One of each zone, and one without. */
export const networks = [...Object.keys(zones), '208-01']
export const sims = 3
const sim = fc.nat(sims - 1)
const pool = fc.nat(1)
const bytes = fc.integer({ min: 1, max: 900 })
const period = fc.constantFrom<Period>('day', 'month')
const report = fc.record({
  sim,
  slot: fc.nat(1),
  how: fc.constantFrom('on', 'on', 'on', 'again', 'swapped', 'stop'),
  seconds: fc.oneof(
    { weight: 3, arbitrary: fc.integer({ min: 1, max: 900 }) },
    { weight: 1, arbitrary: fc.integer({ min: 900, max: 90_000 }) }
  ),
  bytes: fc.nat(900),
  network: fc.constantFrom(...networks),
  earlier: fc.nat(3),
  /** Hours that the clock of the gateway is behind in a session. */
  behind: fc.constantFrom(0, 0, 0, 0, 2, 30, 80),
})
const limit = fc.option(fc.record({ bytes: fc.integer({ min: 100, max: 2500 }), period }), { freq: 3 })
const does = <Name extends string, Model extends Record<string, unknown>>(
  weight: number,
  name: Name,
  model: { [Key in keyof Model]: fc.Arbitrary<Model[Key]> }
) => ({ weight, arbitrary: fc.record({ do: fc.constant(name), ...model }) as unknown as fc.Arbitrary<{ do: Name } & Model> })
export const step = fc.oneof(
  does(14, 'report', { of: report }),
  does(3, 'at once', { all: fc.uniqueArray(report, { selector: (each) => each.sim, minLength: 2, maxLength: 3 }) }),
  does(3, 'correct', { sim, ago: fc.nat(2), bytes: fc.integer({ min: -500, max: 500 }), network: fc.option(fc.constantFrom(...networks)) }),
  does(3, 'undo', { which: fc.nat(9) }),
  does(2, 'limit', { sim, limit }),
  does(2, 'raise', { sim, more: bytes }),
  does(2, 'group', { sim, group: fc.constantFrom(...groups) }),
  does(2, 'group limit', {
    group: fc.constantFrom(...groups),
    limit,
    action: fc.constantFrom('block' as const, 'block' as const, 'alert' as const),
  }),
  does(3, 'join', { sim, pool }),
  does(2, 'leave', { sim, pool }),
  does(2, 'policy', {
    pool,
    most_over: fc.constantFrom(0, 0, 20, 50, null),
    priority: fc.integer({ min: 1, max: 3 }),
    renews: fc.boolean(),
  }),
  does(1, 'grow', { pool, bytes }),
  does(2, 'end', { pool }),
  does(2, 'wait', { hours: fc.integer({ min: 1, max: 40 }), noticed: fc.boolean() }),
  does(1, 'reset', { sim }),
  does(2, 'settle', {})
)
export type Step = typeof step extends fc.Arbitrary<infer One> ? One : never
export type Report = typeof report extends fc.Arbitrary<infer One> ? One : never
export const opened = fc.record({
  zone: fc.constantFrom(null, null, 'Europe', 'America'),
  dynamic: fc.boolean(),
  unit: fc.integer({ min: 200, max: 1500 }),
  priority: fc.integer({ min: 1, max: 3 }),
  most_over: fc.constantFrom(0, 0, 30, null),
  members: fc.subarray(Array.from({ length: sims }, (_, i) => i)),
})
export type Opened = typeof opened extends fc.Arbitrary<infer One> ? One : never

export const overage = (most_over: number | null) =>
  most_over === null
    ? { overage_policy: 'payg' as const }
    : most_over === 0
      ? { overage_policy: 'stop' as const }
      : { overage_policy: 'percent' as const, overage_percent: most_over }

/** Every order of several lists in which each keeps its own. */
export function ordersOf<Each>(lists: readonly (readonly Each[])[]): Each[][] {
  const left = lists.filter((list) => list.length > 0)
  if (left.length === 0) return [[]]
  return left.flatMap((list) => {
    const rest = left.map((other) => (other === list ? list.slice(1) : other))
    return ordersOf(rest).map((order) => [list[0]!, ...order])
  })
}
