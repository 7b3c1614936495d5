import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { openIdentityProvider, type IdentityProvider, type Vouchee } from '@masthead/testkit/identity-provider'
import { startProduct, type RunningProduct } from '@masthead/testkit/product'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'

// Two more APIs on the database of all tests, both with an identity provider and a tag manager: one serves the console with hash
// addresses, one with plain ones.

const ann: Vouchee = { sub: 'ann', email: 'ann@harbour.test', email_verified: true, name: 'Harbour Lights' }
const unverified: Vouchee = { ...ann, sub: 'unverified', email: 'unverified@harbour.test', email_verified: false }

let provider: IdentityProvider
let tags: Server
const products: Record<string, RunningProduct> = {}

test.beforeAll(async () => {
  provider = await openIdentityProvider([ann, unverified])
  tags = createServer((_, answer) => answer.setHeader('content-type', 'text/javascript').end('window.tagged = location.href'))
  await new Promise<void>((resolve) => tags.listen(0, '127.0.0.1', resolve))
  const env = {
    DATABASE_URL: process.env.MASTHEAD_E2E_DATABASE_URL!,
    MASTHEAD_DEMO: 'off',
    MASTHEAD_ROLES: 'api',
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: provider.client.client_id,
    OIDC_CLIENT_SECRET: provider.client.client_secret,
    OIDC_NAME: 'Harbour Login',
    TAG_MANAGER_ID: 'GTM-ABC1234',
    TAG_MANAGER_URL: `http://127.0.0.1:${(tags.address() as AddressInfo).port}/gtm.js`,
  }
  const consoleDir = join(import.meta.dirname, '../apps/console/dist-history')
  const [hash, history] = await Promise.all([startProduct(env), startProduct({ ...env, MASTHEAD_CONSOLE_DIR: consoleDir })])
  Object.assign(products, { hash, history })
  for (const { url } of Object.values(products)) provider.allowed.add(url)
})
test.afterAll(async () => {
  await Promise.all(Object.values(products).map((product) => product.stop()))
  await provider?.[Symbol.asyncDispose]()
  tags?.close()
})

const address = (mode: string, path: string) => `${products[mode]!.url}${mode === 'history' ? '' : '/#'}${path}`
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

for (const mode of ['hash', 'history']) {
  test(`${mode} addresses: to the provider, back to the screen one wanted, and out of both`, async ({ page }) => {
    const refused: string[] = []
    page.on('console', (message) => /content security policy/i.test(message.text()) && refused.push(message.text()))
    await page.goto(address(mode, '/activities?category=auth'))
    await expect(heading(page, 'Sign in')).toBeVisible()
    await page.getByRole('link', { name: 'Continue with Harbour Login' }).click()
    await page.getByRole('button', { name: ann.email, exact: true }).click()
    await expect(heading(page, 'Recent Activities')).toBeVisible()
    expect(page.url()).toContain(address(mode, '/activities?'))
    expect(page.url()).toContain('category=auth')
    await page.getByRole('button', { name: 'Logout' }).click()
    await page.getByRole('button', { name: 'Sign out everywhere' }).click()
    await expect(heading(page, 'Sign in')).toBeVisible()
    // The provider knows nobody any more.
    await page.getByRole('link', { name: 'Continue with Harbour Login' }).click()
    await expect(heading(page, 'Who are you?')).toBeVisible()
    expect(refused).toEqual([])
  })

  test(`${mode} addresses: an access token in the address signs in, and is nowhere afterwards`, async ({ page }) => {
    const token = provider.mint(ann)
    const asked: string[] = []
    page.on('request', (request) => asked.push(`${request.url()} ${request.headers().referer ?? ''}`))
    await page.goto('about:blank')
    await page.goto(`${products[mode]!.url}/#state=1&access_token=${token}&token_type=Bearer&expires_in=600`)
    await expect(heading(page, 'Hello')).toBeVisible()
    expect(await page.evaluate('location.href + JSON.stringify(history.state)')).not.toContain(token.slice(0, 20))
    expect(asked.filter((line) => line.includes(token.slice(0, 20)))).toEqual([])
    await page.goBack()
    expect(page.url()).toBe('about:blank')
  })

  test(`${mode} addresses: a token that is refused is said, and the sign-in is there`, async ({ page, expectAccessible }) => {
    await page.goto(`${products[mode]!.url}/#access_token=${provider.mint(ann, { key: 'foreign' })}`)
    await expect(page.getByRole('main').getByRole('alert')).toContainText('is not valid')
    expect(page.url()).toBe(address(mode, '/login'))
    await expect(page.getByRole('textbox', { name: 'E-mail' })).toBeVisible()
    if (mode === 'hash') await expectAccessible()
  })
}

test('an address that the provider has not verified is refused in words, and the way goes on to where one wanted', async ({ page }) => {
  await page.goto(address('hash', '/assets'))
  await page.getByRole('link', { name: 'Continue with Harbour Login' }).click()
  await page.getByRole('button', { name: unverified.email }).click()
  await expect(page.getByRole('main').getByRole('alert')).toContainText('has not verified your e-mail address')
  await expect(page).toHaveURL(address('hash', '/login?redirect=%2Fassets'))
})

test('the tag manager comes once somebody is signed in, and hears of routes without what stands in them', async ({ page }) => {
  await page.goto(address('hash', '/login?redirect=%2Fassets'))
  await expect(heading(page, 'Sign in')).toBeVisible()
  expect(await page.evaluate('window.tagged')).toBeUndefined()
  await page.goto(`${products.hash!.url}/#access_token=${provider.mint(ann)}`)
  await expect(heading(page, 'Hello')).toBeVisible()
  await expect.poll(() => page.evaluate('window.tagged')).toBe(address('hash', '/'))
  await page.goto(address('hash', '/assets?search=ann%40harbour.test'))
  await expect(heading(page, 'Assets')).toBeVisible()
  const heard = await page.evaluate<{ page_path?: string }[]>('window.dataLayer')
  expect(heard.map(({ page_path }) => page_path).filter(Boolean)).toEqual(['/login', '/', '/assets'])
  expect(JSON.stringify(heard)).not.toContain('harbour')
})

test('without a provider and a tag manager nothing of them is there', async ({ page }) => {
  const hosts = new Set<string>()
  // The script of the demo's card provider may come meanwhile.
  page.on('request', (request) => {
    const { host, pathname } = new URL(request.url())
    if (pathname !== '/v3/') hosts.add(host)
  })
  await page.goto('/#/login')
  await expect(heading(page, 'Sign in')).toBeVisible()
  await expect(page.getByRole('link', { name: /Continue with/ })).toHaveCount(0)
  expect([...hosts]).toEqual([new URL(process.env.MASTHEAD_E2E_URL!).host])
})
