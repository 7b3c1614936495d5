import { test as base, type BrowserContext, type Page } from '@playwright/test'

/** Of this process: a new tab takes longer than most tests, and what was fetched and compiled once need not be again. */
let kept: BrowserContext | undefined

/** For a test that does to its page what cannot be taken back, as to its clock or its headers: the next one has another. */
export function discardPage() {
  kept = undefined
}

/** Takes away all that the test before can have left behind but the files it fetched, and leaves the page at the server's address. */
async function begin(page: Page, address: string) {
  const context = page.context()
  for (const event of ['console', 'pageerror', 'request', 'requestfinished', 'response']) page.removeAllListeners(event)
  await Promise.all([
    page.unrouteAll({ behavior: 'ignoreErrors' }),
    context.unrouteAll({ behavior: 'ignoreErrors' }),
    context.setOffline(false),
    context.clearPermissions(),
    page.emulateMedia({ colorScheme: 'light', reducedMotion: 'no-preference', forcedColors: 'none', media: null }),
  ])
  await page.mouse.move(-1, -1)
  await page.goto(`${address}/healthz`)
  await Promise.all([page.evaluate('localStorage.clear(); sessionStorage.clear()'), context.clearCookies()])
  const cdp = await context.newCDPSession(page)
  await cdp.send('Page.resetNavigationHistory')
  await cdp.detach()
}

/** One page for all tests of a worker. */
export const test = base.extend({
  context: async ({ browser }, use) => {
    const context = (kept ??= await browser.newContext())
    await use(context)
    if (kept === context) for (const other of context.pages().slice(1)) await other.close()
    else await context.close()
  },
  page: async ({ context, baseURL, viewport }, use) => {
    const page = context.pages()[0] ?? (await context.newPage())
    await begin(page, baseURL!)
    await page.setViewportSize(viewport!)
    await use(page)
  },
})
