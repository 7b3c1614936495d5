import { expect, test } from './fixtures.ts'

test('an unknown path leads to the overview', async ({ page, signIn }) => {
  await signIn('owner')
  await page.goto('/#/no-such-screen')
  await expect(page.getByRole('heading', { level: 1, name: 'Hello' })).toBeVisible()
  await expect(page).toHaveURL(/#\/$/)
})

test('the menu leads to each screen that exists, and says where one is', async ({ page, signIn, open, expectAccessible }) => {
  await signIn('owner')
  await open('/')
  const menu = page.getByRole('navigation', { name: /main|menu|sections/i })
  await menu.getByRole('link', { name: 'Assets' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Assets' })).toBeVisible()
  await expect(menu.getByRole('link', { name: 'Assets' })).toHaveAttribute('aria-current', 'page')
  await menu.getByRole('link', { name: 'Total Data Usage' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Total Cellular Data Usage' })).toBeVisible()
  await expectAccessible()
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1, name: 'Assets' })).toBeVisible()
})

test('below 768 px the sidebar covers the page and closes when a screen is chosen', async ({ page, signIn, open }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await signIn('owner')
  await open('/')
  const assets = page.getByRole('navigation', { name: /main|menu|sections/i }).getByRole('link', { name: 'Assets' })
  if (!(await assets.isVisible())) await page.getByRole('button', { name: /sidebar/i }).click()
  await assets.click()
  await expect(page.getByRole('heading', { level: 1, name: 'Assets' })).toBeVisible()
  await expect(assets).toBeHidden()
  expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true)
})

test('below 956 px the navbar folds into a menu', async ({ page, signIn, open }) => {
  await signIn('owner')
  await page.setViewportSize({ width: 956, height: 800 })
  await open('/')
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible()
  await page.setViewportSize({ width: 955, height: 800 })
  await expect(page.getByRole('button', { name: 'Logout' })).toBeHidden()
})

test('a member sees the rows their permissions allow', async ({ page, signIn, open }) => {
  await signIn('operator')
  await page.request.post('/v1/auth/switch_account', { data: { team_member_email: 'owner@demo.test' } })
  await open('/')
  await expect(page.getByRole('link', { name: 'Total Data Usage' })).toBeVisible()
  await page.goto('/#/r/MH-DEMO-1')
  await expect(page.getByRole('heading', { level: 1, name: 'Your team' })).toBeVisible()
})
