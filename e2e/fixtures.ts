import AxeBuilder from '@axe-core/playwright'
import { expect, test as base, type BrowserContext, type Page } from '@playwright/test'

type Who = 'owner' | 'operator' | 'staff' | 'invited' | 'empty'

/** Sign in through the API, so that a screen's test begins at its screen. */
async function signIn(page: Page, who: Who) {
  const answer = await page.request.post('/v1/auth/login', { data: { email: `${who}@demo.test`, password: 'masthead-demo' } })
  expect(answer.status(), await answer.text()).toBe(200)
}

/** Of this process, for all its tests: what it has fetched and compiled once need not be fetched and compiled for each of them. */
let kept: BrowserContext | undefined

/** Takes away all that a test can have left behind but the files of the console. */
async function forget(context: BrowserContext, origins: readonly string[]) {
  await Promise.all([...context.pages().map((page) => page.close()), context.unrouteAll(), context.setOffline(false)])
  const page = await context.newPage()
  for (const origin of origins) {
    // From inside: taken away from outside, it may be gone only after the next test has begun to write.
    await page.goto(`${origin}/healthz`)
    await page.evaluate('localStorage.clear()')
  }
  await Promise.all([page.close(), context.clearCookies(), context.clearPermissions()])
}

/** No axe violation, in either theme; with `bestPractice` none of what axe only recommends either. */
export async function expectAccessible(page: Page, { bestPractice = false } = {}) {
  for (const theme of ['light', 'dark']) {
    await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`)
    // Colours that are still on their way from one theme to the other have no contrast worth measuring.
    await page.evaluate(
      'Promise.allSettled(document.getAnimations().filter((one) => one instanceof CSSTransition).map((one) => one.finished))'
    )
    // Without frames there is nothing to join, for which the other mode opens a page of its own; what is in order is not asked for.
    const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] })
    // Only colours differ between the themes.
    if (theme === 'dark') axe.withRules(['color-contrast', 'link-in-text-block'])
    else axe.withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', ...(bestPractice ? ['best-practice'] : [])])
    const { violations } = await axe.analyze()
    expect(violations.map(({ id, nodes }) => `${theme}: ${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`)).toEqual([])
  }
}

export const test = base.extend<{
  signIn: (who: Who) => Promise<void>
  open: (path: string) => Promise<void>
  expectAccessible: (options?: { bestPractice?: boolean }) => Promise<void>
}>({
  context: async ({ browser, baseURL }, use) => {
    kept ??= await browser.newContext()
    await use(kept)
    await forget(kept, [baseURL!, baseURL!.replace('127.0.0.1', 'localhost')])
  },
  signIn: async ({ page }, use) => use((who) => signIn(page, who)),
  /** Opens a screen by its path inside the console (`/assets?type=core`) and waits for its title. */
  open: async ({ page }, use) =>
    use(async (path) => {
      await page.goto(base.info().project.name === 'history' ? path : `/#${path}`)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    }),
  expectAccessible: async ({ page }, use) => use((options) => expectAccessible(page, options)),
})

export { expect } from '@playwright/test'
