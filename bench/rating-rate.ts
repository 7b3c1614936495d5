// What rating costs the ingest, in one run: readings counted per second of SIMs whose account pays by no tariff, and of as many that pay for every byte.
import { interleaved } from './metering/interleaved.ts'
import { chargedInAll, putTariff } from './metering/put-tariff.ts'

const least_ratio = 0.75

const { rates, ratio, ...figure } = await interleaved(['off', 'rated'], {
  prepare: (pool) => putTariff(pool, 1),
  check: async (pool) => {
    const { bytes, used } = await chargedInAll(pool, 1)
    return { exact: bytes === used }
  },
})
const rated = ratio('rated', 'off')
const ok = figure.exact && rated >= least_ratio
console.log(JSON.stringify({ figure: 'rating-rate', ok, ...figure, ...rates, ratio: rated, least_ratio }))
process.exitCode = ok ? 0 : 1
