import { systemActor, type Tx } from '../kernel/app.ts'
import { createSchedule, requestReport } from '../reports/index.ts'
import { ownerEmail } from './people.ts'

const day = 86_400_000
const any = { tags: [], network_groups: [], recipients: [] }

/**
 * Reports of the demo, asked for as a customer asks for them, and made by whoever makes all of them once the product runs: two schedules that are due, of
 * the week and of the month before, and a list that somebody wanted.
 */
export async function writeDemoReports(tx: Tx, account_id: string, now: Date) {
  const { id: person_id } = await tx.selectFrom('person').select('id').where('email', '=', ownerEmail).executeTakeFirstOrThrow()
  const ownerAt = (daysAgo: number) => ({
    ...systemActor(account_id, new Date(now.getTime() - daysAgo * day)),
    kind: 'member' as const,
    email: ownerEmail,
    person_id,
  })
  const monthly = { ...any, name: 'Costs of the month', kind: 'costs', format: 'csv', every: 'month', hour: 6 } as const
  await createSchedule(tx, ownerAt(64), monthly)
  const weekly = { ...any, name: 'Cold chain, usage of the week', kind: 'usage', format: 'xlsx', every: 'week', hour: 6 } as const
  await createSchedule(tx, ownerAt(15), { ...weekly, tags: ['cold-chain'] })
  await requestReport(tx, ownerAt(0.02), { ...any, kind: 'inventory', format: 'xlsx' })
}
