import type { Page } from '@playwright/test'
import { askWithPassword } from './fixtures.ts'

/** Into the backoffice as whoever is signed in. The headers are for calls of the test's own. */
export async function enter(page: Page, { password = 'masthead-demo', reason = 'Ticket 5: a test' } = {}) {
  const answer = await askWithPassword(page, '/v1/backoffice/access', { password, reason })
  const { token } = (await answer.json()) as { token: string }
  await page.evaluate(`localStorage.setItem('masthead-backoffice-token', '${token}')`)
  return { 'x-backoffice-token': token }
}
export const table = (page: Page, name: string) => page.getByRole('table', { name })
export const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })
