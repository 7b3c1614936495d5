import type { BatchChanges } from '../batch-changes.ts'
import { type MeterConnection, StaleSessions } from '../meter-connection.ts'
import { counters } from './counters.ts'
import { feeds } from './feeds.ts'
import { inOrder } from './fragment.ts'
import { limits } from './limits.ts'
import { type Answer, type Ask, type Part, composed } from './part.ts'
import { pools } from './pools.ts'
import { rating } from './rating.ts'
import { quarantine } from './quarantine.ts'
import { service } from './service.ts'
import { sessions } from './sessions.ts'
import { sims } from './sims.ts'
import { usage } from './usage.ts'

/**
 * In the order in which they write, and in which what follows is done: what others lock as well is locked in the same order everywhere. That is
 * sessions, counters, what pools used, limits of pools, charges, and then SIMs; many of one kind in the order of their keys. What is in
 * quarantine is written last: who locks it locks the sessions that it is of first.
 */
export const parts: readonly Part[] = [sessions, service, usage, counters, pools, rating, sims, limits, feeds, quarantine]

/** What most batches are, in one round trip. */
const countUsage = composed(
  'count_usage',
  parts.map(({ share }) => share)
)

/** Writes all that a batch changes and commits it. Rejects with `StaleSessions` when a session is no longer what it was taken to be. */
export async function writeBatch(db: MeterConnection, changes: BatchChanges): Promise<void> {
  const gathered = parts.flatMap(({ gather }) => gather?.(changes) ?? [])
  const values = Object.assign({}, ...gathered.map((each) => each.values)) as Ask['values']
  const asks = [...gathered.flatMap(({ before = [] }) => before), { statement: countUsage, values }]
  const begun = db.begin()
  const write = ({ statement, values }: Ask) => db.write<Answer>(begun, statement, inOrder(statement, values))
  const [tx, ...answered] = await Promise.all([begun, ...asks.map(write)])
  const answers = answered.flat()
  if (answers.some(([about]) => about === 'stale')) throw new StaleSessions()
  for (const { after } of parts) await after?.(changes, answers, tx)
  await db.commit()
  changes.committed()
}
