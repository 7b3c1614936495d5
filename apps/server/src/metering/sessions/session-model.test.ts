import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { type Applied, applyPacket, beginBaseline, type KeptSession, type SessionPacket } from './session-rules.ts'
import { SlowMeter, type Reading } from './test-slow-meter.ts'

const numRuns = Number(process.env.MASTHEAD_HISTORIES ?? 200)
vi.setConfig({ testTimeout: 600_000 })
const noon = Date.UTC(2026, 10, 21, 12)

const packetOf = ({ kind, at, timed, arrival, time, up, down, wide }: Reading): SessionPacket => ({
  kind,
  event_at: at,
  is_timed: timed,
  received_at: arrival,
  session_time: time,
  counter_up: up,
  counter_down: down,
  has_gigawords: wide,
  end_cause: null,
})

const counter = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 3000 }) },
  { weight: 2, arbitrary: fc.integer({ min: 2 ** 31 - 5, max: 2 ** 31 + 5 }) },
  { weight: 2, arbitrary: fc.integer({ min: 2 ** 32 - 3000, max: 2 ** 32 - 1 }) },
  { weight: 1, arbitrary: fc.integer({ min: 5e9, max: 5e9 + 3000 }) },
  { weight: 1, arbitrary: fc.constantFrom(2 ** 44, 2 ** 44 + 7, 2 ** 52) }
)
const minutes = fc.integer({ min: 0, max: 12 })
const rarely = <T>(usual: T, other: T) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constant(other) })
/**
 * What a gateway may say of a session, sense or nonsense: so many seconds after the one before it arrives, and says that it is of `ago` before
 * that. Or it goes on from what was said last, says something of before once more, or other counters of the same moment.
 */
const anything = fc.record({
  how: fc.constantFrom('anything', 'anything', 'goes on', 'goes on', 'again', 'again', 'same moment'),
  earlier: fc.nat(3),
  kind: fc.constantFrom('start' as const, 'interim' as const, 'interim' as const, 'interim' as const, 'interim' as const, 'stop' as const),
  seconds: fc.oneof({ weight: 30, arbitrary: fc.integer({ min: 0, max: 400 }) }, { weight: 1, arbitrary: fc.constant(100_000) }),
  ago: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.integer({ min: -300, max: 1500 }) }),
  time: fc.oneof(
    { weight: 16, arbitrary: minutes.map((n) => n * 60) },
    { weight: 4, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.constantFrom(90_000, 2 ** 32 - 1) }
  ),
  timed: rarely(true, false),
  up: counter,
  down: counter,
  wide: rarely(false, true),
  /** Before it: the gateway's On of some time, an answer to a cut, or a day's silence. */
  closing: fc.oneof(
    { weight: 8, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.record({ by: fc.constantFrom('on', 'cut', 'silence'), ago: fc.integer({ min: 0, max: 300 }) }) }
  ),
})

type Step = typeof anything extends fc.Arbitrary<infer S> ? S : never
function tell({ how, earlier, seconds, ago, closing: _, ...rest }: Step, said: readonly Reading[], arrival: number): Reading {
  const anew: Reading = { ...rest, arrival, at: rest.timed ? arrival - ago * 1000 : arrival }
  const last = said.at(-1)
  if (!last || how === 'anything') return anew
  if (how === 'again') {
    const again = said.at(-1 - earlier) ?? last
    return { ...again, arrival, at: again.timed ? again.at : arrival }
  }
  if (how === 'same moment') return { ...last, kind: 'interim', arrival, at: last.timed ? last.at : arrival, up: rest.up, down: rest.down }
  const goesOn = {
    time: last.time && last.time + seconds,
    up: last.up + (rest.up % 5000),
    down: last.down + (rest.down % 5000),
    wide: last.wide,
  }
  return { ...anew, ...goesOn, kind: rest.kind === 'start' ? 'interim' : rest.kind }
}

test('any history at all comes to what the tables say, read slowly, packet by packet', () => {
  const seen = new Set<string>()
  const rows = new Set<string>()
  fc.assert(
    fc.property(
      fc.array(anything, { minLength: 1, maxLength: 25 }),
      fc.constantFrom(Infinity, 2.5e8, 5e7, 20),
      fc.boolean(),
      (history, fastest, ours) => {
        const slow = new SlowMeter(fastest, rows)
        let kept: KeptSession | null = null
        let arrival = noon
        const said: Reading[] = []
        for (const step of history) {
          const { closing } = step
          arrival += step.seconds * 1000
          if (closing && kept && slow.session) kept = closed(kept, slow, closing.by, arrival - closing.ago * 1000)
          const reading = tell(step, said, arrival)
          said.push(reading)
          const packet = packetOf(reading)
          const before: KeptSession | null = kept
          const applied: Applied = before || ours ? applyPacket(before, packet, fastest) : beginBaseline(packet)
          const verdict = slow.receive(reading, ours)
          seen.add(verdict.what)
          expect([applied.effect.replace('_', ' '), BigInt(applied.delta_up), BigInt(applied.delta_down)]).toEqual([
            verdict.what,
            ...verdict.counted,
          ])
          expect(applied.session.ended_at).toBe(slow.session!.closed?.at ?? null)
          expect(applied.session.live_after).toBe(slow.session!.closed?.lives ?? null)
          expect([BigInt(applied.session.uncounted_up), BigInt(applied.session.uncounted_down)]).toEqual(slow.session!.uncounted)
          expect(applyPacket(applied.session, packet, fastest), 'the same packet again counts nothing').toMatchObject({
            delta_up: 0,
            delta_down: 0,
          })
          kept = applied.session
        }
      }
    ),
    // The same ones in `npm test`, among which every case comes about, and others each night.
    { numRuns: 5 * numRuns, ...(process.env.MASTHEAD_HISTORIES === undefined && { seed: 1 }) }
  )
  const effects = ['baseline', 'begun', 'begun anew', 'counted', 'duplicate', 'impossible', 'known', 'late', 'rebased', 'reset', 'wrapped']
  if (numRuns < 200) return
  expect([...seen].sort()).toEqual(effects)
  expect([...rows].sort()).toEqual([...rowsOfThePage].sort())
})

/** Every row of edges §3 that one session's packets can fall under. */
const rowsOfThePage = [
  'used again: a start after the close',
  'used again: a lower session time, begun after the kept event time',
  'reading late of an earlier use of the id',
  'a session time that cannot be',
  'a kept session time that cannot be',
  'a start otherwise',
  'untimed: equal',
  'untimed: lower',
  'untimed: more',
  ...['session time', 'event time'].flatMap((by) => [
    `an earlier ${by}`,
    `the same ${by}, equal counters`,
    `the same ${by}, higher counters`,
    `the same ${by}, lower counters`,
  ]),
  'newer, no counter lower',
  'newer, one counter fell over the half',
  'newer, one counter fell while the other rose',
  'newer, a counter lower otherwise',
  ...['a minute', 'the session time moved', 'the time since last seen', 'a day'].map((bound) => `impossible: more than ${bound}`),
  'impossible: a first packet, more than its session time',
  'impossible: a first packet, more than a day',
  'impossible: once more',
  'impossible, and the next one goes on from it',
  ...['open', 'closed by its own stop', 'believed closed before', 'believed closed after'].flatMap((state) =>
    ['interim', 'stop'].map((kind) => `${state}: a newer ${kind}`)
  ),
  'an On of before the kept event time',
  'an On of after the kept event time',
  'unknown: the session begins here',
  'unknown: began before our time',
]

/** As an On, the answer to a cut and a day's silence close it. */
function closed(kept: KeptSession, slow: SlowMeter, by: string, at: number): KeptSession {
  const session = slow.session!
  if (kept.ended_at !== null) return kept
  if (by === 'on') {
    session.restarted(at)
    return kept.updated_at > at ? kept : { ...kept, ended_at: kept.updated_at, end_cause: 'Gateway restarted', live_after: at }
  }
  const last = session.last().at
  if (by === 'cut') {
    session.closed = { at: Math.max(at, last), lives: at + 60_000 }
    return { ...kept, ended_at: Math.max(at, kept.updated_at), end_cause: 'Cut by Masthead', live_after: at + 60_000 }
  }
  session.closed = { at: last, lives: last }
  return { ...kept, ended_at: kept.updated_at, end_cause: 'Lost stop', live_after: kept.updated_at }
}
