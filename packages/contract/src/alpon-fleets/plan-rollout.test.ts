import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isWithin, phasesOf, planRollout, type DeviceNow, type RolloutNow } from './plan-rollout.ts'
import { RolloutPlan, type RolloutState, type Window } from './rollout.ts'

const minute = 60_000
const plan: RolloutPlan = { phases: [10, 50, 100], most_failed_percent: 5, retries: 1, minutes_a_device: 10, window: null }
const running = (more: Partial<RolloutPlan> = {}): RolloutNow => ({ state: 'running', plan: { ...plan, ...more } })
const device = (asset_id: string, more: Partial<DeviceNow> = {}): DeviceNow => ({
  asset_id,
  phase: 0,
  state: 'pending',
  attempts: 0,
  started_at: null,
  online: true,
  outcome: null,
  ...more,
})

describe('phases', () => {
  test.each([
    [10, [0, 1, 1, 1, 1, 2, 2, 2, 2, 2]],
    [1, [0]],
    [0, []],
  ])('of %d devices', (count, phases) => expect(phasesOf(count, plan)).toEqual(phases))

  test('by a number of devices, beside those in per cent', () => {
    expect(phasesOf(6, { phases: [{ devices: 1 }, { devices: 3 }, 100] })).toEqual([0, 1, 1, 2, 2, 2])
    expect(phasesOf(2, { phases: [{ devices: 5 }, 50, 100] })).toEqual([0, 0])
    const words = (phases: unknown) => RolloutPlan.safeParse({ ...plan, phases }).error?.issues.map(({ message }) => message)
    expect(words([{ devices: 2 }, 50, 100])).toBeUndefined()
    expect(words([{ devices: 2 }, { devices: 2 }, 100])).toEqual(['Each phase reaches more than the one before'])
    expect(words([{ devices: 0 }, 100])).toEqual(['A phase reaches at least 1 device'])
    expect(words([0, 100])).toEqual(['A phase reaches 1 to 100 % of the devices'])
    expect(words([{ devices: 2 }])).toEqual(['The last phase reaches 100 %'])
  })

  test('the next one begins when those that can be reached are done and one succeeded', () => {
    const at = (first: Partial<DeviceNow>, second: Partial<DeviceNow>) =>
      planRollout(running(), [device('a', first), device('b', second), device('c', { phase: 1 })], 0).start
    expect(at({ state: 'success' }, { state: 'success' })).toEqual(['c'])
    expect(at({ state: 'success' }, { online: false })).toEqual(['c'])
    expect(at({ state: 'success' }, { state: 'started', started_at: 0 })).toEqual([])
    expect(at({ online: false }, { online: false })).toEqual([])
    expect(at({ state: 'success' }, {})).toEqual(['b'])
    // All of it failed, and all may.
    const all = [device('a', { state: 'failure' }), device('b', { phase: 1 })]
    expect(planRollout(running({ most_failed_percent: 100 }), all, 0)).toMatchObject({ start: ['b'], become: null })
  })

  test('a device that comes back is started although its phase is over', () =>
    expect(planRollout(running(), [device('a'), device('b', { phase: 1, state: 'success' })], 0).start).toEqual(['a']))
})

describe('a try', () => {
  const started = { state: 'started', attempts: 1, started_at: 0 } as const
  const after = (more: Partial<DeviceNow>, minutes: number) =>
    planRollout(running(), [device('a', { ...started, ...more })], minutes * minute)
  test('goes on until its time is over', () => expect(after({}, 9)).toMatchObject({ again: [], fail: [], start: [] }))
  test('that took too long is made again', () => expect(after({}, 10)).toMatchObject({ again: ['a'], start: [] }))
  test('that failed is made again as often as it may', () => {
    expect(after({ outcome: 'failure' }, 1)).toMatchObject({ again: ['a'] })
    expect(after({ outcome: 'failure', attempts: 2 }, 1)).toMatchObject({ again: [], fail: ['a'], become: 'halted' })
  })
  test('of a device that went away is made again when it is back, and not for ever', () => {
    expect(after({ online: false, attempts: 4 }, 10)).toMatchObject({ again: ['a'], fail: [] })
    expect(after({ online: false, attempts: 5 }, 10)).toMatchObject({ again: [], fail: ['a'] })
  })
})

test('a version that cuts devices off halts: who was tried and is away counts as failed until it is back, and who never was does not', () => {
  const lost = (count: number, more: Partial<DeviceNow> = {}) =>
    Array.from({ length: 10 }, (_, i) => device(String(i), i < count ? { attempts: 1, online: false, ...more } : { state: 'success' }))
  const now = running({ most_failed_percent: 20 })
  expect(planRollout(now, [...lost(2), device('x', { phase: 1 })], 0)).toMatchObject({ start: ['x'], become: null })
  expect(planRollout(now, [...lost(3), device('x', { phase: 1 })], 0)).toMatchObject({ start: [], become: 'halted', failed: 3 })
  expect(planRollout(now, [...lost(3, { attempts: 0 }), device('x', { phase: 1 })], 0)).toMatchObject({ start: ['x'], become: null })
  expect(planRollout(now, [...lost(3, { online: true }), device('x', { phase: 1 })], 0)).toMatchObject({ start: ['0', '1', '2'] })
  expect(planRollout(now, [...lost(3, { forgiven: true }), device('x', { phase: 1 })], 0)).toMatchObject({ start: ['x'], become: null })
})

describe('where the pilot has a time', () => {
  const now = running({ pilot_minutes: 30, most_failed_percent: 50 })
  const at = (pilot: Partial<DeviceNow>, minutes = 0) =>
    planRollout(now, [device('a'), device('p', { pilot: true, ...pilot }), device('b', { phase: 1 })], minutes * minute)
  test('it begins alone, also while it is offline, and whatever its phase', () => {
    expect(at({}).start).toEqual(['p'])
    expect(at({ phase: 1 }).start).toEqual(['p'])
    expect(at({ online: false }).start).toEqual([])
    expect(at({ state: 'success' }).start).toEqual(['a'])
  })
  test('nothing begins when it is gone before it was done', () => {
    expect(at({ pilot: false })).toMatchObject({ start: [], become: 'halted', failed: 0 })
    expect(at({ pilot: false, state: 'success' })).toMatchObject({ start: ['a'], become: null })
    const without = { ...now, pilot_passed_at: new Date(0) }
    expect(planRollout(without, [device('a'), device('b', { phase: 1 })], minute)).toMatchObject({ start: ['a'], become: null })
  })
  test('once another was begun it may leave, and where somebody resumed it goes on without it', () => {
    const begun = [device('a', { state: 'started', attempts: 1, started_at: 0 }), device('b', { phase: 1 })]
    expect(planRollout(now, begun, 0)).toMatchObject({ start: [], become: null })
    const untouched = [device('a'), device('b', { phase: 1 })]
    expect(planRollout(now, untouched, 0)).toMatchObject({ start: [], become: 'halted' })
    expect(planRollout({ ...now, resumed_at: new Date(0) }, untouched, 0)).toMatchObject({ start: ['a'], become: null })
  })
  test('its try lasts for that time longer, and one failure of it halts', () => {
    const started = { state: 'started', attempts: 2, started_at: 0 } as const
    expect(at(started, 39)).toMatchObject({ fail: [], start: [], become: null })
    expect(at(started, 40)).toMatchObject({ fail: ['p'], become: 'halted' })
    expect(at({ state: 'failure', forgiven: true }).start).toEqual(['a'])
  })
})

test('pausing and halting start nothing, and what runs ends', () => {
  for (const state of ['paused', 'halted'] as RolloutState[]) {
    const devices = [device('a', { state: 'started', attempts: 1, started_at: 0, outcome: 'success' }), device('b')]
    expect(planRollout({ state, plan }, devices, 0)).toMatchObject({ start: [], succeed: ['a'], become: null })
  }
  expect(planRollout({ state: 'aborted', plan }, [device('a')], 0).start).toEqual([])
})

test('a share of failures above what may be halts, one at it does not', () => {
  const failed = (count: number) => Array.from({ length: 100 }, (_, i) => device(String(i), { state: i < count ? 'failure' : 'success' }))
  expect(planRollout(running(), [...failed(5), device('x', { phase: 1 })], 0)).toMatchObject({ start: ['x'], become: null })
  expect(planRollout(running(), [...failed(6), device('x', { phase: 1 })], 0)).toMatchObject({ start: [], become: 'halted' })
  expect(planRollout(running(), failed(5), 0).become).toBe('finished')
})

describe('a device that is restored', () => {
  const again = device('r', { restored: true })
  test('goes on in a rollout that has finished, which stays so when it fails, and nobody else does', () => {
    const finished = { ...running({ most_failed_percent: 0, retries: 0 }), state: 'finished' } as const
    expect(planRollout(finished, [again, device('a')], 0)).toMatchObject({ start: ['r'], become: null })
    const failed = { ...again, state: 'started', attempts: 1, started_at: 0, outcome: 'failure' } as const
    expect(planRollout(finished, [failed, device('a', failed), device('b')], 0)).toMatchObject({ start: [], become: null, failed: 0 })
    expect(planRollout(finished, [failed], 0).fail).toEqual(['r'])
    expect(planRollout({ ...finished, state: 'aborted' }, [again], 0).start).toEqual([])
    const shut = { ...finished, plan: { ...finished.plan, window: { days: [1], from_minute: 0, to_minute: 0, timezone: 'UTC' } } }
    expect(planRollout(shut, [again], 0).start).toEqual([])
  })
  test('halts and holds up no other one of a rollout that runs, which finishes once it is done as well', () => {
    const now = running({ most_failed_percent: 0, retries: 0 })
    const rest = [device('a', { state: 'success' }), device('b', { phase: 1 })]
    expect(planRollout(now, [again, ...rest], 0)).toMatchObject({ start: ['r', 'b'], become: null })
    expect(planRollout(now, [{ ...again, state: 'failure' }, ...rest], 0)).toMatchObject({ start: ['b'], become: null, failed: 0 })
    const lost = { ...again, attempts: 1, online: false }
    expect(planRollout(now, [lost, rest[0]!], 0)).toMatchObject({ start: [], become: null, failed: 0 })
    expect(planRollout(now, [{ ...again, state: 'failure' }, rest[0]!], 0).become).toBe('finished')
  })
})

describe('a maintenance window', () => {
  const night: Window = { days: [5], from_minute: 22 * 60, to_minute: 4 * 60, timezone: 'Europe/Berlin' }
  test.each([
    ['2026-11-27T20:59:00Z', false],
    ['2026-11-27T21:00:00Z', true],
    ['2026-11-28T02:59:00Z', true],
    ['2026-11-28T03:00:00Z', false],
    ['2026-11-28T22:00:00Z', false],
    ['2026-11-27T02:00:00Z', false],
  ])('%s: %s', (at, within) => expect(isWithin(night, Date.parse(at))).toBe(within))
  test.each([
    ['2026-03-28T21:00:00Z', true],
    ['2026-03-29T01:59:00Z', true],
    ['2026-03-29T02:00:00Z', false],
    ['2026-10-24T20:00:00Z', true],
    ['2026-10-25T02:59:00Z', true],
    ['2026-10-25T03:00:00Z', false],
  ])('over a night in which the clocks are changed, %s: %s', (at, within) =>
    expect(isWithin({ ...night, days: [6] }, Date.parse(at))).toBe(within)
  )
  test.each([
    // All of it is skipped: it is as long, from 3:00 of the summer on.
    [120, 180, ['00:59', '01:00', '01:59', '02:00'], [false, true, true, false]],
    [135, 165, ['01:14', '01:15', '01:44', '01:45'], [false, true, true, false]],
    // A part of it is not.
    [90, 150, ['00:29', '00:30', '00:59', '01:00'], [false, true, true, false]],
    [150, 210, ['00:59', '01:00', '01:29', '01:30'], [false, true, true, false]],
    [120, 240, ['00:59', '01:00', '01:59', '02:00'], [false, true, true, false]],
  ])('in the hour that clocks skip, from minute %d to %d', (from_minute, to_minute, times, within) => {
    const window = { days: [0], from_minute, to_minute, timezone: 'Europe/Berlin' }
    expect(times.map((time) => isWithin(window, Date.parse(`2026-03-29T${time}:00Z`)))).toEqual(within)
    expect(isWithin({ ...window, days: [1] }, Date.parse('2026-03-29T01:10:00Z'))).toBe(false)
  })
  test('in an hour that is skipped after midnight, it is of the day that begins', () => {
    const window = { days: [0], from_minute: 0, to_minute: 60, timezone: 'America/Santiago' }
    const times = ['03:59', '04:00', '04:59', '05:00']
    expect(times.map((time) => isWithin(window, Date.parse(`2026-09-06T${time}:00Z`)))).toEqual([false, true, true, false])
  })
  test('from a time to the same one is a whole day', () => {
    const friday = { ...night, from_minute: 0, to_minute: 0, timezone: 'UTC' }
    const times = ['2026-11-26T23:59:00Z', '2026-11-27T00:00:00Z', '2026-11-27T23:59:00Z', '2026-11-28T00:00:00Z']
    expect(times.map((at) => isWithin(friday, Date.parse(at)))).toEqual([false, true, true, false])
  })
  test('lets nothing begin outside, and what is reported is still shown', () => {
    const devices = [device('a', { state: 'started', attempts: 1, started_at: 0, outcome: 'success' }), device('b')]
    const steps = planRollout(running({ window: night }), devices, Date.parse('2026-11-25T12:00:00Z'))
    expect(steps).toMatchObject({ start: [], succeed: ['a'] })
  })
})

/** A device of the model: how each of its tries ends, and when it is offline. */
const behaviour = fc.record({
  tries: fc.array(fc.constantFrom('success', 'success', 'success', 'failure', 'silent'), { minLength: 8, maxLength: 8 }),
  offline: fc.uniqueArray(fc.integer({ min: 0, max: 60 }), { maxLength: 8 }),
})

test('from any behaviour of 50 devices a rollout starts none twice at once, keeps to its phases, halts in time, and comes to an end', () => {
  const numRuns = Number(process.env.MASTHEAD_HISTORIES ?? 200)
  fc.assert(
    fc.property(
      fc.array(behaviour, { minLength: 1, maxLength: 50 }),
      fc.constantFrom<number[]>([100], [10, 100], [5, 25, 60, 100]),
      fc.integer({ min: 0, max: 30 }),
      fc.integer({ min: 0, max: 2 }),
      // Where the one who carries out the steps dies, and how many of them it has written by then.
      fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 30 }),
      (behaviours, phases, most_failed_percent, retries, deaths) => {
        const now: RolloutNow = { state: 'running', plan: { ...plan, phases, most_failed_percent, retries } }
        const places = phasesOf(behaviours.length, now.plan)
        const devices = behaviours.map((_, i) => device(String(i), { phase: places[i]! }))
        const runs = new Set<string>()
        const dies = [...deaths]
        for (let round = 0; round < 600 && now.state === 'running'; round++) {
          const at = round * 5 * minute
          for (const [i, each] of devices.entries()) {
            each.online = round > 60 || !behaviours[i]!.offline.includes(round)
            const end = behaviours[i]!.tries[(each.attempts - 1) % 8]
            each.outcome = each.state === 'started' && each.online && end !== 'silent' ? (end as 'success' | 'failure') : null
          }
          const steps = planRollout(now, devices, at)
          const all = [...steps.succeed, ...steps.again, ...steps.fail, ...steps.start]
          expect(new Set(all).size).toBe(all.length)
          const most = dies.pop() ?? Infinity
          for (const [nth, id] of all.entries()) {
            if (nth >= most) break
            const each = devices[Number(id)]!
            if (steps.start.includes(id)) {
              expect(runs.has(id)).toBe(false)
              expect(each.online).toBe(true)
              const earlier = devices.filter(({ phase }) => phase < each.phase)
              expect(earlier.some(({ state }) => state === 'started')).toBe(false)
              runs.add(id)
              Object.assign(each, { state: 'started', attempts: each.attempts + 1, started_at: at })
            } else {
              runs.delete(id)
              each.state = steps.succeed.includes(id) ? 'success' : steps.fail.includes(id) ? 'failure' : 'pending'
            }
          }
          if (most === Infinity && steps.become) now.state = steps.become
        }
        const share = phases.map((_, phase) => {
          const own = devices.filter((each) => each.phase === phase)
          const failed = own.filter(
            ({ state, attempts, online }) => state === 'failure' || (state === 'pending' && attempts > 0 && !online)
          )
          return own.length === 0 ? 0 : (failed.length / own.length) * 100
        })
        if (now.state === 'finished') {
          expect(devices.every(({ state }) => state === 'success' || state === 'failure')).toBe(true)
          expect(share.every((each) => each <= most_failed_percent)).toBe(true)
        } else {
          expect(now.state).toBe('halted')
          expect(share.some((each) => each > most_failed_percent)).toBe(true)
          const halted = share.findIndex((each) => each > most_failed_percent)
          // Nothing of a phase after it was begun, unless somebody was offline and caught up later.
          const nobodyLeft = behaviours.every(({ offline }) => offline.length === 0)
          if (nobodyLeft) expect(devices.every((each) => each.phase <= halted || each.attempts === 0)).toBe(true)
        }
      }
    ),
    { numRuns }
  )
})
