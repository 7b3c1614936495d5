import { startProduct } from '@masthead/testkit/product'
import { openLoad } from '@masthead/simulator/load'
import { openFleet, tagCount } from '@masthead/testkit/fleet'
import { openListLoad } from './list-load.ts'

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
    sims: fleet.simsOf(100_000),
    inFlight: meterInFlight,
  })
  const cookies = await Promise.all(Array.from({ length: clients }, () => fleet.newCookie()))
  await meter.run({ count: Math.min(assets, 100_000) })
  // Not before: the server closes connections that were idle for as long as that takes.
  const list = await openListLoad({ url: product.url, cookies, assets, tags: tagCount })
  return {
    fleet,
    product,
    meter,
    list,
    /** What was written is cleaned up and on disk: nothing but what is asked of it keeps the database busy. */
    settle: async () => {
      await fleet.pool.query('vacuum analyze')
      await fleet.pool.query('checkpoint')
    },
    stop: async () => {
      meter.close()
      list.close()
      await product.stop()
      await fleet.stop()
    },
  }
}
