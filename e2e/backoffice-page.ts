import type { Page } from '@playwright/test'
import { expect } from './fixtures.ts'

export const reason = 'Ticket 5: a test'

/** In by the API, so that a screen's test begins at its screen. */
export async function enter(page: Page, why = reason) {
  const answer = await page.request.post('/v1/backoffice/access', { data: { password: 'masthead-demo', reason: why } })
  expect(answer.status(), await answer.text()).toBe(200)
  const { token } = (await answer.json()) as { token: string }
  await page.evaluate(`localStorage.setItem('masthead-backoffice-token', '${token}')`)
  return { 'x-backoffice-token': token }
}
export const table = (page: Page, name: string) => page.getByRole('table', { name })
export const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })
