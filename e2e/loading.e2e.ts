import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { discardPage } from './kept-page.ts'

const usageChunk = /\/static\/TotalUsageScreen-.*\.js/

test('the loading flag is up while a screen is on its way', async ({ page, signIn, open }) => {
  await signIn('owner')
  await open('/activities')
  const seen = Promise.withResolvers<void>()
  await page.route(usageChunk, async (route) => {
    await seen.promise
    await route.continue()
  })
  const flag = page.getByRole('progressbar', { name: 'Loading the screen' })
  await expect(flag).toBeHidden()
  await page.getByRole('link', { name: 'Total Data Usage' }).click()
  await expect(flag).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: 'Recent Activities' })).toBeVisible()
  seen.resolve()
  await expect(page.getByRole('heading', { level: 1, name: 'Total Cellular Data Usage' })).toBeVisible()
  await expect(flag).toBeHidden()
})

test('a screen that does not come within two minutes says so, and can be loaded again', async ({ page, signIn, open }) => {
  await signIn('owner')
  discardPage()
  await page.clock.install()
  await open('/activities')
  // Never answered.
  await page.route(usageChunk, () => {})
  const asked = page.waitForRequest(usageChunk)
  await page.getByRole('link', { name: 'Total Data Usage' }).click()
  await asked
  await page.clock.runFor(120_000)
  await expect(page.getByRole('heading', { name: 'This screen could not be loaded' })).toBeVisible()
  await page.unroute(usageChunk)
  await page.getByRole('button', { name: 'Reload' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Total Cellular Data Usage' })).toBeVisible()
})

test('a start that takes long says so', async ({ page, signIn }) => {
  await signIn('owner')
  const seen = Promise.withResolvers<void>()
  await page.route('**/v1/auth/user_info', async (route) => {
    await seen.promise
    await route.continue()
  })
  await page.goto('/#/activities')
  await expect(page.getByText('Loading Masthead')).toBeVisible()
  seen.resolve()
  await expect(page.getByRole('heading', { level: 1, name: 'Recent Activities' })).toBeVisible()
})

test('a start waits for a late answer about the account for a moment alone', async ({ page, signIn, open }) => {
  await signIn('owner')
  discardPage()
  // Never answered.
  await page.route('**/v1/account', () => {})
  await page.goto('about:blank')
  await open('/activities')
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
  await page.getByRole('link', { name: 'Overview' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Hello' })).toBeVisible()
})

/** Goes to a screen whose code is not there yet, while there is no connection. */
async function missScreen(page: Page, open: (path: string) => Promise<unknown>) {
  // With a route of its own a page keeps nothing of what others have fetched.
  await page.route(usageChunk, (route) => route.continue())
  await open('/activities')
  await page.context().setOffline(true)
  await page.getByRole('link', { name: 'Total Data Usage' }).click()
  await expect(page.getByRole('heading', { name: 'This screen could not be loaded' })).toBeVisible()
}

test('a screen that cannot be had without a connection says so, keeps its frame, and comes with it', async ({ page, signIn, open }) => {
  await signIn('owner')
  await missScreen(page, open)
  await expect(page.getByRole('heading', { level: 1, name: 'Total Cellular Data Usage' })).toBeVisible()
  await page.getByRole('link', { name: 'Overview' }).click()
  await expect(page).toHaveURL(/#\/$/)
  await page.context().setOffline(false)
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: 'Hello' })).toBeVisible()
})

test('a screen that could not be loaded comes by itself when the network is back', async ({ page, signIn, open }) => {
  await signIn('owner')
  await missScreen(page, open)
  // Tried in vain meanwhile; where the first try was before this, there is a second.
  await page.waitForEvent('requestfailed', (request) => request.method() === 'HEAD')
  await expect(page.getByRole('heading', { name: 'This screen could not be loaded' })).toBeVisible()
  await page.context().setOffline(false)
  await expect(page.getByText(/^These figures are complete until/)).toBeVisible()
  await expect(page).toHaveURL(/#\/usage\/total$/)
})

test('“Live” is said while the server is heard from, and not without a network', async ({ page, signIn, open }) => {
  await signIn('owner')
  await open('/assets')
  const main = page.getByRole('main')
  await expect(main.getByText('Live', { exact: true })).toBeVisible()
  await page.context().setOffline(true)
  await expect(main.getByText('Reconnecting')).toBeVisible()
  await page.context().setOffline(false)
  await expect(main.getByText('Live', { exact: true })).toBeVisible()
})

test('a page in the place of an answer is shown as a failure, however much happens on the network', async ({ page, signIn, open }) => {
  await signIn('owner')
  await open('/activities')
  // Something on the way answers with a page of its own; here it is the console's.
  await page.route('**/v1/overview*', (route) => route.continue({ url: new URL('/', page.url()).href }))
  await page.getByRole('link', { name: 'Overview' }).click()
  await expect(page.getByRole('heading', { name: 'The overview could not be loaded' })).toBeVisible({ timeout: 20_000 })
  await expect(page.getByText('The response could not be read')).toBeVisible()
  await page.unroute('**/v1/overview*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('img', { name: /^Data,/ })).toBeVisible()
})

test('without an answer from the server a screen says so and keeps its frame', async ({ page, signIn, open }) => {
  await signIn('owner')
  await open('/')
  await page.route('**/v1/activities*', (route) => route.abort())
  await page.goto('/#/activities')
  await expect(page.getByText('The server did not answer').first()).toBeVisible({ timeout: 20_000 })
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
})
