import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })
const kept = (page: Page) => page.evaluate<unknown>(`localStorage.getItem('masthead-backoffice-token')`)

/** Into the backoffice by the API, so that a test begins behind its door. */
async function enter(page: Page) {
  const data = { password: 'masthead-demo', reason: 'A look at the frame' }
  const answer = await page.request.post('/v1/backoffice/access', { data })
  expect(answer.status(), await answer.text()).toBe(200)
  const { token } = (await answer.json()) as { token: string }
  await page.evaluate(`localStorage.setItem('masthead-backoffice-token', ${JSON.stringify(token)})`)
}

test('leaving the backoffice ends its session and resets filters and search', async ({ page, signIn, open }) => {
  await signIn('staff')
  await open('/activities')
  await enter(page)
  const menu = page.getByRole('navigation', { name: 'Main' })
  await expect(menu.getByRole('group', { name: 'Backoffice' })).toBeHidden()
  await page.goto('/#/masa/logs')
  await expect(heading(page, 'Backoffice Audit Logs')).toBeVisible()
  await expect(menu.getByRole('group', { name: 'Backoffice' }).getByRole('link', { name: 'Dashboard' })).toBeVisible()
  // Where the token is got, there is nothing to get: one step back.
  await page.goto('/#/masa/access')
  await expect(page).toHaveURL(/#\/masa\/logs/)
  const ended = page.waitForRequest('**/v1/backoffice/logout')
  await page.goto('/#/assets?type=core&search=x')
  await expect(heading(page, 'Assets')).toBeVisible()
  expect((await ended).headers()['x-backoffice-token']).toBeTruthy()
  await expect(page).toHaveURL(/#\/assets$/)
  expect(await kept(page)).toBeNull()
})

test('a refusal in the backoffice leads to its door, with the way back', async ({ page, signIn, open }) => {
  await signIn('staff')
  await open('/activities')
  await enter(page)
  // Another session of the same person may end this one: here the answer is given in its place.
  await page.route('**/v1/backoffice/*log*', (route) =>
    route.fulfill({ status: 403, json: { code: 'backoffice_token_wrong', title: 'No' } })
  )
  await page.goto('/#/masa/logs')
  await expect(heading(page, 'Backoffice Access')).toBeVisible()
  await expect(page).toHaveURL(/#\/masa\/access\?redirect_url=%2Fmasa%2Flogs/)
  expect(await kept(page)).toBeNull()
})

test('what staff look for and is not there is said so, and leads on', async ({ page, signIn, open }) => {
  await signIn('staff')
  await open('/activities')
  await enter(page)
  await open('/masa/assets/ast_nothing')
  await expect(heading(page, 'Asset not found')).toBeVisible()
  await open('/masa/accounts/nobody@demo.test')
  await expect(heading(page, 'Account not found')).toBeVisible()
  await page.getByRole('link', { name: 'Look for it in the list' }).click()
  await expect(page).toHaveURL(/masa\/accounts\?search=nobody/)
  await expect(page.getByRole('main')).toContainText('Nothing matches')
})
