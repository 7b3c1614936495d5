import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { applyPacket, type KeptSession, type SessionPacket } from './session-rules.ts'

// Devices that really used something, and what arrives of their reports: the sums must be what was used, whatever the rules are.

const numRuns = Number(process.env.MASTHEAD_HISTORIES ?? 200)
vi.setConfig({ testTimeout: 600_000 })

function totalsOf(packets: readonly SessionPacket[], fastest = Infinity) {
  let session: KeptSession | null = null
  let [up, down] = [0, 0]
  for (const packet of packets) {
    const before: KeptSession | null = session
    const applied = applyPacket(before, packet, fastest)
    expect(Math.min(applied.delta_up, applied.delta_down), 'totals never fall').toBeGreaterThanOrEqual(0)
    if (before && applied.effect !== 'begun_anew' && applied.effect !== 'impossible') {
      expect(applied.session.bytes_up - before.bytes_up).toBe(applied.delta_up)
      expect(applied.session.bytes_down - before.bytes_down).toBe(applied.delta_down)
      if (before.ended_at !== null) expect(applied.session.ended_at, 'stays closed').toBe(before.ended_at)
    }
    expect(applyPacket(applied.session, packet, fastest), 'the same packet again changes nothing').toMatchObject({
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

/** What a device really did: seconds passed and bytes moved since the report before. Of 32 bits one way goes round in a step at most. */
const step = fc.record({
  seconds: fc.integer({ min: 1, max: 900 }),
  up: fc.integer({ min: 1, max: 10_000_000 }),
  down: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
})
const steps = fc.array(step, { minLength: 1, maxLength: 12 })

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

test('garbled counters among good ones, whatever they say: what was really used counts once', () => {
  const garbled = fc.array(fc.option(fc.integer({ min: 2 ** 46, max: 2 ** 53 - 1 })), { minLength: 12, maxLength: 12 })
  fc.assert(
    fc.property(steps, garbled, (moves, wrong) => {
      const slow = moves.map(({ seconds, up, down }) => ({ seconds, up, down: down % (seconds * 1000) }))
      const reports = reportsOf(slow, { wide: true, timed: true })
      // Each stands for a good one. Two in a row may go on from each other, so that nobody could tell; and the last one is good.
      const isGarbled = (i: number): boolean => i > 0 && i < reports.length - 1 && wrong[i] !== null && !isGarbled(i - 1)
      const arrived = reports.map(({ packet }, i) => (isGarbled(i) ? { ...packet, counter_down: wrong[i]! } : packet))
      const { up, down } = reports.at(-1)!
      expect(totalsOf(arrived, 2.5e8)).toEqual({ up, down })
    }),
    { numRuns }
  )
})

test('a gateway that restarts without a word and gives the same id again and again: each session counts, what comes late does not', () => {
  const life = fc.record({ moves: steps, lost: fc.boolean(), late: fc.array(fc.nat(), { maxLength: 3 }) })
  fc.assert(
    fc.property(fc.array(life, { minLength: 1, maxLength: 4 }), fc.boolean(), (lives, wide) => {
      const arrived: SessionPacket[] = []
      const used = { up: 0, down: 0 }
      let [from, before] = [0, [] as SessionPacket[]]
      for (const { moves, lost, late } of lives) {
        const sent = reportsOf([{ seconds: 0, up: 0, down: 0 }, ...moves], { wide, timed: true })
        const packets = sent.map(({ packet }, i) => {
          const at = packet.event_at + from * 1000
          return { ...packet, kind: i === 0 ? ('start' as const) : ('interim' as const), event_at: at, received_at: at }
        })
        // A first report that lasts no less than the session before is taken for one of it: there the table ends.
        const [start, first] = packets
        const isLost = lost && first!.session_time! < (before.at(-1)?.session_time ?? 0) && first!.counter_down! === sent[1]!.down
        const told = isLost ? packets.slice(1) : packets
        const overdue = before.length > 0 ? late.map((pick) => before[pick % before.length]!) : []
        arrived.push(isLost ? first! : start!, ...overdue, ...told.slice(1))
        used.up += sent.at(-1)!.up
        used.down += sent.at(-1)!.down
        from += sent.at(-1)!.packet.session_time! + 5
        before = told
      }
      expect(totalsOf(arrived)).toEqual(used)
    }),
    { numRuns }
  )
})
