import fc from 'fast-check'
import { expect, test } from 'vitest'
import { applyPacket, type KeptSession } from './session-rules.ts'
import { openMeteredHouse, readingOf, stored } from '../test-network.ts'

const numRuns = Number(process.env.MASTHEAD_HISTORIES ?? 200) / 10

test('a stop and a new start of the same id in one batch', async () => {
  await using house = await openMeteredHouse()
  const sim = await house.newSim()
  const at = house.clock.now().getTime()
  await stored(house, readingOf(house, sim, { counter_up: 10 }))
  const batch = [
    readingOf(house, sim, { counter_up: 25, session_time: 70 }),
    readingOf(house, sim, { kind: 'stop', counter_up: 30, session_time: 90, event_at: at + 1000 }),
    readingOf(house, sim, { kind: 'start', counter_up: 0, session_time: 0, event_at: at + 2000 }),
    readingOf(house, sim, { counter_up: 5, session_time: 30, event_at: at + 3000 }),
  ]
  expect(await Promise.all(batch.map((reading) => stored(house, reading)))).toEqual([true, true, true, true])
  expect(await house.counter(sim)).toMatchObject({ bytes_up: 35 })
  const sessions = await house.sessionsOf(sim)
  expect(sessions.map(({ bytes_up, superseded }) => [bytes_up, superseded])).toEqual([
    [30, true],
    [5, false],
  ])
})

test('a session id that began anew at another meter: what seems late from memory alone is counted', async () => {
  await using house = await openMeteredHouse()
  const other = await house.startMeter()
  const sim = await house.newSim()
  const at = house.clock.now().getTime()
  const told = (kind: 'start' | 'interim' | 'stop', session_time: number, counter_up: number, later: number) =>
    readingOf(house, sim, { kind, session_time, counter_up, event_at: at + later })
  await stored(house, told('interim', 600, 100, 0))
  await stored(house, told('stop', 660, 110, 60_000), other)
  await stored(house, told('start', 0, 0, 61_000), other)
  await stored(house, told('interim', 30, 5, 91_000))
  expect(await house.counter(sim)).toMatchObject({ bytes_up: 115 })
  await other.stop()
})

test.each([
  ['ack', 'User request', 'Cut by Masthead'],
  [null, 'Admin reset', 'Cut by Masthead'],
  [null, 'User request', 'User request'],
])('after a cut behind the meter’s back that was answered %s, a stop with %s is kept as %s', async (answer, told, kept) => {
  await using house = await openMeteredHouse()
  const sim = await house.newSim()
  await stored(house, readingOf(house, sim))
  const asked = { requested_at: '', answered_at: '', attempts: 1, answer, words: '' }
  await house.db
    .updateTable('data_session')
    .set({ disconnect: JSON.stringify(asked) })
    .execute()
  await stored(house, readingOf(house, sim, { kind: 'stop', session_time: 90, counter_up: 12, end_cause: told }))
  expect(await house.sessionsOf(sim)).toMatchObject([{ end_cause: kept, bytes_up: 12 }])
})

const step = fc.record({
  meter: fc.nat(1),
  session: fc.nat(2),
  kind: fc.constantFrom('start', 'interim', 'interim', 'interim', 'stop', 'on'),
  time: fc.integer({ min: 0, max: 6 }).map((n) => n * 60),
  up: fc.nat(200),
  later: fc.nat(120_000),
})

// Two meters that each remember what the other has changed meanwhile, against the rules alone in one place.
test('however two meters share a gateway, sessions are what the rules say', async () => {
  await using house = await openMeteredHouse()
  const other = await house.startMeter()
  const meters = [house.meter, other]
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
      const sims = await Promise.all([house.newSim(), house.newSim(), house.newSim()])
      const nas = `pgw-${sims[0]!.imsi}`
      const expected = new Map<number, KeptSession>()
      const totals = [0, 0, 0]
      let event_at = house.clock.now().getTime()
      for (const { meter, session, kind, time, up, later } of steps) {
        event_at += later
        const said = {
          nas,
          event_at,
          received_at: event_at,
          kind,
          session_time: time,
          counter_up: up,
          acct_session_id: `s${session}`,
        } as const
        expect(await stored(house, readingOf(house, sims[session]!, said), meters[meter])).toBe(true)
        if (kind === 'on') {
          for (const [id, kept] of expected)
            if (kept.ended_at === null) expected.set(id, { ...kept, ended_at: kept.updated_at, live_after: event_at })
        } else {
          const packet = { ...said, kind, is_timed: true, counter_down: 0, has_gigawords: false, end_cause: null }
          const applied = applyPacket(expected.get(session) ?? null, packet, 2.5e8)
          expected.set(session, applied.session)
          totals[session]! += applied.delta_up
        }
      }
      for (const [id, sim] of sims.entries()) {
        const last = (await house.sessionsOf(sim)).find(({ superseded }) => !superseded)
        const kept = expected.get(id)
        expect(last?.bytes_up).toBe(kept?.bytes_up)
        expect(last?.ended_at?.getTime() ?? null).toBe(kept?.ended_at ?? null)
        expect((await house.counter(sim))?.lifetime_up ?? 0).toBe(totals[id])
      }
    }),
    { numRuns }
  )
  await other.stop()
})
