import { once } from 'node:events'
import { openHttpLoad } from './http-load.ts'

/** Each cookie is a client; `assets` is how many there are to find. */
export type ListLoad = { url: string; cookies: readonly string[]; assets: number; tags: number }
/** `rate` in requests a second; without it as many as are answered. */
export type Run = { seconds: number; rate?: number }

const [{ url, cookies, assets, tags }] = (await once(process, 'message')) as [ListLoad]
const filters = (n: number) =>
  [
    'sim_status=inactive',
    `type=${['core', 'picolte', 'alpon_x4'][n % 3]}`,
    `tag=tag_${String((n * 7) % tags).padStart(26, '0')}`,
    `search=${String(100_000_000 + ((n * 7919) % assets)).slice(3)}`,
  ][n % 4]!

const load = await openHttpLoad({ url, clients: cookies.length })
process.on('message', (run: Run) => {
  void load
    .run({ ...run, asks: (n) => ({ path: `/v1/assets?${filters(n)}`, cookie: cookies[n % cookies.length]! }) })
    .then((report) => process.send!(report))
})
process.on('disconnect', () => process.exit())
process.send!({ ready: true })
