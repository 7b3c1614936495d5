import { expect, test } from './fixtures.ts'

/** A name that no other run has. */
const unique = (what: string) => `${what} ${Date.now().toString(36)}`

test('a group is made, says whom a change cuts, and goes again', async ({ page, signIn, open, expectAccessible }) => {
  await signIn('owner')
  await open('/network-groups')
  await expect(page.getByRole('heading', { level: 1, name: 'Manage Network Groups' })).toBeVisible()
  const reefers = page.getByRole('row', { name: /Reefers EU/ })
  await expect(reefers).toContainText('1 GB a month')
  await expect(reefers).toContainText('1 in part, 2 operators')
  await expectAccessible()

  const name = unique('Night run')
  await page.getByRole('link', { name: 'New group' }).click()
  await expect(page.getByRole('button', { name: 'Create group' })).toHaveAttribute('aria-disabled', 'true')
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name)
  await page.getByLabel('No limit').uncheck()
  await page.getByLabel('Limit per SIM and month').fill('2.5')
  await page.getByRole('button', { name: 'Regions' }).click()
  await page.getByRole('menuitem', { name: 'Europe', exact: true }).click()
  await page.getByLabel('Country, operator or MCC-MNC').fill('Poland')
  await page.getByLabel('Poland', { exact: true }).uncheck()
  await expectAccessible()
  await page.getByRole('button', { name: 'Create group' }).click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await expect(page.getByLabel('Poland', { exact: true })).not.toBeChecked()

  await page.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('dialog')).toContainText('No SIM is in it')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page).toHaveURL(/network-groups$/)
  await expect(page.getByRole('row', { name: new RegExp(name) })).toHaveCount(0)
})

test('what is not saved is said, counted and discarded', async ({ page, signIn, open }) => {
  await signIn('owner')
  await open('/network-groups')
  await page.getByRole('link', { name: 'Reefers EU', exact: true }).click()
  // The map opens on the countries of the group, and stays there while they are chosen.
  const map = page.getByRole('application', { name: 'Allowed countries' })
  await expect(map).toHaveAttribute('data-zoom', /^[345]$/)
  const center = await map.getAttribute('data-center')
  await page.getByLabel('Country, operator or MCC-MNC').fill('France')
  await page.getByLabel('France', { exact: true }).uncheck()
  await expect(map).toHaveAttribute('data-center', center!)
  const bar = page.getByRole('region', { name: 'Unsaved changes' })
  await expect(bar).toContainText('28 SIMs affected')
  // An emptied limit is another one begun, never the least there is.
  const limit = page.getByLabel('Limit per SIM and month')
  await limit.fill('')
  await limit.blur()
  await expect(limit).toHaveValue('1')
  await bar.getByRole('button', { name: 'Discard' }).click()
  await expect(bar).toHaveCount(0)
  await expect(page.getByLabel('France', { exact: true })).toBeChecked()
})

test("a built-in group cannot be changed, and an asset's network tab leads to its group", async ({
  page,
  signIn,
  open,
  expectAccessible,
}) => {
  await signIn('owner')
  await open('/network-groups/default_1gb')
  await expect(page.getByText('Built-in groups are the same on every account').first()).toBeVisible()
  await open('/assets?search=reefer-truck-0120')
  await page.getByRole('link', { name: 'reefer-truck-0120' }).click()
  await page.getByRole('tab', { name: 'Network' }).click()
  await expect(page).toHaveURL(/\/network$/)
  await expect(page.getByRole('list', { name: 'Time line' }).getByRole('listitem').first()).toBeVisible()
  await expect(page.getByRole('table', { name: 'Operators' })).toContainText('LTE')
  await expectAccessible()
  await page.getByRole('link', { name: 'Reefers EU' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Reefers EU' })).toBeVisible()
})

test('a limit that is reached opens as its proof', async ({ page, signIn, open, expectAccessible }) => {
  await signIn('owner')
  await open('/enforcements')
  await expect(page.getByRole('heading', { level: 1, name: 'Limits Enforced' })).toBeVisible()
  await expectAccessible()
  await page
    .getByRole('table')
    .getByRole('link', { name: /reefer-truck-0147/ })
    .click()
  await expect(page.getByRole('heading', { level: 1, name: 'Proof of a cut' })).toBeVisible()
  await expect(page.getByRole('main')).toContainText('Confirmed by the gateway')
  await expectAccessible()
})

test('whoever may not change a group can read all of it', async ({ page, signIn, open }) => {
  await signIn('operator')
  await page.request.post('/v1/auth/switch_account', { data: { team_member_email: 'owner@demo.test' } })
  await open('/network-groups')
  await page.getByRole('link', { name: 'Reefers EU', exact: true }).click()
  await expect(page.getByText('You may look at this group, but not change it. You need the permission').first()).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toBeDisabled()
  await expect(page.getByRole('radio', { name: /^Notify only/ })).toBeDisabled()
  await page.getByLabel('Country, operator or MCC-MNC').fill('Poland')
  await expect(page.getByLabel('Poland', { exact: true })).toBeDisabled()
  await page.getByRole('button', { name: /^Allowed/ }).click()
  await expect(page.getByText('260-06')).toBeVisible()
})

test('as long as the networks are not known, no region is chosen: it would be nowhere', async ({
  page,
  signIn,
  open,
  expectAccessible,
}) => {
  await signIn('owner')
  await open('/network-groups')
  await page.route('**/v1/networks*', (route) => route.abort())
  await page.getByRole('link', { name: 'New group' }).click()
  await expect(page.getByRole('button', { name: 'Regions' })).toHaveAccessibleDescription(
    /^The networks (are still being|could not be) loaded$/
  )
  const said = page.getByRole('alert').filter({ hasText: 'The networks could not be loaded' })
  await expect(said).toBeVisible({ timeout: 20_000 })
  await expectAccessible()
  await page.unroute('**/v1/networks*')
  await said.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('button', { name: 'Regions' }).click()
  await page.getByRole('menuitem', { name: 'Europe', exact: true }).click()
  await page.getByLabel('Country, operator or MCC-MNC').fill('Poland')
  await expect(page.getByLabel('Poland', { exact: true })).toBeChecked()
  // What was chosen is not lost by a press on the menu.
  const question = page.getByRole('dialog', { name: 'Leave without saving?' })
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Assets' }).click()
  await question.getByRole('button', { name: 'Stay' }).click()
  await expect(page.getByRole('button', { name: 'Create group' })).toBeVisible()
  await page.getByRole('region', { name: 'Unsaved changes' }).getByRole('button', { name: 'Discard' }).click()
  await expect(page).toHaveURL(/network-groups$/)
  await expect(question).toBeHidden()
})
