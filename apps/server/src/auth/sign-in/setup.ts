import type { getSetup as setupOperation } from '@masthead/contract/auth/sign-in-operations'
import type { Reply } from '@masthead/contract/kernel/operation'
import type { App } from '../../kernel/app.ts'
import { demoPassword, demoPeople } from './demo-people.ts'
import { isFirstRun } from './register.ts'

/** What the sign-in page shows before anybody is signed in. */
export async function getSetup({ db, config }: App): Promise<Reply<typeof setupOperation>> {
  return {
    first_run: await isFirstRun(db),
    registration: config.registration,
    demo: config.demo ? await findDemo(db) : null,
  }
}

/** The demo's people who are there: it may still be filling. */
async function findDemo(db: App['db']) {
  const emails = demoPeople.map(({ email }) => email)
  const rows = await db.selectFrom('person').select('email').where('email', 'in', emails).execute()
  const there = new Set(rows.map(({ email }) => email))
  const people = demoPeople.filter(({ email }) => there.has(email))
  return people.length ? { password: demoPassword, people } : null
}
