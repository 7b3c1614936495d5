import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'

/** The name of the operator's own account, as the API says it. */
const ownTeam = async (page: Page) => ((await (await page.request.get('/v1/auth/user_info')).json()) as { team_name: string }).team_name

test('a member switches to the team’s account and back', async ({ page, signIn, open, expectAccessible }) => {
  await signIn('operator')
  const own = await ownTeam(page)
  const seen = Promise.withResolvers<void>()
  await page.route('**/v1/auth/switch_account', async (route) => {
    await seen.promise
    await route.continue()
  })
  await open('/activities')
  const selector = page.getByRole('banner').getByRole('button', { name: own })
  await selector.click()
  const choices = page.getByRole('menu', { name: 'Account' }).getByRole('menuitemradio')
  await expect(choices).toHaveText([own, 'Acme Telemetry'])
  await expect(choices.first()).toBeChecked()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Switching Account')).toBeVisible()
  seen.resolve()
  // Where one lands says what one may do on that account (spec §2).
  await expect(page.getByRole('heading', { name: 'You work on the account Acme Telemetry' })).toBeVisible()
  await expect(page).toHaveURL(/#\/teams-redirect$/)
  await expect(page.getByText('Switching Account')).toBeHidden()
  await page.getByRole('link', { name: 'Go to Overview' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Hello' })).toBeVisible()
  await expect(page.getByRole('banner').getByRole('button', { name: 'Acme Telemetry' })).toBeVisible()
  // What the membership does not grant is said, with the way back.
  await page.goto('/#/r/MH-DEMO-1')
  await expect(page.getByRole('heading', { level: 1, name: 'Your team' })).toBeVisible()
  await expect(page.getByText('Register assets')).toBeVisible()
  await expectAccessible()
  await page.getByRole('button', { name: 'Back to your own account' }).click()
  await expect(page.getByRole('heading', { name: 'You work on your own account' })).toBeVisible()
  await expect(selector).toBeVisible()
  expect(((await (await page.request.get('/v1/auth/user_info')).json()) as { acting_as: unknown }).acting_as).toBeNull()
})

test('a switch that fails is logged, and said', async ({ page, signIn, open }) => {
  await signIn('operator')
  const own = await ownTeam(page)
  await page.route('**/v1/auth/switch_account', (route) => route.abort())
  await open('/activities')
  const logged = page.waitForEvent('console', (message) => message.text().includes('Could not switch the account'))
  await page.getByRole('banner').getByRole('button', { name: own }).click()
  await page.getByRole('menuitemradio', { name: 'Acme Telemetry' }).click()
  await logged
  await expect(page.getByText('Switching Account')).toBeHidden()
  await expect(page.getByRole('heading', { level: 1, name: 'Recent Activities' })).toBeVisible()
  await expect(page.getByRole('alert').filter({ hasText: 'The account was not switched' })).toContainText('The server did not answer')
})

test('a switch with unsaved changes asks first: who stays is on the same account, and nothing is lost', async ({ page, signIn, open }) => {
  await signIn('operator')
  const own = await ownTeam(page)
  const actingAs = async () => ((await (await page.request.get('/v1/auth/user_info')).json()) as { acting_as: string | null }).acting_as
  await open('/notifications?tab=preferences')
  const tick = page.getByRole('checkbox', { name: 'E-mail: Warning' })
  await tick.uncheck()
  const change = async () => {
    await page.getByRole('banner').getByRole('button', { name: own }).click()
    await page.getByRole('menuitemradio', { name: 'Acme Telemetry' }).click()
  }
  const question = page.getByRole('dialog', { name: 'Leave without saving?' })
  await change()
  await question.getByRole('button', { name: 'Stay' }).click()
  await expect(question).toBeHidden()
  await expect(tick).not.toBeChecked()
  expect(await actingAs()).toBeNull()
  await change()
  await question.getByRole('button', { name: 'Discard changes' }).click()
  await expect(page.getByRole('heading', { name: 'You work on the account Acme Telemetry' })).toBeVisible()
  await expect(question).toBeHidden()
  expect(await actingAs()).toBe('owner@demo.test')
})
