import fc from 'fast-check'
import { expect, test } from 'vitest'
import { applyPacket, type KeptSession, type SessionPacket } from './session-rules.ts'

const numRuns = Number(process.env.MASTHEAD_HISTORIES ?? 200)

function totalsOf(packets: readonly SessionPacket[]) {
  let session: KeptSession | null = null
  let [up, down] = [0, 0]
  for (const packet of packets) {
    const before: KeptSession | null = session
    const applied = applyPacket(before, packet, Infinity)
    expect(Math.min(applied.delta_up, applied.delta_down), 'totals never fall').toBeGreaterThanOrEqual(0)
    if (before && applied.effect !== 'begun_anew') {
      expect(applied.session.bytes_up - before.bytes_up).toBe(applied.delta_up)
      expect(applied.session.bytes_down - before.bytes_down).toBe(applied.delta_down)
      if (before.ended_at !== null) expect(applied.session.ended_at, 'stays closed').toBe(before.ended_at)
    }
    expect(applyPacket(applied.session, packet, Infinity), 'the same packet again changes nothing').toMatchObject({
      session: applied.session,
      delta_up: 0,
      delta_down: 0,
    })
    session = applied.session
    up += applied.delta_up
    down += applied.delta_down
  }
  return { up, down }
}

/** What a device really did: seconds passed and bytes moved since the report before. A step stays below 2^31, so that a wrap can be seen. */
const steps = fc.array(
  fc.record({
    seconds: fc.integer({ min: 1, max: 900 }),
    up: fc.integer({ min: 0, max: 2 ** 31 - 1 }),
    down: fc.integer({ min: 0, max: 2 ** 31 - 1 }),
  }),
  {
    minLength: 1,
    maxLength: 12,
  }
)

function reportsOf(moves: readonly { seconds: number; up: number; down: number }[], { wide, timed }: { wide: boolean; timed: boolean }) {
  let [time, up, down] = [0, 0, 0]
  return moves.map((step, i) => {
    time += step.seconds
    up += step.up
    down += step.down
    const shown = (counter: number) => (wide ? counter : counter % 2 ** 32)
    const kind = i === 0 ? 'start' : i === moves.length - 1 ? 'stop' : 'interim'
    const packet: SessionPacket = {
      kind,
      event_at: 1_700_000_000_000 + time * 1000,
      is_timed: true,
      received_at: 1_700_000_000_000 + time * 1000,
      session_time: timed ? time : null,
      counter_up: shown(up),
      counter_down: shown(down),
      has_gigawords: wide,
      end_cause: null,
    }
    return { packet, up, down }
  })
}

test('reports with 64 bits in any order, repeated and lost, come to what was used by the newest that arrived', () => {
  fc.assert(
    fc.property(steps, fc.boolean(), fc.array(fc.nat(), { minLength: 1, maxLength: 40 }), (moves, timed, picks) => {
      const reports = reportsOf(moves, { wide: true, timed }).map((report) => ({
        ...report,
        packet: { ...report.packet, kind: 'interim' as const },
      }))
      const arrived = picks.map((pick) => reports[pick % reports.length]!)
      const newest = arrived.reduce((a, b) => (reports.indexOf(b) > reports.indexOf(a) ? b : a))
      expect(totalsOf(arrived.map(({ packet }) => packet))).toEqual({ up: newest.up, down: newest.down })
    }),
    { numRuns }
  )
})

test('reports with 32 bits, the late ones and repetitions among them, come to what was used', () => {
  fc.assert(
    fc.property(steps, fc.boolean(), fc.array(fc.nat(), { maxLength: 40 }), (moves, timed, picks) => {
      const reports = reportsOf(moves, { wide: false, timed })
      // Each arrives in time once; before each come any that were sent earlier, once more.
      const arrived = reports.flatMap((report, i) => [...picks.slice(i * 3, i * 3 + 3).map((pick) => reports[pick % (i + 1)]!), report])
      const from = reports.length > 1 ? arrived : reports
      const last = reports.at(-1)!
      const first = from[0]!
      expect(totalsOf(from.map(({ packet }) => packet))).toEqual({
        up: last.up - first.up + first.packet.counter_up!,
        down: last.down - first.down + first.packet.counter_down!,
      })
    }),
    { numRuns }
  )
})

/** The table again, as slowly and plainly as it can be said: all accepted reports are kept, and every sum is made anew, in BigInt. */
function slowTotals(packets: readonly SessionPacket[]) {
  const accepted: SessionPacket[] = []
  const timeOf = (packet: SessionPacket) => packet.session_time ?? packet.event_at
  for (const packet of packets) {
    if (packet.kind === 'start' && accepted.length > 0) continue
    const sameMoment = accepted.filter((each) => timeOf(each) === timeOf(packet))
    if (accepted.some((each) => timeOf(each) > timeOf(packet))) continue
    const newest = accepted.at(-1)
    const fell = newest && (packet.counter_up! < newest.counter_up! || packet.counter_down! < newest.counter_down!)
    if (sameMoment.length > 0 && fell) continue
    accepted.push(packet)
  }
  const step = (i: number) => {
    const now = [BigInt(accepted[i]!.counter_up!), BigInt(accepted[i]!.counter_down!)] as const
    if (i === 0) return now
    const before = [BigInt(accepted[i - 1]!.counter_up!), BigInt(accepted[i - 1]!.counter_down!)] as const
    const gigawords = accepted.slice(0, i + 1).some((each) => each.has_gigawords)
    const half = 2n ** 31n
    const moves = [0, 1].map((side) => {
      const [a, b] = [before[side]!, now[side]!]
      if (b >= a) return b - a
      return !gigawords && a % 2n ** 32n >= half && b < half ? b + 2n ** 32n - a : null
    })
    return moves.includes(null) ? now : (moves as [bigint, bigint])
  }
  let [up, down] = [0n, 0n]
  for (let i = 0; i < accepted.length; i++) {
    up += step(i)[0]
    down += step(i)[1]
  }
  return { up: Number(up), down: Number(down) }
}

const counter = fc.oneof(
  fc.integer({ min: 0, max: 3000 }),
  fc.integer({ min: 2 ** 31 - 5, max: 2 ** 31 + 5 }),
  fc.integer({ min: 2 ** 32 - 3000, max: 2 ** 32 - 1 })
)
const anyPacket = fc.record({
  kind: fc.constantFrom('start' as const, 'interim' as const, 'interim' as const, 'interim' as const, 'stop' as const),
  time: fc.integer({ min: 1, max: 30 }),
  counter_up: counter,
  counter_down: counter,
  has_gigawords: fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
})

test('any history at all comes to what the table says, read slowly', () => {
  fc.assert(
    fc.property(fc.array(anyPacket, { minLength: 1, maxLength: 30 }), fc.boolean(), (history, timed) => {
      const packets = history.map(({ time, ...rest }) => ({
        ...rest,
        event_at: 1_700_000_000_000 + time * 1000,
        is_timed: true,
        received_at: 1_700_000_000_000 + time * 1000,
        session_time: timed ? time : null,
        end_cause: null,
      }))
      // A start after a close begins anew; that has rows of its own in the table of cases.
      const closedAt = packets.findIndex((packet) => packet.kind === 'stop')
      const one = packets.filter((packet, i) => packet.kind !== 'start' || closedAt < 0 || i < closedAt)
      if (one.length > 0) expect(totalsOf(one)).toEqual(slowTotals(one))
    }),
    { numRuns }
  )
})
