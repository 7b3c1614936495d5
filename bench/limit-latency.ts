// From the record that crosses a SIM's limit to the Disconnect-Request on the wire, in milliseconds, while 3,000 records a second of other SIMs are
// counted: the whole product, its jobs and roll-ups among it. A packet that says so much was sent when the time begins, so the way to the meter and
// its commit count as well. The gateway confirms each request; at the end every SIM must be blocked, and all sessions cut.
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { encodeReply, encodeRequest } from '@masthead/radius/authenticator'
import { codes, decode } from '@masthead/radius/packet'
import { readRequest } from '@masthead/radius/records'
import { openLoad } from '@masthead/simulator/load'
import { startProduct } from '@masthead/testkit/product'
import { openProductionDatabase } from '@masthead/testkit/production-database'
import { seedSims } from './metering/seed-sims.ts'

const sims = Number(process.env.BENCH_SIMS ?? 20_000)
const crossings = Number(process.env.BENCH_CROSSINGS ?? 300)
const rate = Number(process.env.BENCH_RATE ?? 3000)
const apart = 100 // ms
const limit = 1_000_000 // bytes
const most_p99_ms = 300
const secret = Buffer.from('testing123')

const database = await openProductionDatabase()
const coa = createSocket('udp4').bind(0, '127.0.0.1')
const client = createSocket('udp4').bind(0, '127.0.0.1')
await Promise.all([once(coa, 'listening'), once(client, 'listening')])
const { pool } = database
const known = await seedSims(pool, sims)
const [limited, others] = [known.slice(0, crossings), known.slice(crossings)]
await pool.query(`update gateway_address set coa_port = $1`, [coa.address().port])
await pool.query(
  `insert into usage_limit (account_id, id, sim_id, period, bytes) select i.account_id, 'lim_' || i.sim_id, i.sim_id, 'month', $2
    from sim_imsi i where i.imsi = any($1::text[])`,
  [limited.map(({ imsi }) => imsi), limit]
)
const product = await startProduct({ DATABASE_URL: database.url, MASTHEAD_DEMO: 'off', MASTHEAD_RADIUS_SECRET: secret.toString() })
const load = await openLoad({
  target: { host: '127.0.0.1', acct_port: product.acctPort },
  secret: secret.toString(),
  sims: others,
  inFlight: 512,
})
const stop = new AbortController()
try {
  const asked = new Map<string, number>()
  coa.on('message', (datagram, from) => {
    const at = performance.now()
    const packet = decode(datagram)
    if (typeof packet === 'string') return
    const id = readRequest(packet).session_id!
    if (!asked.has(id)) asked.set(id, at)
    coa.send(encodeReply(packet, codes.disconnect_ack, {}, secret), from.port, from.address)
  })
  const account = (n: number, kind: 'start' | 'interim') => {
    const attributes = {
      acct_status_type: kind === 'start' ? 1 : 3,
      acct_session_id: `limit-${n}`,
      nas_identifier: 'bench',
      imsi: limited[n]!.imsi,
      acct_session_time: kind === 'start' ? 0 : 60,
      acct_input_octets: kind === 'start' ? 0 : limit + 1000,
    }
    client.send(encodeRequest({ code: codes.accounting_request, identifier: n % 256, attributes }, secret), product.acctPort, '127.0.0.1')
  }
  for (let n = 0; n < crossings; n++) {
    account(n, 'start')
    if (n % 50 === 49) await pause(50)
  }
  await load.run({ count: others.length }) // every SIM has a session now
  const running = load.run({ seconds: 3600, rate, signal: stop.signal })
  await pause(3000)
  const answeredBefore = load.answered()
  const began = performance.now()
  const sent: number[] = []
  for (let n = 0; n < crossings; n++) {
    sent.push(performance.now())
    account(n, 'interim')
    await pause(apart)
  }
  for (const until = performance.now() + 10_000; asked.size < crossings && performance.now() < until;) await pause(20)
  const records_per_s = Math.round(((load.answered() - answeredBefore) * 1000) / (performance.now() - began))
  stop.abort()
  await running
  const taken = sent.flatMap((at, n) => (asked.has(`limit-${n}`) ? [asked.get(`limit-${n}`)! - at] : [])).toSorted((a, b) => a - b)
  const at = (share: number) => Math.round(taken[Math.min(taken.length - 1, Math.floor(taken.length * share))]!)
  await pause(1000)
  const { rows } = await pool.query<{ blocked: number; open: number }>(
    `select (select count(*)::int from sim where status = 'blocked') as blocked,
      (select count(*)::int from data_session where acct_session_id like 'limit-%' and ended_at is null) as open`
  )
  const [least_ms, p50_ms, p99_ms, longest_ms] = [at(0), at(0.5), at(0.99), Math.round(taken.at(-1)!)]
  const figure = { figure: 'limit-latency', sims, crossings, records_per_s, asked: asked.size, ...rows[0]! }
  const ok = asked.size === crossings && p99_ms < most_p99_ms
  console.log(JSON.stringify({ ...figure, ok, least_ms, p50_ms, p99_ms, longest_ms, most_p99_ms, ratio: p99_ms / most_p99_ms }))
  process.exitCode = ok ? 0 : 1
} finally {
  stop.abort()
  load.close()
  coa.close()
  client.close()
  await product.stop()
  await database.stop()
}
