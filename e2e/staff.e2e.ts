import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'

const password = 'a long way round the harbour'

async function enter(page: Page, secret: string): Promise<Record<string, string>> {
  const answer = await page.request.post('/v1/backoffice/access', { data: { password: secret, reason: 'Ticket 6: a test' } })
  expect(answer.status(), await answer.text()).toBe(200)
  const { token } = (await answer.json()) as { token: string }
  await page.evaluate(`localStorage.setItem('masthead-backoffice-token', '${token}')`)
  return { 'x-backoffice-token': token }
}

test('who manages staff, and who may only say why not', async ({ page, signIn, open, expectAccessible }) => {
  const email = `clerk-${Date.now()}@example.test`
  expect((await page.request.post('/v1/auth/register', { data: { email, password, team_name: 'Second line' } })).status()).toBe(200)
  await signIn('staff')
  await enter(page, 'masthead-demo')
  await open(`/masa/accounts/${email}`)
  await page.getByRole('button', { name: 'Change', exact: true }).click()
  const form = page.getByRole('dialog', { name: `What may ${email} do as staff?` })
  await form.getByRole('button', { name: /Permissions/ }).click()
  await form.getByRole('option', { name: 'Use the backoffice' }).click()
  await page.keyboard.press('Escape')
  await form.getByRole('textbox', { name: 'Reason' }).fill('Joins the second line')
  await expectAccessible()
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form).toBeHidden()
  await expect(page.getByRole('main')).toContainText('Use the backoffice')

  // The clerk is staff now, and manages nobody.
  expect((await page.request.post('/v1/auth/login', { data: { email, password } })).status()).toBe(200)
  await enter(page, password)
  await page.reload()
  for (const [who, words] of [
    ['staff@demo.test', 'staff@demo.test is staff: for this you need the permission “Manage staff”'],
    ['owner@demo.test', null],
  ] as const) {
    await open(`/masa/accounts/${who}`)
    for (const name of ['View as customer', 'Suspend']) {
      const button = page.getByRole('button', { name, exact: true })
      if (words === null) await expect(button).toBeEnabled()
      else await expect(button).toHaveAccessibleDescription(words)
    }
    await expect(page.getByRole('button', { name: 'Change', exact: true })).toHaveAccessibleDescription(
      /need the permission “Manage staff”/
    )
  }
  await expectAccessible()
  // Nor do they confirm the address of somebody who is staff.
  const colleague = `colleague-${Date.now()}@example.test`
  const opened = await page.request.post('/v1/auth/register', { data: { email: colleague, password, team_name: 'Third line' } })
  expect(opened.status()).toBe(200)
  await signIn('staff')
  const headers = await enter(page, 'masthead-demo')
  const data = { permissions: ['backoffice'], reason: 'Joins the third line' }
  expect((await page.request.patch(`/v1/backoffice/accounts/${colleague}/staff`, { headers, data })).status()).toBe(200)
  expect((await page.request.post('/v1/auth/login', { data: { email, password } })).status()).toBe(200)
  await enter(page, password)
  await page.reload()
  await open(`/masa/accounts/${colleague}`)
  await expect(page.getByRole('button', { name: 'Confirm', exact: true })).toHaveAccessibleDescription(
    `${colleague} is staff: for this you need the permission “Manage staff”`
  )
})

test('a member reads of what they may, and is told so', async ({ page, signIn, open, expectAccessible }) => {
  await signIn('operator')
  const acting = await page.request.post('/v1/auth/switch_account', { data: { team_member_email: 'owner@demo.test' } })
  expect(acting.ok(), await acting.text()).toBe(true)
  await page.reload()
  await open('/activities')
  await expect(page.getByText('You see what you did yourself, and activities of assets, notifications, and tags.')).toBeVisible()
  await expect(page.getByRole('listitem').filter({ hasText: 'Renamed' }).first()).toBeVisible()
  await expect(page.getByRole('listitem').filter({ hasText: 'to the team' })).toHaveCount(0)
  await expectAccessible()
  await page.getByRole('link', { name: 'Why not everything?' }).click()
  await expect(page.getByText('Activities are read like the screens they are about')).toBeVisible()
})
