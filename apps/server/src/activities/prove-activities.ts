import { notFound, Problem } from '@masthead/contract/kernel/problem'
import type { App } from '../kernel/app.ts'
import { verifyActivities } from './verify-activities.ts'

type Which = { email?: string; head?: { number: number; hash: string } | null }

/** Checks the chain of every account, or of one, and says the outcome in lines. */
export async function proveActivities(app: Pick<App, 'db'>, { email, head = null }: Which): Promise<{ whole: boolean; lines: string[] }> {
  const accounts = await app.db
    .selectFrom('person')
    .select(['account_id', 'email'])
    .$if(email !== undefined, (people) => people.where('email', '=', email!))
    .orderBy('email')
    .execute()
  if (email !== undefined && accounts.length === 0) throw new Problem(notFound, `Nobody has the e-mail ${email}`)
  const lines: string[] = []
  let whole = true
  for (const account of accounts) {
    const { number, hash, waiting, findings, found } = await verifyActivities(app, account.account_id, { head })
    const chained = `${account.email}: ${number} activities in the chain${waiting ? `, ${waiting} not yet` : ''}`
    if (found === 0) {
      lines.push(`${chained}, all as they were written.${number ? ` Entry ${number}:${hash}` : ''}`)
      continue
    }
    whole = false
    lines.push(
      `${chained}, ${found} not as they were written:`,
      ...findings.map((one) => `  ${[one.number && `entry ${one.number}`, one.event_id].filter(Boolean).join(', ')}: ${one.words}`),
      ...(found > findings.length ? [`  and ${found - findings.length} more`] : [])
    )
  }
  return { whole, lines }
}
