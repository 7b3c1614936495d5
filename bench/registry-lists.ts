// What the screens of a large registry ask for: BENCH_TAGS tags in one repository (10,000), 500 images in it without a tag, BENCH_REPOSITORIES repositories
// beside it (1,000), and a thousand devices that run images of it. Each call twenty times; its median, beside the 100 ms that it is to stay under.
import { openProductionDatabase } from '@masthead/testkit/production-database'
import { startProduct } from '@masthead/testkit/product'
import { client } from './devices/client.ts'
import { putAccount } from './devices/put-account.ts'
import { putContainers, putImages } from './registry/put-images.ts'

const tags = Number(process.env.BENCH_TAGS ?? 10_000)
const repositories = Number(process.env.BENCH_REPOSITORIES ?? 1000)
const rounds = 20
const limit_ms = 100

const large = 'registry/repositories/rpo_0'
const orders = ['tags', 'size_bytes', 'pulls_30_days', 'devices', 'pushed_at', 'pulled_at']
const sorts = ['-pushed_at', 'pushed_at', 'name', '-name', '-size_bytes', '-security', '-pulled_at', '-pulls']
const names = Array.from({ length: 10 }, (_, n) => `build-${n * 7 + 1}`)
const rule = { keep_newest: 100, keep_days: null, keep_like: [], untagged_days: 30 }

const database = await openProductionDatabase({ warn: () => {} })
try {
  const { pool } = database
  const { account_id, cookie, assets } = await putAccount(pool, { name: 'bench', assets: 1000 })
  await putImages(pool, account_id, { tags, untagged: 500, repositories })
  const product = await startProduct({
    DATABASE_URL: database.url,
    MASTHEAD_DEMO: 'off',
    MASTHEAD_ROLES: 'api',
    MASTHEAD_LOG_LEVEL: 'silent',
  })
  try {
    await putContainers(pool, account_id, assets)
    const call = client(() => product.url, cookie)
    const get = (path: string) => () => call<{ next?: string | null }>('GET', path)
    const far = await call<{ next: string }>('GET', `${large}/tags?page_size=100&page=50`)
    const image = await call<{ items: { digest: string }[] }>('GET', `${large}/tags?page_size=1`)
    const [{ digest } = { digest: '' }] = image.items
    const calls: Record<string, () => Promise<unknown>> = {
      registry: get('registry'),
      repositories: get('registry/repositories?page_size=100'),
      ...Object.fromEntries(orders.map((sort) => [`repositories -${sort}`, get(`registry/repositories?page_size=100&sort=-${sort}`)])),
      repositories_search: get('registry/repositories?search=part-99'),
      repository: get(large),
      ...Object.fromEntries(sorts.map((sort) => [`tags ${sort}`, get(`${large}/tags?sort=${sort}`)])),
      tags_100: get(`${large}/tags?page_size=100`),
      tags_far: get(`${large}/tags?page_size=100&after=${far.next}`),
      tags_page_900: get(`${large}/tags?page=900`),
      tags_search: get(`${large}/tags?search=build-99`),
      image: get(`${large}/images/${digest}`),
      image_devices: get(`${large}/images/${digest}/devices`),
      repository_devices: get(`${large}/devices`),
      untagged: get(`${large}/untagged`),
      removal_of_10: () => call('POST', `${large}/tags/removal/preview`, { names }),
      removal_of_all: () => call('POST', `${large}/tags/removal/preview`, { search: '' }),
      retention: get('registry/retention'),
      retention_of_one: () => call('POST', 'registry/retention/preview', { repository: 'bench/large', rule }),
      retention_of_all: () => call('POST', 'registry/retention/preview', { repository: null, rule }),
    }
    const took: Record<string, number> = {}
    for (const [name, ask] of Object.entries(calls)) {
      const times: number[] = []
      for (let n = 0; n < rounds; n++) {
        const begun = performance.now()
        await ask()
        times.push(performance.now() - begun)
        // What takes seconds is clear after a few.
        if (n >= 2 && times[n]! > 2000) break
      }
      took[name] = Math.round(times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]! * 10) / 10
    }
    const [slowest, ms] = Object.entries(took).toSorted(([, a], [, b]) => b - a)[0]!
    const over = Object.entries(took).filter(([, each]) => each > limit_ms)
    console.log(
      JSON.stringify({
        figure: 'registry-lists',
        tags,
        repositories,
        limit_ms,
        slowest,
        ratio: Number((ms / limit_ms).toFixed(2)),
        over: Object.fromEntries(over),
        took,
      })
    )
    process.exitCode = over.length > 0 ? 1 : 0
  } finally {
    await product.stop()
  }
} finally {
  await database.stop()
}
