// What the meter, the balance, corrections, rollouts and staff use of data pools.
export { getPoolForUpdate } from './change-pool.ts'
export { correctPools, type GivenBack, type Share, takeAgain, usedAt } from './correct-pools.ts'
export { decideTerms } from './decide-terms.ts'
export { judgeWhereTheyAre } from './follow-pools.ts'
export { insertPool } from './open-pool.ts'
export { asPackage, packageColumns } from './packages.ts'
export { getPool, leftInPools } from './pool-queries.ts'
export { takeUsage } from './take-usage.ts'
