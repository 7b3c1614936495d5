import { afterEach, expect, test } from 'vitest'
import type { RequestRecord } from '@masthead/radius/records'
import { openLoad, sendLoad } from './load.ts'
import type { LoadSession } from './load-sessions.ts'
import { openAnswerer } from './test-answerer.ts'

const closing: { close(): void }[] = []
afterEach(() => {
  for (const one of closing.splice(0)) one.close()
})

const sims = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ imsi: `20408${String(i).padStart(10, '0')}`, msisdn: `316${String(i).padStart(8, '0')}` }))

async function setUp(decide?: Parameters<typeof openAnswerer>[1]) {
  const answerer = await openAnswerer('s3cret', decide)
  closing.push(answerer)
  return { answerer, target: answerer.server, secret: 's3cret' }
}

/** The highest counters the server received, by session. */
function highest(received: readonly { record: RequestRecord }[]) {
  const bySession = new Map<string, [number, number]>()
  for (const { record } of received) {
    const [input, output] = bySession.get(record.session_id!) ?? [0, 0]
    bySession.set(record.session_id!, [Math.max(input, record.input_octets ?? 0), Math.max(output, record.output_octets ?? 0)])
  }
  return bySession
}

const acknowledged = (sessions: readonly LoadSession[]) =>
  new Map(sessions.filter(({ known }) => known).map((s) => [s.session_id, [s.acknowledged_input, s.acknowledged_output]]))

test('everything sent is believed, answered, and acknowledged to the byte', async () => {
  const { answerer, ...server } = await setUp()
  const { sessions, ...report } = await sendLoad({ ...server, sims: sims(50), inFlight: 16, count: 2000, mix: { interims: 4 } })
  expect(answerer.faults).toEqual([])
  expect(report).toMatchObject({ sent: 2000, answered: 2000, given_up: 0 })
  expect(answerer.received).toHaveLength(2000 + report.retransmits)
  expect(acknowledged(sessions)).toEqual(highest(answerer.received))
  expect(sessions.every((s) => s.sent_input === s.acknowledged_input && s.sent_output === s.acknowledged_output)).toBe(true)
  for (const sort of ['start', 'interim', 'stop']) expect(answerer.of(sort).length).toBeGreaterThan(200)
  expect(report.latency.p99).toBeGreaterThanOrEqual(report.latency.p50)
})

test('each session is reported in order: a Start, reports whose time and counters rise, a Stop', async () => {
  const { answerer, ...server } = await setUp()
  await sendLoad({ ...server, sims: sims(5), inFlight: 5, count: 500, mix: { interims: 3 } })
  for (const [, received] of Map.groupBy(answerer.received, ({ record }) => record.session_id)) {
    const sorts = received.map(({ record }) => record.status_type).join(' ')
    expect(sorts).toMatch(/^start( interim){0,3}( stop)?$/)
    const times = received.map(({ record }) => record.session_time!)
    expect(times).toEqual(times.map((_, i) => i * 300))
    expect(new Set(received.map(({ record }) => record.imsi)).size).toBe(1)
  }
  expect(answerer.received.every(({ record }) => record.has_gigawords)).toBe(true)
})

test('duplicates are the same octets; reordered reports come newest first', async () => {
  const { answerer, ...server } = await setUp()
  const { sessions, ...report } = await sendLoad({ ...server, sims: sims(20), inFlight: 8, count: 1000, duplicates: 0.2, reordered: 0.3 })
  expect(report.duplicates).toBeGreaterThan(50)
  expect(report.reordered).toBeGreaterThan(50)
  const distinct = new Set(answerer.received.map(({ packet }) => packet.bytes.toString('latin1')))
  expect(answerer.received.length - distinct.size).toBe(report.duplicates + report.retransmits)
  const late = [...Map.groupBy(answerer.received, ({ record }) => record.session_id).values()].flatMap((received) =>
    received.filter(({ record }, i) => i > 0 && record.session_time! < received[i - 1]!.record.session_time!)
  )
  expect(late.length).toBeGreaterThan(50)
  expect(acknowledged(sessions)).toEqual(highest(answerer.received))
})

test('what is lost is sent again, and nothing is lost in the end', async () => {
  const seen = new Set<string>()
  const { answerer, ...server } = await setUp(({ packet }) => {
    const key = packet.bytes.toString('latin1')
    const isFirst = !seen.has(key)
    seen.add(key)
    return isFirst && packet.identifier % 4 === 0 ? 'silence' : {}
  })
  const { sessions, ...report } = await sendLoad({ ...server, sims: sims(20), inFlight: 8, count: 100, retry_after: 20 })
  expect(report.answered).toBe(100)
  expect(report.retransmits).toBeGreaterThan(0)
  expect(acknowledged(sessions)).toEqual(highest(answerer.received))
})

test('when the server falls silent the run ends, and says what is in doubt', async () => {
  // Sent again on a busy machine, a packet is no new one.
  const first = new Map<string, RequestRecord>()
  const { answerer: _, ...server } = await setUp(({ packet, record }) => {
    const octets = packet.bytes.toString('latin1')
    if (first.size >= 300 && !first.has(octets)) return 'silence'
    first.set(octets, record)
    return {}
  })
  const load = await openLoad({ ...server, sims: sims(20), inFlight: 8, retry_after: 250, give_up_after: 1000, mix: { interims: 50 } })
  closing.push(load)
  const report = await load.run({ count: 10_000 })
  expect(report).toMatchObject({ answered: 300, given_up: 8 })
  expect(acknowledged(load.sessions)).toEqual(highest([...first.values()].map((record) => ({ record }))))
  const doubtful = load.sessions.filter((s) => s.sent_input > s.acknowledged_input)
  expect(doubtful.length).toBeGreaterThan(4)
  expect(doubtful.length).toBeLessThanOrEqual(8)
})

test('a wrong reply is no acknowledgement', async () => {
  const { answerer, ...server } = await setUp(() => 'forgery')
  const { sessions, ...report } = await sendLoad({ ...server, sims: sims(4), inFlight: 4, count: 4, retry_after: 50, give_up_after: 100 })
  expect(report).toMatchObject({ answered: 0, given_up: 4 })
  expect(report.strays).toBeGreaterThanOrEqual(4)
  expect(sessions.some(({ known }) => known)).toBe(false)
  expect(answerer.received.length).toBeGreaterThan(0)
})

test('a second run goes on with the sessions of the first', async () => {
  const { answerer, ...server } = await setUp()
  const load = await openLoad({ ...server, sims: sims(300), inFlight: 300 })
  closing.push(load)
  await load.run({ count: 300 })
  expect(answerer.of('start')).toHaveLength(300)
  await load.run({ count: 300 })
  expect(answerer.of('start')).toHaveLength(300)
  expect(new Set(answerer.received.map(({ port }) => port)).size).toBe(2)
  expect(acknowledged(load.sessions)).toEqual(highest(answerer.received))
})

test('a signal ends a run', async () => {
  const { answerer, ...server } = await setUp()
  const controller = new AbortController()
  const load = await openLoad({ ...server, sims: sims(4), inFlight: 2 })
  closing.push(load)
  controller.abort()
  expect(await load.run({ seconds: 3600, signal: controller.signal })).toMatchObject({ sent: 0 })
  expect(answerer.received).toEqual([])
})
