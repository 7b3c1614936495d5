import { expect, test } from './fixtures.ts'

test('a question is found, opened and linked', async ({ page, signIn, open, expectAccessible }) => {
  await signIn('owner')
  await open('/faq')
  await page.keyboard.press('/')
  await page.keyboard.type('2fa')
  await expect(page.getByRole('status').filter({ hasText: /^1 question$/ })).toBeVisible()
  // The only one is open already.
  await expect(page.getByText(/two-factor authentication with an authenticator app/)).toBeVisible()
  await expect(page).toHaveURL(/#\/faq\?q=2fa$/)
  await expectAccessible()
  await page.getByRole('button', { name: 'Clear search' }).click()
  await page.getByRole('button', { name: 'Why is my SIM blocked, and what brings its service back?' }).click()
  await expect(page).toHaveURL(/question=blocked/)
  await page.reload()
  await expect(page.getByText(/A block is separate from the state you chose/)).toBeVisible()
  await page.getByRole('link', { name: 'Blocked SIMs' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Assets' })).toBeVisible()
})

test('a link to a question leads to its answer', async ({ page, signIn, open }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await signIn('owner')
  await open('/faq?question=alerts')
  await expect(page.getByText(/One cause is one alert/)).toBeInViewport()
})

test('what is not found says so, and leads back', async ({ page, signIn, open }) => {
  await signIn('owner')
  await open('/faq?q=helicopter')
  await expect(page.getByText('No question matches')).toBeVisible()
  await page.getByRole('button', { name: 'Show all questions' }).click()
  await expect(page.getByRole('button', { name: 'How do I register an asset?' })).toBeVisible()
})

test('stands under Help, and fits 360 px', async ({ page, signIn, open }) => {
  await signIn('operator')
  await open('/faq')
  await expect(page.getByRole('navigation').getByRole('link', { name: 'FAQ' })).toHaveAttribute('aria-current', 'page')
  await page.setViewportSize({ width: 360, height: 740 })
  expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true)
  // How many there are stands below: beside it, the words in the field had no room.
  const [field, count] = [await page.getByRole('search').boundingBox(), await page.getByText(/^\d+ questions$/).boundingBox()]
  expect(count!.y).toBeGreaterThanOrEqual(field!.y + field!.height)
})
