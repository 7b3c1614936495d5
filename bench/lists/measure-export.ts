import { get } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { RunningProduct } from '@masthead/testkit/product'
import type { Asks, openHttpLoad } from './http-load.ts'
import { residentMemory } from '@masthead/testkit/process-figures'

type Options = {
  product: RunningProduct
  cookie: string
  list: { load: Awaited<ReturnType<typeof openHttpLoad>>; asks: Asks }
}

/** The whole account as CSV while the list is asked for 50 times a second: rows, seconds, and how far the server's memory rose, in MB. */
export async function measureExport({ product, cookie, list }: Options) {
  const rate = 50
  const atRest = await list.load.run({ asks: list.asks, seconds: 5, rate })
  const before = residentMemory(product.pid)
  let most = before
  const look = setInterval(() => (most = Math.max(most, residentMemory(product.pid))), 100)
  const over = new AbortController()
  const meanwhile = list.load.run({ asks: list.asks, seconds: 3600, rate, signal: over.signal })
  const begun = performance.now()
  const { lines, bytes } = await download(`${product.url}/v1/assets.csv`, cookie)
  const seconds = (performance.now() - begun) / 1000
  await pause(200)
  over.abort()
  const used = await meanwhile
  clearInterval(look)
  return {
    rows: lines - 1,
    mb: Math.round(bytes / 1e6),
    seconds: Number(seconds.toFixed(1)),
    rows_per_s: Math.round(lines / seconds),
    memory_mb: { before: Math.round(before), most: Math.round(most), rose: Math.round(most - before) },
    list: { rate: used.rate, p99: used.p99, p99_at_rest: atRest.p99, failed: used.failed },
  }
}

const download = (url: string, cookie: string) =>
  new Promise<{ lines: number; bytes: number }>((resolve, reject) => {
    get(url, { headers: { cookie } }, (reply) => {
      if (reply.statusCode !== 200) return reject(new Error(`The export answered ${reply.statusCode}`))
      let [lines, bytes] = [0, 0]
      reply.on('data', (piece: Buffer) => {
        bytes += piece.length
        for (let at = piece.indexOf(10); at >= 0; at = piece.indexOf(10, at + 1)) lines++
      })
      reply.on('end', () => resolve({ lines, bytes }))
      reply.on('error', reject)
    }).on('error', reject)
  })
