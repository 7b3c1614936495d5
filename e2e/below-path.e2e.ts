import { join } from 'node:path'
import { freeTcp, startProduct } from '@masthead/testkit/product'
import { expect, test } from './fixtures.ts'

// One more API on the demo's database, as behind a proxy that leads one path of its host to us. The same files serve at any path.

const builds = { hash: 'dist', history: 'dist-history' } as const

for (const [mode, build] of Object.entries(builds))
  test(`below a path of its host the console works by ${mode} addresses`, async ({ browser }) => {
    const port = await freeTcp()
    const root = `http://127.0.0.1:${port}/iot`
    const product = await startProduct({
      DATABASE_URL: process.env.MASTHEAD_E2E_DATABASE_URL!,
      MASTHEAD_ROLES: 'api',
      MASTHEAD_HTTP_PORT: String(port),
      MASTHEAD_PUBLIC_URL: root,
      MASTHEAD_CONSOLE_DIR: join(import.meta.dirname, '../apps/console', build),
    })
    const page = await browser.newPage()
    const outside: string[] = []
    page.on('request', (request) => request.url().startsWith(`${root}`) || outside.push(request.url()))
    const address = (path: string) => `${root}${mode === 'hash' ? '/#' : ''}${path}`
    const heading = (name: string) => expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
    try {
      // The intended path is kept through the sign-in.
      await page.goto(address('/assets?search=reefer'))
      await page.getByRole('textbox', { name: 'E-mail' }).fill('owner@demo.test')
      await page.getByLabel('Password', { exact: true }).fill('masthead-demo')
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await heading('Assets')
      await expect(page).toHaveURL((url) => url.href.startsWith(address('/assets?')) && url.href.includes('search=reefer'))
      await page.reload()
      await heading('Assets')
      // By a link, to another screen with files of its own, and back.
      await page.getByRole('link', { name: 'Overview' }).click()
      await heading('Hello')
      // The router leaves out the last slash of the path.
      await expect(page).toHaveURL(mode === 'hash' ? address('/') : root)
      await page.goBack()
      await heading('Assets')
      // An unknown path is the overview, and the first page needs no slash.
      await page.goto(address('/no/such/path'))
      await heading('Hello')
      await page.goto(root)
      await heading('Hello')
      const stream = page.waitForResponse((answer) => answer.url().startsWith(`${root}/v1/live`))
      await page.goto(address('/developer?tab=api'))
      await page.reload()
      expect((await stream).headers()['content-type']).toContain('text/event-stream')
      await heading('API Keys')
      await page.getByRole('button', { name: 'Logout' }).click()
      await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
      await expect(page).toHaveURL(address('/login'))
      expect(outside).toEqual([])
    } finally {
      await page.close()
      await product.stop()
    }
  })
