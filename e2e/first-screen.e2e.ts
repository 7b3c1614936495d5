import { expect, test } from './fixtures.ts'
import { discardPage } from './kept-page.ts'

// The budget of the first screen: what `bench/first-screen.ts` measures, held to its limit here.

test('the overview comes with at most 180 kB of JavaScript (gzip) and 15 requests', async ({ page, context, signIn }) => {
  await signIn('owner')
  discardPage()
  // For somebody who was never here.
  const cdp = await context.newCDPSession(page)
  await cdp.send('Network.setCacheDisabled', { cacheDisabled: true })
  await page.setExtraHTTPHeaders({ 'accept-encoding': 'gzip' })
  const scripts: Promise<number>[] = []
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  page.on('requestfinished', (request) => {
    if (request.resourceType() === 'script') scripts.push(request.sizes().then(({ responseBodySize }) => responseBodySize))
  })
  await page.goto('/#/')
  await expect(page.getByRole('img', { name: /^Data,/ })).toBeVisible()
  const sizes = await Promise.all(scripts)
  expect(sizes.length).toBeGreaterThan(3)
  const sum = sizes.reduce((total, size) => total + size, 0)
  expect(sum).toBeGreaterThan(100_000)
  expect(sum).toBeLessThanOrEqual(180_000)
  // Zod comes with the first form: see docs/decisions/0004-console-bundle.md.
  expect(asked.filter((url) => url.includes('/schemas-'))).toEqual([])
  // The picture in the tab and the line for live updates are among them. What is asked again was changed meanwhile by the demo's network.
  expect(new Set(asked).size, asked.join('\n')).toBeLessThanOrEqual(15)
})
