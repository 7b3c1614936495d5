import { expect, test } from './fixtures.ts'

test('the account at a glance', async ({ page, signIn, open, expectAccessible }) => {
  await signIn('owner')
  await open('/')
  const main = page.getByRole('main')
  await expect(main.getByText('SIMs', { exact: true })).toBeVisible()
  await expect(main.getByRole('link', { name: /^\d+ Plastic SIM$/ })).toBeVisible()
  await expect(main.getByRole('figure', { name: /^Data, .* beside / })).toBeVisible()
  await expect(main.getByRole('heading', { name: 'Top consumers' })).toBeVisible()
  const activity = main.getByRole('listitem').filter({ has: page.locator('time') })
  await expect(activity.first()).toBeVisible()
  expect(await activity.count()).toBeLessThanOrEqual(4)
  await expect(activity.first().getByRole('time')).toHaveText(/^[A-Z][a-z]{2} \d{1,2}, \d{1,2}:\d{2} [AP]M$/)
  await expectAccessible()
})

test('counts lead to the assets they count', async ({ page, signIn, open }) => {
  await signIn('owner')
  await open('/')
  const blocked = page.getByRole('link', { name: /^\d+ blocked$/ })
  const count = (await blocked.innerText()).trim()
  await blocked.click()
  await expect(page).toHaveURL(/#\/assets\?sim_status=blocked$/)
  await expect(page.getByText(`of ${count}`, { exact: false })).toBeVisible()
})

test('the range is in the address', async ({ page, signIn, open }) => {
  await signIn('owner')
  await open('/')
  const range = page.getByRole('group', { name: 'Range' })
  await expect(range.getByRole('button', { name: 'Month' })).toHaveAttribute('aria-pressed', 'true')
  await range.getByRole('button', { name: '12 mo' }).click()
  await expect(page).toHaveURL(/range=12m/)
  await expect(page.getByRole('heading', { name: 'Data per month' })).toBeVisible()
  await page.reload()
  await expect(range.getByRole('button', { name: '12 mo' })).toHaveAttribute('aria-pressed', 'true')
  await page.getByRole('link', { name: 'Total usage' }).click()
  await expect(page).toHaveURL(/usage\/total\?period=12m/)
})

test('what happens shows without a reload', async ({ page, signIn, open }) => {
  await signIn('owner')
  await open('/')
  await expect(page.getByRole('status').filter({ hasText: 'Live' })).toBeVisible()
  const name = `live-${Date.now()}`
  const answer = await page.request.post('/v1/tags', { data: { name, color: 'blue' } })
  expect(answer.ok(), await answer.text()).toBe(true)
  await expect(page.getByText(`Created tag ${name}`)).toBeVisible()
})

test('an empty account is shown the way in', async ({ page, signIn, open, expectAccessible }) => {
  await signIn('empty')
  await open('/')
  await expect(page.getByRole('heading', { name: 'No assets yet' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'No assets yet' }).getByRole('listitem')).toHaveCount(3)
  await expectAccessible()
  const register = page.getByRole('button', { name: 'Register' })
  await register.click()
  await expect(page.getByText('Enter a serial number or an ICCID')).toBeVisible()
  await page.getByRole('textbox', { name: 'Serial number or ICCID' }).fill('MH-DEMO-404')
  await register.click()
  await expect(page).toHaveURL(/#\/r\/MH-DEMO-404/)
})

test('a member limited by a tag sees those assets alone', async ({ page, signIn, open }) => {
  await signIn('operator')
  await page.request.post('/v1/auth/switch_account', { data: { team_member_email: 'owner@demo.test' } })
  const { assets } = (await (await page.request.get('/v1/overview')).json()) as { assets: { total: number } }
  expect(assets.total).toBeLessThan(240)
  await open('/')
  await expect(page.getByRole('main').getByText(String(assets.total), { exact: true }).first()).toBeVisible()
})

test('fits 360 px', async ({ page, signIn, open }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await signIn('owner')
  await open('/')
  await expect(page.getByRole('heading', { name: 'Latest activity' })).toBeVisible()
  expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true)
})
