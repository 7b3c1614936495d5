// What limits and data pools cost the ingest, in one run: readings counted per second of 100,000 SIMs without them, of as many with a limit each and in 200
// pools, in 100 pools of 1,000, and in one pool of all.
import { interleaved } from './metering/interleaved.ts'
import { putLimitsAndPools, takenOfPools } from './metering/put-pools.ts'

const pools = { off: 0, pools_200: 200, pools_100: 100, pools_1: 1 }

const { rates, ratio, ...figure } = await interleaved(['off', 'pools_200', 'pools_100', 'pools_1'], {
  prepare: async (pool) => {
    for (const [account, count] of Object.values(pools).entries()) if (count > 0) await putLimitsAndPools(pool, account, { pools: count })
  },
  check: async (pool) => {
    const { taken, of_sims } = await takenOfPools(pool)
    return { exact: taken === of_sims }
  },
})
const least_ratio = 0.8
const ratios = { ratio: ratio('pools_200', 'off'), least_ratio, one_pool_over_100: ratio('pools_1', 'pools_100') }
const ok = figure.exact && ratios.ratio >= least_ratio
console.log(JSON.stringify({ figure: 'pool-rate', ok, ...figure, ...rates, ...ratios }))
process.exitCode = ok ? 0 : 1
