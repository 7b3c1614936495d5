// What a push does to metering: the p99 of BENCH_METER_RATE packets a second (1,000) alone and while a layer of BENCH_LARGE_MB (2,048) is pushed, in turns of
// one run. The layer comes from a process of its own, so that what sends it is not in the times of the packets. The p99 beside a push may be twice that alone.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openLoad, type LoadReport } from '@masthead/simulator/load'
import { startProduct, type RunningProduct } from '@masthead/testkit/product'
import { openProductionDatabase } from '@masthead/testkit/production-database'
import { seedSims } from './metering/seed-sims.ts'
import { putRobot } from './registry/client.ts'
import type { Pushes } from './registry/push-process.ts'

const sims = Number(process.env.BENCH_SIMS ?? 20_000)
const rate = Number(process.env.BENCH_METER_RATE ?? 1000)
const megabytes = Number(process.env.BENCH_LARGE_MB ?? 2048)
const seconds = Number(process.env.BENCH_SECONDS ?? 15)
const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const most = 2 // times the p99 alone

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

type Said = { ms: number } | { failed: string }
const pusher = fork(fileURLToPath(new URL('./registry/push-process.ts', import.meta.url)), {
  execArgv: ['--disable-warning=ExperimentalWarning'],
})
const answer = async () => {
  const [said] = (await once(pusher, 'message')) as [Said]
  if ('failed' in said) throw new Error(said.failed)
  return said.ms
}
const ask = (what: 'push' | 'prepare') => {
  pusher.send(what)
  return answer()
}

const database = await openProductionDatabase({ warn: () => {} })
const dir = mkdtempSync(join(tmpdir(), 'masthead-bench-push-'))
let product: RunningProduct | undefined
try {
  const known = await seedSims(database.pool, sims)
  const { slug, secret } = await putRobot(database.pool)
  product = await startProduct({
    DATABASE_URL: database.url,
    MASTHEAD_DEMO: 'off',
    MASTHEAD_LOG_LEVEL: 'silent',
    MASTHEAD_DATA_DIR: dir,
    MASTHEAD_RADIUS_SECRET: 'bench',
  })
  const authorization = `Basic ${Buffer.from(`bench:${secret}`).toString('base64')}`
  pusher.send({ place: { url: product.url, authorization, name: `${slug}/app` }, megabytes } satisfies Pushes)
  await answer()
  const meter = await openLoad({ target: { host: '127.0.0.1', acct_port: product.acctPort }, secret: 'bench', sims: known, inFlight: 512 })
  try {
    await meter.run({ count: sims }) // each has a session: what is measured is what goes on
    await meter.run({ seconds: Math.min(seconds, 5), rate })
    const turns: { alone: LoadReport; beside: LoadReport; push_ms: number }[] = []
    for (let round = 0; round < rounds; round++) {
      if (round > 0) await ask('prepare')
      await database.pool.query('checkpoint')
      const alone = await meter.run({ seconds, rate })
      const over = new AbortController()
      const counting = meter.run({ seconds: 3600, rate, signal: over.signal })
      const push_ms = await ask('push').finally(() => over.abort())
      turns.push({ alone, beside: await counting, push_ms })
    }
    const of = (pick: (turn: (typeof turns)[number]) => number) => median(turns.map(pick))
    const figures = (which: 'alone' | 'beside') => ({
      rate: of((turn) => turn[which].rate),
      p50: of((turn) => turn[which].latency.p50),
      p99: of((turn) => turn[which].latency.p99),
    })
    const [alone, beside] = [figures('alone'), figures('beside')]
    // Each push is compared with the turn before it.
    const ratios = turns.map((turn) => Number((turn.beside.latency.p99 / turn.alone.latency.p99).toFixed(2)))
    const failed = turns.reduce((sum, turn) => sum + turn.alone.given_up + turn.beside.given_up, 0)
    const ratio = median(ratios)
    const ok = failed === 0 && ratio <= most
    console.log(
      JSON.stringify({
        figure: 'registry-beside-meter',
        asked: rate,
        alone,
        beside,
        failed,
        push: { mb: megabytes, mb_s: Math.round(megabytes / (of((turn) => turn.push_ms) / 1000)) },
        ratios,
        ratio,
        most,
        ok,
      })
    )
    process.exitCode = ok ? 0 : 1
  } finally {
    meter.close()
  }
} finally {
  pusher.kill()
  await product?.stop()
  await database.stop()
  rmSync(dir, { recursive: true, force: true })
}
