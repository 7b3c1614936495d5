import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { SlowMeter } from './test-slow-meter.ts'
import { putGateway } from '../../gateways/test-gateway.ts'
import { expectConsistent, openMeteredHouse, readingOf, stored } from '../test-network.ts'

// Each takes a database: by day there are fewer.
const histories = Number(process.env.MASTHEAD_HISTORIES ?? 200)
const numRuns = histories < 1000 ? histories / 10 : histories
vi.setConfig({ testTimeout: 36_000_000 })

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

const day = 86_400_000
const step = fc.record({
  meter: fc.nat(1),
  gateway: fc.nat(1),
  session: fc.nat(2),
  kind: fc.constantFrom('start', 'interim', 'interim', 'interim', 'interim', 'stop', 'on'),
  time: fc.integer({ min: 0, max: 6 }).map((n) => n * 60),
  up: fc.oneof({ weight: 9, arbitrary: fc.nat(200) }, { weight: 1, arbitrary: fc.constantFrom(2 ** 45, 2 ** 45 + 9) }),
  later: fc.nat(120_000),
  ago: fc.oneof(
    { weight: 3, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.nat(400_000) },
    { weight: 1, arbitrary: fc.constant(40 * day) }
  ),
})
const fastest = 2.5e8

// Two meters that each remember what the other has changed meanwhile, two gateways with the same names and ids, and a SIM that was registered
// only now, against the tables read slowly in one place. What began before ended sessions were dropped is late where nobody knows it.
test('however two meters share two gateways, sessions are what the tables say', async () => {
  await using house = await openMeteredHouse()
  const other = await house.startMeter()
  const meters = [house.meter, other]
  const second = await putGateway(house.db, { name: 'Second', address: '127.0.0.8' })
  const gateways = [house.gateway_id, second.gateway_id]
  const kept_since = new Date(house.clock.now().getTime() - 35 * day)
  await house.db.updateTable('usage_coverage').set({ sessions_since: kept_since }).execute()
  const seen = new Set<string>()
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 16 }), async (steps) => {
      const sims = await Promise.all([house.newSim(), house.newSim(), house.newSim()])
      const nas = `pgw-${sims[0]!.imsi}`
      let now = house.clock.now().getTime()
      const registered = new Date(now - 60_000)
      await house.db.updateTable('sim').set({ created_at: registered }).where('id', '=', sims[2]!.id).execute()
      const slow = gateways.map(() => sims.map(() => new SlowMeter(fastest)))
      const totals = [0n, 0n, 0n]
      for (const { meter, gateway, session, kind, time, up, later, ago } of steps) {
        now += later
        const at = now - ago
        const about = { nas, gateway_id: gateways[gateway]!, acct_session_id: `s${session}` }
        const said = { event_at: at, received_at: now, kind, session_time: time, counter_up: up, has_gigawords: up > 2 ** 32 }
        expect(await stored(house, readingOf(house, sims[session]!, { ...about, ...said }), meters[meter])).toBe(true)
        if (kind === 'on') {
          for (const each of slow[gateway]!) each.session?.restarted(at)
          continue
        }
        const own = slow[gateway]![session]!
        if (!own.session && at - time * 1000 <= kept_since.getTime()) {
          seen.add('dropped')
          continue
        }
        const elsewhere = slow[1 - gateway]![session]!.session
        if ((!own.session || own.session.closed) && elsewhere && !elsewhere.closed) {
          seen.add('elsewhere')
          continue
        }
        const began = at - time * 1000
        const ours = session !== 2 || began >= Math.floor(registered.getTime() / 1000) * 1000
        const told = { kind, at, timed: true, arrival: now, time, up, down: 0, wide: up > 2 ** 32 } as const
        const { counted, what } = own.receive(told, ours)
        seen.add(what)
        totals[session]! += counted[0]
      }
      for (const [i, sim] of sims.entries()) {
        const rows = (await house.sessionsOf(sim)).filter(({ superseded }) => !superseded)
        for (const [g, gateway_id] of gateways.entries()) {
          const [row, { session }] = [rows.find((each) => each.gateway_id === gateway_id), slow[g]![i]!]
          expect(row?.ended_at?.getTime() ?? null).toBe(session?.closed?.at ?? null)
          expect(row?.live_after?.getTime() ?? null).toBe(session?.closed?.lives ?? null)
          expect(BigInt(row?.uncounted_up ?? 0)).toBe(session?.uncounted[0] ?? 0n)
          expect(row?.odd === null || row === undefined).toBe(session === null || session.odd === null)
        }
        expect(BigInt((await house.counter(sim))?.lifetime_up ?? 0)).toBe(totals[i])
      }
    }),
    { numRuns }
  )
  if (numRuns >= 100)
    for (const what of ['elsewhere', 'dropped', 'baseline', 'begun', 'begun anew', 'counted', 'late', 'reset', 'impossible'])
      expect([...seen]).toContain(what)
  await expectConsistent(house)
  await other.stop()
})
