import { afterEach, describe, expect, test } from 'vitest'
import { standingClock } from './agenda.ts'
import { openNetwork } from './network.ts'
import { NetworkPlan } from './network-plan.ts'
import type { SimPlan } from './network-plan.ts'
import { openAnswerer, until } from './test-answerer.ts'
import type { Received } from './test-answerer.ts'

const start = Date.UTC(2026, 0, 5, 10)
const minute = 60_000
const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const sim = (n: number, rest: Partial<SimPlan> = {}): SimPlan => ({
  imsi: `20408${String(n).padStart(10, '0')}`,
  msisdn: `316${String(n).padStart(8, '0')}`,
  imei: '353490069873319',
  home: '204-08',
  pattern: 'camera',
  route: [{ mccmnc: '204-08', rat: 'EUTRAN' }],
  apn: 'iot.example',
  ...rest,
})

type Verdict = Parameters<typeof openAnswerer>[1]
const interim =
  (seconds: number): Verdict =>
  ({ packet }) =>
    packet.code === 1 ? { attributes: { acct_interim_interval: seconds } } : {}

async function setUp(sims: SimPlan[], { decide = interim(300), ...plan }: { decide?: Verdict } & Partial<NetworkPlan> = {}) {
  const answerer = await openAnswerer('s3cret', decide)
  const clock = standingClock(start)
  const gateways = [
    { name: 'west', address: '127.0.0.2', secret: 's3cret', networks: ['310-410'] },
    { name: 'east', address: '127.0.0.3', secret: 's3cret', networks: ['204-08', '262-01', '208-01'] },
  ]
  const whole = NetworkPlan.parse({ seed: 1, speed: 10, server: answerer.server, gateways, sims, ...plan })
  const network = await openNetwork({ plan: whole, clock })
  closing.push(
    () => network.stop(0),
    () => answerer.close()
  )
  /** Lets real milliseconds pass, everything answered before the next second begins. */
  const pass = async (ms: number) => {
    for (let left = ms; left > 0; left -= 1000) {
      clock.advance(Math.min(left, 1000))
      await until(() => network.stats().in_flight === 0)
    }
  }
  await until(() => network.stats().in_flight === 0)
  return { answerer, clock, network, pass, whole }
}

const told = ({ packet, record }: Received) => [
  packet.code,
  record.status_type,
  record.imsi,
  record.input_octets,
  record.output_octets,
  record.visited_mccmnc,
]

test('gateways say On, SIMs come in and report at the granted interval, sped up', async () => {
  const { answerer, network, pass } = await setUp([sim(1), sim(2)])
  expect(answerer.of('on')).toHaveLength(2)
  await pass(30_000)
  expect(network.stats()).toMatchObject({ sims: 2, online: 2 })
  const before = answerer.of('interim').length
  await pass(300_000) // 300 s, at ten times the speed, are ten intervals
  expect(answerer.of('interim').length - before).toBe(20)
  expect(answerer.faults).toEqual([])
})

test('its totals are exactly what the server received', async () => {
  const { answerer, network, pass } = await setUp([
    sim(1),
    sim(2, { pattern: 'tracker' }),
    sim(3, { pattern: 'router' }),
    sim(4, { pattern: 'runaway' }),
  ])
  await pass(20 * minute)
  await network.stop()
  const highest = new Map<string, { imsi: string; input: number; output: number }>()
  for (const { record } of answerer.received) {
    if (!record.session_id || record.input_octets === null || !record.imsi) continue
    highest.set(record.session_id, { imsi: record.imsi, input: record.input_octets, output: record.output_octets ?? 0 })
  }
  for (const [imsi, { acknowledged }] of network.subscribers) {
    const own = [...highest.values()].filter((session) => session.imsi === imsi)
    expect(acknowledged.input).toBe(own.reduce((sum, { input }) => sum + input, 0))
    expect(acknowledged.output).toBe(own.reduce((sum, { output }) => sum + output, 0))
    expect(acknowledged.input).toBeGreaterThan(0)
  }
})

test('in each session time and counters rise from report to report', async () => {
  const { answerer, pass } = await setUp([sim(1, { pattern: 'tracker' })], { speed: 2000 })
  await pass(2 * minute)
  const bySession = Map.groupBy(answerer.received, ({ record }) => record.session_id)
  for (const [id, received] of bySession) {
    if (id === null || received[0]!.record.status_type === 'on') continue
    const times = received.map(({ record }) => record.session_time!)
    expect(times).toEqual([...new Set(times)].sort((a, b) => a - b))
    const octets = received.map(({ record }) => record.input_octets ?? 0)
    expect(octets).toEqual(octets.toSorted((a, b) => a - b))
  }
  expect(bySession.size).toBeGreaterThan(5)
})

test('the same seed is the same network, another seed another', async () => {
  const story = async (seed: number) => {
    const route = [
      { mccmnc: '204-08', rat: 'EUTRAN' as const },
      { mccmnc: '262-01', rat: 'NR' as const },
    ]
    const { answerer, pass } = await setUp([sim(1, { pattern: 'tracker', route })], { seed, speed: 100 })
    await pass(10 * minute)
    return answerer.received.map(told)
  }
  const [one, same, another] = [await story(1), await story(1), await story(2)]
  expect(one.length).toBeGreaterThan(20)
  expect(same).toEqual(one)
  expect(another).not.toEqual(one)
})

test('a tracker moves on through its route, by the gateway that fronts each network', async () => {
  const route = ['204-08', '310-410', '262-01'].map((mccmnc) => ({ mccmnc, rat: 'EUTRAN' as const }))
  const { answerer, pass } = await setUp([sim(1, { pattern: 'tracker', route })], { speed: 600 })
  await pass(4 * minute) // forty hours
  const visits = answerer.of('start').map(({ record }) => `${record.nas_identifier} ${record.visited_mccmnc}`)
  expect(visits.slice(0, 4)).toEqual(['east 204-08', 'west 310-410', 'east 262-01', 'east 204-08'])
  expect(answerer.of('stop')[0]!.record.terminate_cause).toBe('Lost-Carrier')
})

test('a SIM that names its gateway keeps to it', async () => {
  const { answerer, pass } = await setUp([sim(1, { gateway: 'west' })])
  await pass(10_000)
  expect(answerer.of('start')[0]!.record.nas_identifier).toBe('west')
})

test('meters are there at night only, the silent never', async () => {
  const { answerer, pass } = await setUp([sim(1, { pattern: 'meter' }), sim(2, { pattern: 'silent' })], { speed: 1000 })
  await pass(13 * 3600) // until 23:00
  expect(answerer.of('access')).toHaveLength(0)
  await pass(6 * 3600)
  expect(answerer.of('access').map(({ record }) => record.imsi)).toEqual([sim(1).imsi])
  expect(answerer.of('stop')[0]!.record).toMatchObject({ terminate_cause: 'User-Request' })
})

test('a rejected SIM backs off, ever longer, and comes in once it may', async () => {
  let mayIn = false
  const decide: Verdict = ({ packet }) =>
    packet.code === 1 && !mayIn ? { code: 3, attributes: { reply_message: 'Blocked: data limit' } } : {}
  const { answerer, network, pass } = await setUp([sim(1)], { decide })
  await pass(10 * minute)
  const tries = answerer.of('access').length
  // Minutes 1, 2, 4, … of ten times the speed: about seven in the first ten minutes.
  expect(tries).toBeGreaterThan(4)
  expect(tries).toBeLessThan(10)
  expect(network.subscribers.get(sim(1).imsi)).toMatchObject({ state: 'resting', rejectedWith: 'Blocked: data limit' })
  expect(network.stats().rejected).toBe(1)
  mayIn = true
  await pass(8 * minute)
  expect(network.stats()).toMatchObject({ online: 1, rejected: 0 })
})

test('a session ends when its Session-Timeout is over, and another begins', async () => {
  const decide: Verdict = ({ packet }) => (packet.code === 1 ? { attributes: { session_timeout: 600, acct_interim_interval: 300 } } : {})
  const { answerer, pass } = await setUp([sim(1)], { decide })
  await pass(2 * minute)
  expect(answerer.of('stop')[0]!.record.terminate_cause).toBe('Session-Timeout')
  expect(answerer.of('start').length).toBeGreaterThan(1)
})

describe('stopping', () => {
  test('ends every session, then says Off', async () => {
    const { answerer, network, pass } = await setUp([sim(1), sim(2)])
    await pass(20_000)
    await network.stop()
    expect(answerer.received.slice(-4).map(({ record }) => record.status_type)).toEqual(['stop', 'stop', 'off', 'off'])
    expect(answerer.of('stop')[0]!.record.terminate_cause).toBe('NAS-Reboot')
    await network.stop()
    expect(answerer.of('off')).toHaveLength(2)
  })

  test('announces nothing when it is asked not to', async () => {
    const { answerer, network, pass } = await setUp([sim(1)], { announce: false })
    await pass(20_000)
    await network.stop()
    expect(answerer.of('start')).toHaveLength(1)
    expect([...answerer.of('on'), ...answerer.of('off')]).toEqual([])
  })

  test('a SIM that is let in just then does not come in any more', async () => {
    const { answerer, clock, network } = await setUp([sim(1)], { decide: ({ record }) => (record.status_type === 'off' ? 'silence' : {}) })
    while (network.stats().in_flight === 0) clock.advance(1000)
    const stopped = network.stop(1000)
    await until(() => network.stats().in_flight === 2) // only the two Offs: the SIM has its answer
    clock.advance(1000)
    await stopped
    expect(answerer.of('access')).toHaveLength(1)
    expect(answerer.of('start')).toHaveLength(0)
  })

  test('does not wait for a silent server longer than its grace', async () => {
    let isSilent = false
    const { clock, network, pass } = await setUp([sim(1)], { decide: () => (isSilent ? 'silence' : {}) })
    await pass(20_000)
    isSilent = true
    const stopped = network.stop(3000)
    clock.advance(3000)
    await stopped
    expect(network.stats().in_flight).toBe(0)
  })
})

test('an address that is not ours is refused, and nothing stays open', async () => {
  const plan = NetworkPlan.parse({
    seed: 1,
    server: { host: '127.0.0.1', auth_port: 1, acct_port: 2 },
    gateways: [
      { name: 'ours', address: '127.0.0.2', secret: 'x' },
      { name: 'theirs', address: '192.0.2.1', secret: 'x' },
    ],
    sims: [],
  })
  await expect(openNetwork({ plan })).rejects.toThrow('EADDRNOTAVAIL')
})
