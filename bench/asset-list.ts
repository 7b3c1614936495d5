// The list of an account of a million assets: ten rows and the total, by one filter or a search, 32 clients, the real API with sessions and
// permissions. Beside a plain Fastify handler in a process of its own that runs the session, permission and list SQL on the same database;
// the two take turns, so that whatever else the machine does falls on both. Then the whole account as CSV, while the list is used.
import { startProduct } from '@masthead/testkit/product'
import { measureExport } from './lists/measure-export.ts'
import { cpuOf, processesBelow } from '@masthead/testkit/process-figures'
import { openBareList } from './lists/open-bare-list.ts'
import { openFleet } from '@masthead/testkit/fleet'
import { openHttpLoad, type Asks, type HttpReport } from './lists/http-load.ts'

const assets = Number(process.env.BENCH_ASSETS ?? 1_000_000)
const seconds = Number(process.env.BENCH_SECONDS ?? 3) // of each turn
const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const clients = 32

const pick = (n: number, of: number) => (n * 7919) % of
/** One filter each; a search is for other digits or letters each time. */
const kinds: Record<string, (n: number) => string> = {
  sim_status: () => 'sim_status=inactive',
  type: (n) => `type=${['core', 'picolte', 'alpon_x4'][n % 3]}`,
  tag: (n) => `tag=tag_${String(pick(n, 20)).padStart(26, '0')}`,
  search: (n) => `search=${String(100_000_000 + pick(n, assets)).slice(3)}`,
  search_common: (n) => `search=${['pico', 'alpon', 'axis', 'lte'][n % 4]}`,
}

/** With the processor time of one answer, which other load on the machine hardly changes. */
type Taken = HttpReport & { cpu_ms: { server: number; database: number } }

const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!
const middle = (reports: Taken[]) => ({
  rate: median(reports.map((report) => report.rate)),
  p50: median(reports.map((report) => report.p50)),
  p99: median(reports.map((report) => report.p99)),
  failed: reports.reduce((sum, report) => sum + report.failed, 0),
  cpu_ms: {
    server: rounded(median(reports.map((report) => report.cpu_ms.server))),
    database: rounded(median(reports.map((report) => report.cpu_ms.database))),
  },
})
const rounded = (ratio: number) => Number(ratio.toFixed(3))

const fleet = await openFleet(assets)
const product = await startProduct({ DATABASE_URL: fleet.url, MASTHEAD_DEMO: 'off', MASTHEAD_ROLES: 'api', MASTHEAD_LOG_LEVEL: 'silent' })
const bare = await openBareList(fleet.url)
try {
  const cookies = await Promise.all(Array.from({ length: clients }, () => fleet.newCookie()))
  const asking =
    (path: string, kind: string): Asks =>
    (n) => ({ path: `${path}?${kinds[kind]!(n)}`, cookie: cookies[n % clients]! })
  const ours = { load: await openHttpLoad({ url: product.url, clients }), path: '/v1/assets', pid: product.pid }
  const plain = { load: await openHttpLoad({ url: bare.url, clients }), path: '/list', pid: bare.pid }
  const databaseCpu = () => processesBelow(fleet.databasePid).reduce((sum, { pid }) => sum + cpuOf(pid), 0)
  const chosen = process.env.BENCH_KINDS?.split(',') ?? Object.keys(kinds)
  const taken = Object.fromEntries(chosen.map((kind) => [kind, { ours: [] as Taken[], plain: [] as Taken[] }]))
  for (let round = -1; round < rounds; round++)
    for (const kind of chosen)
      for (const [name, { load, path, pid }] of round % 2 ? Object.entries({ ours, plain }) : Object.entries({ plain, ours })) {
        const before = [cpuOf(pid), databaseCpu()] as const
        const report = await load.run({ asks: asking(path, kind), seconds: round < 0 ? 5 : seconds })
        const cpu_ms = { server: (cpuOf(pid) - before[0]) / report.answered, database: (databaseCpu() - before[1]) / report.answered }
        if (round >= 0) taken[kind]![name as 'ours' | 'plain'].push({ ...report, cpu_ms })
      }
  const figures = Object.fromEntries(
    Object.entries(taken).map(([kind, reports]) => {
      const [of, reference] = [middle(reports.ours), middle(reports.plain)]
      return [
        kind,
        {
          ...of,
          reference,
          ratio: rounded(of.rate / reference.rate),
          p99_ratio: rounded(of.p99 / reference.p99),
          cpu_ratio: rounded((of.cpu_ms.server + of.cpu_ms.database) / (reference.cpu_ms.server + reference.cpu_ms.database)),
        },
      ]
    })
  )
  const all = Object.values(figures)
  console.log(
    JSON.stringify({
      figure: 'asset-list',
      assets,
      load: fleet.load,
      clients,
      ...figures,
      ratio: Math.min(...all.map((each) => each.ratio)),
      least_ratio: 0.7,
      p99_ratio: Math.max(...all.map((each) => each.p99_ratio)),
      most_p99_ratio: 1.5,
    })
  )
  plain.load.close()
  bare.stop()
  if (process.env.BENCH_EXPORT !== 'off') {
    const csv = await measureExport({ product, cookie: cookies[0]!, list: { load: ours.load, asks: asking('/v1/assets', 'type') } })
    console.log(JSON.stringify({ figure: 'asset-export', assets, ...csv, whole: csv.rows === assets }))
  }
  ours.load.close()
} finally {
  bare.stop()
  await product.stop()
  await fleet.stop()
}
