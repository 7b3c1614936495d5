import type { Page } from '@playwright/test'
import { enter } from './backoffice-page.ts'
import { expect, signInAs, test } from './fixtures.ts'
import { openAccount } from './new-account.ts'

const password = 'a long way round the harbour'

/** Somebody who may use the backoffice and no more. */
async function openClerk(page: Page, signIn: (who: 'staff') => Promise<void>) {
  const email = await openAccount(page, { email: `${crypto.randomUUID()}@example.test`, password, team_name: 'Second line' })
  await signIn('staff')
  const headers = await enter(page)
  const data = { permissions: ['backoffice'], reason: 'Joins the second line' }
  const answer = await page.request.patch(`/v1/backoffice/accounts/${email}/staff`, { headers, data })
  expect(answer.ok(), await answer.text()).toBe(true)
  return email
}

test('an account is made staff', async ({ page, signIn, open, expectAccessible }) => {
  const email = `clerk-${Date.now()}@example.test`
  await openAccount(page, { email, password, team_name: 'Second line' })
  await signIn('staff')
  await enter(page)
  await open(`/masa/accounts/${email}`)
  await page.getByRole('button', { name: 'Change: Staff permissions' }).click()
  const form = page.getByRole('dialog', { name: `Staff permissions of ${email}` })
  await form.getByRole('button', { name: /Permissions/ }).click()
  await form.getByRole('option', { name: 'Use the backoffice' }).click()
  await page.keyboard.press('Escape')
  await form.getByRole('textbox', { name: 'Reason' }).fill('Joins the second line')
  await expectAccessible()
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form).toBeHidden()
  await expect(page.getByRole('main')).toContainText('Use the backoffice')
})

test('who manages no staff is shown so, at accounts of staff', async ({ page, signIn, open, expectAccessible }) => {
  const clerk = await openClerk(page, signIn)
  await signInAs(page, clerk, password)
  await enter(page, { password })
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
    await expect(page.getByRole('button', { name: 'Change: Staff permissions' })).toHaveAccessibleDescription(
      /need the permission “Manage staff”/
    )
  }
  await expectAccessible()
})

test('nor do they confirm the address of somebody who is staff', async ({ page, signIn, open }) => {
  const clerk = await openClerk(page, signIn)
  const colleague = await openClerk(page, signIn)
  await signInAs(page, clerk, password)
  await enter(page, { password })
  await open(`/masa/accounts/${colleague}`)
  await expect(page.getByRole('button', { name: 'Confirm', exact: true })).toHaveAccessibleDescription(
    `${colleague} is staff: for this you need the permission “Manage staff”`
  )
})

test('a member reads of what they may, and is shown so', async ({ page, signIn, open, expectAccessible }) => {
  await signIn('operator')
  const acting = await page.request.post('/v1/auth/switch_account', { data: { team_member_email: 'owner@demo.test' } })
  expect(acting.ok(), await acting.text()).toBe(true)
  await open('/activities')
  await expect(page.getByText(/and activities of assets, data pools, .+, and .+\./)).toBeVisible()
  await expect(page.getByRole('main').getByRole('listitem').first()).toBeVisible()
  await expect(page.getByRole('listitem').filter({ hasText: 'to the team' })).toHaveCount(0)
  await expectAccessible()
  await open('/activities?category=team')
  await expect(page.getByText('No activity matches these filters.')).toBeVisible()
  await open('/activities?category=assets')
  await expect(page.getByRole('main').getByRole('listitem').first()).toBeVisible()
  await page.getByRole('link', { name: 'Why not everything?' }).click()
  await expect(page.getByText('Activities need the permission of the screens they are about')).toBeVisible()
})

test('the storage of an account in the container registry is set', async ({ page, signIn, open, expectAccessible }) => {
  const email = `roomy-${Date.now()}@example.test`
  await openAccount(page, { email, password, team_name: 'Roomy' })
  await signIn('staff')
  await enter(page)
  await open(`/masa/accounts/${email}`)
  await expect(page.getByRole('region', { name: 'Container registry' })).toContainText('0 B of 20 GB used, as every account has.')
  await page.getByRole('button', { name: 'Change: Container registry' }).click()
  const form = page.getByRole('dialog', { name: 'Storage in the container registry' })
  await form.getByRole('radio', { name: 'Its own figure' }).check()
  // An empty field is no quota of 0, which would refuse every push.
  await form.getByRole('textbox', { name: 'Storage' }).fill('')
  await form.getByRole('textbox', { name: 'Reason' }).fill('Bought more')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form).toContainText('Enter how much')
  await expectAccessible()
  await form.getByRole('textbox', { name: 'Storage' }).fill('35')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form).toBeHidden()
  await expect(page.getByRole('region', { name: 'Container registry' })).toContainText('of 35 GB used, set by staff.')
})

test('what was chosen for an account and not saved is gone with the dialog; staff change nothing of their own account', async ({
  page,
  signIn,
  open,
}) => {
  await signIn('staff')
  await enter(page)
  await open('/masa/accounts/empty@demo.test')
  const change = page.getByRole('button', { name: 'Change: Free test of new SIMs' })
  const form = page.getByRole('dialog', { name: 'Free test of new SIMs' })
  await change.click()
  const before = await form.getByRole('radio', { checked: true }).getAttribute('value')
  await form.getByRole('radio', { name: /50 MB/ }).check()
  await form.getByRole('button', { name: 'Cancel' }).click()
  await change.click()
  await expect(form.getByRole('radio', { checked: true })).toHaveAttribute('value', before!)
  await form.getByRole('button', { name: 'Cancel' }).click()
  await open('/masa/accounts/staff@demo.test')
  for (const name of ['Change: Free test of new SIMs', 'Change: Container registry'])
    await expect(page.getByRole('button', { name })).toHaveAccessibleDescription(/your own account/)
})
