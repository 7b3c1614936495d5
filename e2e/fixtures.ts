import AxeBuilder from '@axe-core/playwright'
import { expect, test as base, type Page } from '@playwright/test'

type Who = 'owner' | 'operator' | 'staff' | 'invited' | 'empty'

/** Sign in through the API, so that a screen's test begins at its screen. */
async function signIn(page: Page, who: Who) {
  const answer = await page.request.post('/v1/auth/login', { data: { email: `${who}@demo.test`, password: 'masthead-demo' } })
  expect(answer.status(), await answer.text()).toBe(200)
}

export const test = base.extend<{
  signIn: (who: Who) => Promise<void>
  open: (path: string) => Promise<void>
  expectAccessible: (options?: { bestPractice?: boolean }) => Promise<void>
}>({
  signIn: async ({ page }, use) => use((who) => signIn(page, who)),
  /** Opens a screen by its path inside the console (`/assets?type=core`) and waits for its title. */
  open: async ({ page }, use) =>
    use(async (path) => {
      await page.goto(base.info().project.name === 'history' ? path : `/#${path}`)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    }),
  /** No axe violation, in either theme; with `bestPractice` none of what axe only recommends either. */
  expectAccessible: async ({ page }, use) =>
    use(async ({ bestPractice = false } = {}) => {
      for (const theme of ['light', 'dark']) {
        await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`)
        // Colours that are still on their way from one theme to the other have no contrast worth measuring.
        await page.evaluate(
          'Promise.allSettled(document.getAnimations().filter((one) => one instanceof CSSTransition).map((one) => one.finished))'
        )
        const axe = new AxeBuilder({ page })
        // Only colours differ between the themes.
        if (theme === 'dark') axe.withRules(['color-contrast', 'link-in-text-block'])
        else axe.withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', ...(bestPractice ? ['best-practice'] : [])])
        const { violations } = await axe.analyze()
        expect(violations.map(({ id, nodes }) => `${theme}: ${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`)).toEqual([])
      }
    }),
})

export { expect } from '@playwright/test'
