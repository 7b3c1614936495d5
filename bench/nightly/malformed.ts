// A million malformed RADIUS packets and 200,000 malformed HTTP requests, over ten seeds, against the running product: it lives, answers no
// 5xx, counts a good packet after each seed, and its memory comes back to within 1.5 times what it was. MASTHEAD_SEED repeats a run.
import { createSocket } from 'node:dgram'
import { readFileSync, readdirSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { type Random, seededRandom } from '@masthead/simulator/random'
import { sendLoad } from '@masthead/simulator/load'
import { encodeRequest } from '@masthead/radius/authenticator'
import { codes } from '@masthead/radius/packet'
import { startProduct } from '@masthead/testkit/product'
import { openProductionDatabase } from '@masthead/testkit/production-database'
import { seedSims } from '../metering/seed-sims.ts'

const packets = Number(process.env.BENCH_PACKETS ?? 1_000_000)
const requests = Number(process.env.BENCH_REQUESTS ?? 200_000)
const seeds = Array.from({ length: 10 }, (_, i) => Number(process.env.MASTHEAD_SEED ?? 1) + i)

const bytes = (random: Random, most: number) => Buffer.from(Array.from({ length: random.whole(0, most) }, () => random.whole(0, 255)))
const one = <T>(random: Random, from: readonly T[]) => from[random.whole(0, from.length - 1)]!

/** Noise, or a good request with octets changed, cut off, repeated, or signed with another secret. */
function packetOf(random: Random): Buffer {
  if (random.next() < 0.2) return bytes(random, 300)
  const code = one(random, [codes.access_request, codes.accounting_request])
  const attributes = {
    user_name: bytes(random, 40).toString('latin1'),
    nas_identifier: 'fuzz',
    acct_session_id: String(random.whole(1, 1e6)),
    acct_status_type: random.whole(0, 20),
    acct_input_octets: random.whole(0, 2 ** 32 - 1),
    acct_session_time: random.whole(0, 1e6),
  }
  const secret = Buffer.from(random.next() < 0.3 ? 'another' : 'bench')
  const good = encodeRequest({ code, identifier: random.whole(0, 255), attributes: attributes as never }, secret)
  const kind = random.next()
  if (kind < 0.3) for (let i = random.whole(1, 8); i > 0; i--) good[random.whole(0, good.length - 1)] = random.whole(0, 255)
  else if (kind < 0.5) return good.subarray(0, random.whole(0, good.length))
  else if (kind < 0.6) return Buffer.concat([good, bytes(random, 4000)])
  else if (kind < 0.7) good.writeUInt16BE(random.whole(0, 65_535), 2)
  return good
}

const places = ['assets', 'auth/login', 'auth/user_info', 'tags', 'activities', 'usage/total', 'account', 'openapi.json', 'live', 'nothing']
const parts = ['', '/', '%00', '%zz', '..%2f', 'a'.repeat(3000), '\u{1F4A5}', "'--", '{}', '[]', 'null', '-1', '1e999', '%F0%9F']
function requestOf(random: Random) {
  const path = `/v1/${one(random, places)}${random.next() < 0.5 ? `/${one(random, parts)}` : ''}?${one(random, ['page', 'after', 'sort', 'tag', 'start', 'search'])}=${one(random, parts)}`
  return {
    method: one(random, ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD']),
    path: encodeURI(path).replaceAll('%25', '%'),
    headers: {
      'content-type': one(random, ['application/json', 'text/csv', 'text/plain', 'application/x-www-form-urlencoded', 'nonsense/\u00ff']),
      cookie: `masthead_session=${one(random, ['', 'x', 'a'.repeat(500), '"'])}`,
      'x-api-key': one(random, ['', 'mk_nothing', 'a'.repeat(2000)]),
      'idempotency-key': one(random, ['', 'x', 'a'.repeat(400), '\u00e9']),
    },
    body: one(random, ['', '{', '{"email":', '[]', 'null', '{"email":{"$ne":1}}', '{"__proto__":{}}', 'x'.repeat(5000), '"\\ud800"']),
  }
}

/** PSS of a process and its children, each in bytes. */
function memoryOf(parent: number): number[] {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        return Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${name}/stat`, 'utf8'))![1]) === parent
      } catch {
        return false
      }
    })
  const own = (pid: number | string) => Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))![1]) * 1024
  return [parent, ...children].map(own)
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0)

const database = await openProductionDatabase({ warn: () => {} })
const [sim] = await seedSims(database.pool, 10)
const product = await startProduct({
  DATABASE_URL: database.url,
  MASTHEAD_DEMO: 'off',
  MASTHEAD_RADIUS_SECRET: 'bench',
  MASTHEAD_LOG_LEVEL: 'silent',
})
const agent = new Agent({ keepAlive: true, maxSockets: 32 })
const statuses = new Map<number, number>()
const send = (random: Random) =>
  new Promise<void>((resolve) => {
    const { method, path, headers, body } = requestOf(random)
    const end = (status: number) => {
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      resolve()
    }
    try {
      const asked = request(product.url, { method, path, headers, agent }, (reply) => {
        reply.resume().once('close', () => end(reply.statusCode ?? 0))
      })
      asked.once('error', () => end(0)).end(body)
    } catch {
      end(-1) // this end would not even send it
    }
  })

try {
  const socket = createSocket('udp4')
  /** A part of all packets, then of all requests. */
  async function assail(random: Random, part: number) {
    for (let i = 0; i < packets * part; i++) {
      const port = random.next() < 0.5 ? product.authPort : product.acctPort
      const sent = new Promise((resolve) => socket.send(packetOf(random), port, '127.0.0.1', resolve))
      if (i % 100 === 0) await sent
    }
    for (let i = 0; i < requests * part; i += 32) await Promise.all(Array.from({ length: 32 }, () => send(random)))
  }
  const goodOne = (seed: number) =>
    sendLoad({
      target: { host: '127.0.0.1', acct_port: product.acctPort },
      secret: 'bench',
      sims: [sim!],
      inFlight: 1,
      count: 3,
      seed,
      retry_after: 500,
    })
  // What a process takes until its code is warm is no leak.
  await goodOne(0)
  await assail(seededRandom(0), 0.01)
  await pause(3000)
  const before = memoryOf(product.pid)
  let counted = 0
  for (const seed of seeds) {
    await assail(seededRandom(seed), 1 / seeds.length)
    const { answered } = await goodOne(seed)
    counted += answered === 3 ? 1 : 0
  }
  socket.close()
  await pause(80_000) // an idle process gives back what it no longer needs
  const after = memoryOf(product.pid)
  const failures = [...statuses].filter(([status]) => status >= 500).reduce((sum, [, times]) => sum + times, 0)
  const ok = failures === 0 && counted === seeds.length && sum(after) <= sum(before) * 1.5
  const memory = { before_bytes: before, after_bytes: after, ratio: sum(after) / sum(before), most_ratio: 1.5 }
  console.log(
    JSON.stringify({
      figure: 'malformed',
      seeds,
      packets,
      requests,
      statuses: Object.fromEntries(statuses),
      server_errors: failures,
      memory,
      ok,
    })
  )
  process.exitCode = ok ? 0 : 1
} finally {
  agent.destroy()
  await product.stop()
  await database.stop()
}
