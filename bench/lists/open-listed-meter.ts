import { startProduct } from '@masthead/testkit/product'
import { openLoad } from '@masthead/simulator/load'
import { openHttpLoad, type Asks } from './http-load.ts'
import { openFleet } from '@masthead/testkit/fleet'

const tags = 20
const filters = (n: number, assets: number) =>
  [
    'sim_status=inactive',
    `type=${['core', 'picolte', 'alpon_x4'][n % 3]}`,
    `tag=tag_${String((n * 7) % tags).padStart(26, '0')}`,
    `search=${String(100_000_000 + ((n * 7919) % assets)).slice(3)}`,
  ][n % 4]!

/** The whole product over a fleet, with a load for its meter and one for its list. */
export async function openListedMeter(assets: number, { meterInFlight, clients }: { meterInFlight: number; clients: number }) {
  const fleet = await openFleet(assets)
  const product = await startProduct({
    DATABASE_URL: fleet.url,
    MASTHEAD_DEMO: 'off',
    MASTHEAD_LOG_LEVEL: 'silent',
    MASTHEAD_RADIUS_SECRET: 'bench',
  })
  const meter = await openLoad({
    target: { host: '127.0.0.1', acct_port: product.acctPort },
    secret: 'bench',
    // So many have sessions: each has one before anything is measured.
    sims: fleet.sims.slice(0, Math.min(assets, 100_000)),
    inFlight: meterInFlight,
  })
  const list = await openHttpLoad({ url: product.url, clients })
  const cookies = await Promise.all(Array.from({ length: clients }, fleet.newCookie))
  const asks: Asks = (n) => ({ path: `/v1/assets?${filters(n, assets)}`, cookie: cookies[n % clients]! })
  await meter.run({ count: Math.min(assets, 100_000) })
  return {
    fleet,
    product,
    meter,
    list,
    asks,
    stop: async () => {
      meter.close()
      list.close()
      await product.stop()
      await fleet.stop()
    },
  }
}
