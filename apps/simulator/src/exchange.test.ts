import { afterEach, expect, test } from 'vitest'
import { Agenda, standingClock } from './agenda.ts'
import { openExchange } from './exchange.ts'
import { seededRandom } from './random.ts'
import { openAnswerer, until } from './test-answerer.ts'

const closing: { close(): void }[] = []
afterEach(() => {
  for (const one of closing.splice(0)) one.close()
})

async function setUp(decide?: Parameters<typeof openAnswerer>[1]) {
  const answerer = await openAnswerer('s3cret', decide)
  const clock = standingClock(1_760_000_000_000)
  const agenda = new Agenda(clock)
  const random = seededRandom(1)
  const exchange = await openExchange({ address: '127.0.0.1', server: answerer.server, secret: answerer.secret, agenda, random })
  closing.push(exchange, answerer)
  return { answerer, clock, exchange }
}

test('a request is answered by a reply to it', async () => {
  const { answerer, exchange } = await setUp(() => ({ code: 3, attributes: { reply_message: 'no' } }))
  const reply = await exchange.request('auth', { user_name: 'a' })
  expect(reply).toMatchObject({ code: 3 })
  expect(answerer.faults).toEqual([])
  expect(answerer.of('access')[0]!.packet.messageAuthenticatorAt).toBe(22)
})

test('what is not answered is sent again, the same octets, ever more rarely, for half a minute', async () => {
  const { answerer, clock, exchange } = await setUp(() => 'silence')
  const reply = exchange.request('acct', { acct_session_id: 'a' })
  const sent: number[] = []
  for (let second = 0; second <= 30; second += 0.1) {
    while (sent.length < exchange.counts.requests + exchange.counts.retransmits) sent.push(second)
    clock.advance(100)
  }
  expect(await reply).toBeNull()
  // RFC 5080: 2 s, then doubled each time, 10 % more or less.
  const gaps = sent.slice(1).map((at, i) => at - sent[i]!)
  expect([3, 4]).toContain(gaps.length) // the fourth falls just before or after the half minute
  gaps.forEach((gap, i) => {
    expect(gap).toBeGreaterThan(2 * 2 ** i * 0.9 ** (i + 1) - 0.11)
    expect(gap).toBeLessThan(2 * 2 ** i * 1.1 ** (i + 1) + 0.11)
  })
  await until(() => answerer.received.length === sent.length)
  expect(new Set(answerer.received.map(({ packet }) => packet.bytes.toString('hex'))).size).toBe(1)
  expect(exchange.counts).toMatchObject({ requests: 1, retransmits: gaps.length, answered: 0, given_up: 1 })
  expect(exchange.inFlight()).toBe(0)
})

test('a lost request is made good by the next', async () => {
  const { clock, answerer, exchange } = await setUp((_, before) => (before.length < 2 ? 'silence' : {}))
  const reply = exchange.request('acct', { acct_session_id: 'a' })
  await until(() => answerer.received.length === 1)
  clock.advance(2300)
  await until(() => answerer.received.length === 2)
  clock.advance(4700)
  expect(await reply).not.toBeNull()
})

test('a reply signed with another secret is no reply', async () => {
  const { answerer, clock, exchange } = await setUp((_, before) => (before.length === 0 ? 'forgery' : {}))
  const reply = exchange.request('acct', { acct_session_id: 'a' })
  await until(() => exchange.counts.refused_replies === 1)
  expect(exchange.inFlight()).toBe(1)
  clock.advance(2300)
  expect(await reply).not.toBeNull()
  expect(answerer.received).toHaveLength(2)
})

test('more than 256 at once take more source ports, and no identifier twice', async () => {
  const { answerer, exchange } = await setUp(({ record }) => (record.session_id === 'last' ? {} : 'silence'))
  const replies = Array.from({ length: 600 }, (_, i) => exchange.request('acct', { acct_session_id: `${i}` }))
  expect(exchange.inFlight()).toBe(600)
  await exchange.request('acct', { acct_session_id: 'last' })
  await until(() => answerer.received.length === 601)
  const keys = answerer.received.map(({ port, packet }) => `${port} ${packet.identifier}`)
  expect(new Set(keys).size).toBe(601)
  expect(new Set(answerer.received.map(({ port }) => port)).size).toBe(3)
  exchange.close()
  expect(await Promise.all(replies)).toEqual(Array(600).fill(null))
})

test('after closing nothing is asked', async () => {
  const { answerer, exchange } = await setUp()
  exchange.close()
  expect(await exchange.request('acct', {})).toBeNull()
  expect(answerer.received).toEqual([])
})
