import { run, vitest } from '../../tools/run.ts'

// The model tests of teams at full length: 1,000 interleavings, and 1,000 keys sent 20 times at once. A failure prints its seed.

const env = { MASTHEAD_TEAM_HISTORIES: '1000', MASTHEAD_IDEMPOTENCY_KEYS: '1000' }
const { ok, seconds } = await run(
  { ...vitest('apps/server/src/teams/interleavings.test.ts', 'apps/server/src/once-per-key.test.ts'), env },
  true
)
console.log(JSON.stringify({ figure: 'teams', histories: 1000, keys: 1000, seconds: Math.round(seconds), ok }))
process.exitCode = ok ? 0 : 1
