// A data pool of 100,000 SIMs is used up, in the whole product: how long after the answer to the record that did it an Access-Request of another of its SIMs is
// rejected, and after how long the rows of all its SIMs say so. Of some SIMs a session is open then: each is cut, and proved by a row.
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { encodeReply, encodeRequest } from '@masthead/radius/authenticator'
import { codes, decode, type Packet } from '@masthead/radius/packet'
import { startProduct } from '@masthead/testkit/product'
import { openProductionDatabase } from '@masthead/testkit/production-database'
import { putLimitsAndPools } from './metering/put-pools.ts'
import { seedSims } from './metering/seed-sims.ts'

const sims = Number(process.env.BENCH_SIMS ?? 100_000)
const open = Math.min(sims - 1, Number(process.env.BENCH_OPEN ?? 1000))
const most_rows_ms = 5000
const size = 1_000_000_000
const secret = Buffer.from('testing123')

const database = await openProductionDatabase()
const { pool } = database
const coa = createSocket('udp4').bind(0, '127.0.0.1')
const client = createSocket('udp4').bind(0, '127.0.0.1')
await Promise.all([once(coa, 'listening'), once(client, 'listening')])
const known = await seedSims(pool, sims, { accounts: 1 })
await putLimitsAndPools(pool, 0, { pools: 1, size, limit: null })
await pool.query(`update gateway_address set coa_port = $1`, [coa.address().port])
const product = await startProduct({ DATABASE_URL: database.url, MASTHEAD_DEMO: 'off', MASTHEAD_RADIUS_SECRET: secret.toString() })
try {
  coa.on('message', (datagram, from) => {
    const packet = decode(datagram)
    if (typeof packet !== 'string') coa.send(encodeReply(packet, codes.disconnect_ack, {}, secret), from.port, from.address)
  })
  let identifier = 0
  const ask = async (code: typeof codes.access_request | typeof codes.accounting_request, attributes: Record<string, string | number>) => {
    const own = (identifier = (identifier + 1) % 256)
    const port = code === codes.access_request ? product.authPort : product.acctPort
    client.send(encodeRequest({ code, identifier: own, attributes, message_authenticator: true }, secret), port, '127.0.0.1')
    for (;;) {
      const [datagram] = (await once(client, 'message', { signal: AbortSignal.timeout(30_000) })) as [Buffer]
      const reply = decode(datagram) as Packet
      if (reply.identifier === own) return reply.code
    }
  }
  const report = (n: number, acct_session_time: number, acct_input_octets: number) =>
    ask(codes.accounting_request, {
      acct_status_type: 3,
      acct_session_id: `stop-${n}`,
      nas_identifier: 'bench',
      imsi: known[n]!.imsi,
      acct_session_time,
      acct_input_octets,
    })
  for (let n = 0; n < open; n++) await report(n, 60, 1000)
  const before = await ask(codes.access_request, { imsi: known[sims - 1]!.imsi })
  await report(0, 120, size)
  const began = performance.now()
  const after = await ask(codes.access_request, { imsi: known[sims - 1]!.imsi })
  const rejected_ms = performance.now() - began
  /** Seldom, and never at the rows themselves: to read 100,000 takes a part of what is measured. */
  const until = async (what: string) => {
    while ((await pool.query(`select 1 from ${what} limit 1`)).rowCount !== 0 && performance.now() - began < 120_000) await pause(200)
    return Math.round(performance.now() - began)
  }
  const rows_ms = await until(`asset_count where sim_status <> 'blocked' and count > 0`)
  const cut_ms = await until('data_session where ended_at is null')
  const { rows } = await pool.query<{ n: number }>(
    `select count(*)::int as n from enforcement where pool_id is not null and cut_at is not null`
  )
  const proved = rows[0]!.n
  const [accepted_before, rejected_at_once] = [before === codes.access_accept, after === codes.access_reject]
  const ok = accepted_before && rejected_at_once && proved === open && rows_ms <= most_rows_ms
  console.log(
    JSON.stringify({
      figure: 'pool-stop',
      ok,
      sims,
      open,
      accepted_before,
      rejected_at_once,
      rejected_ms: Math.round(rejected_ms),
      rows_ms,
      cut_ms,
      proved,
      most_rows_ms,
      ratio: rows_ms / most_rows_ms,
    })
  )
  process.exitCode = ok ? 0 : 1
} finally {
  coa.close()
  client.close()
  await product.stop()
  await database.stop()
}
