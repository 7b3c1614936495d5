import type { Page } from '@playwright/test'
import { openProductDatabase } from '@masthead/testkit/product-database'
import { openAccount } from './new-account.ts'

/** Signs somebody in who acts on the demo owner's account and is limited to a tag; they leave that team when the test is over. */
export async function actLimited(page: Page, permissions: string[], tag_id: string): Promise<AsyncDisposable> {
  const db = openProductDatabase(process.env.MASTHEAD_E2E_DATABASE_URL!)
  const { account_id } = await db.selectFrom('person').select('account_id').where('email', '=', 'owner@demo.test').executeTakeFirstOrThrow()
  const email = await openAccount(page, {
    email: `${crypto.randomUUID().slice(0, 8)}@example.test`,
    password: 'correct horse battery',
    team_name: 'Limited',
  })
  const { id: person_id } = await db.selectFrom('person').select('id').where('email', '=', email).executeTakeFirstOrThrow()
  await db
    .insertInto('membership')
    .values({ account_id, person_id, permissions, tags: [tag_id] })
    .execute()
  await page.request.post('/v1/auth/switch_account', { data: { team_member_email: 'owner@demo.test' } })
  return {
    [Symbol.asyncDispose]: async () => {
      await db.deleteFrom('membership').where('person_id', '=', person_id).execute()
      await db.destroy()
    },
  }
}
