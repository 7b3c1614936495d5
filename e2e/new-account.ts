import { createHash } from 'node:crypto'
import type { Page } from '@playwright/test'
import { openProductDatabase } from '@masthead/testkit/product-database'
import { expect, leaveConsole } from './fixtures.ts'

type NewAccount = { email: string; password: string; team_name: string }

/**
 * Opens an account of somebody's own and signs them in: what is changed there disturbs no other test. One address may open 30 accounts an
 * hour, which all tests with their second tries come near: its count begins anew.
 */
export async function openAccount(page: Page, data: NewAccount, origin = '') {
  const db = openProductDatabase(process.env.MASTHEAD_E2E_DATABASE_URL!)
  const key = createHash('sha256').update('registration from 127.0.0.1').digest('base64url')
  await db.deleteFrom('attempt').where('key', '=', key).execute()
  await db.destroy()
  await leaveConsole(page)
  const answer = await page.request.post(`${origin}/v1/auth/register`, { data })
  expect(answer.status(), await answer.text()).toBe(200)
  return data.email
}

/** Switches billing on for an account, as staff do. */
export async function switchBillingOn(email: string) {
  const db = openProductDatabase(process.env.MASTHEAD_E2E_DATABASE_URL!)
  const { account_id } = await db.selectFrom('person').select('account_id').where('email', '=', email).executeTakeFirstOrThrow()
  await db
    .insertInto('billing_account')
    .values({ account_id, currency: 'USD', enabled_at: new Date(), enabled_by: 'staff@demo.test' })
    .execute()
  await db.destroy()
}
