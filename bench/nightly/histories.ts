import { run, vitest } from '../../tools/run.ts'

// The model tests at full length: 50,000 histories of one session against the tables read slowly, 10,000 of devices that really used
// something, 10,000 of two meters with two gateways on a database, 10,000 of limits, data pools, raises, groups and corrections, 2,500 of corrections
// with all totals, roll-ups and rebuilds, 10,000 of usage that is charged, 10,000 of auto-refills, and 10,000 in which usage, payments, fees and months
// meet; and 10,000 each of what an agent does with containers and with the network of its device, killed between any two steps, and of rollouts. A failure prints its seed.

const histories = process.env.BENCH_HISTORIES ?? '10000'
const tests = vitest(
  'apps/server/src/metering/sessions',
  'apps/server/src/backoffice/corrections/corrections-model.test.ts',
  'apps/server/src/billing/rating/rating-model.test.ts',
  'apps/server/src/billing/refill/refill-model.test.ts',
  'apps/server/src/billing/money-model.test.ts',
  'packages/contract/src/devices/agent/plan.test.ts',
  'packages/contract/src/devices/network/plan.test.ts',
  'packages/contract/src/alpon-fleets/plan-rollout.test.ts'
)
const { ok, seconds } = await run({ ...tests, env: { MASTHEAD_HISTORIES: histories } }, true)
console.log(JSON.stringify({ figure: 'histories', histories: Number(histories), seconds: Math.round(seconds), ok }))
process.exitCode = ok ? 0 : 1
