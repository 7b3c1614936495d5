import AxeBuilder from '@axe-core/playwright'
import { expect, test as base, type Locator } from '@playwright/test'

export const test = base.extend<{
  /** Opens a page of the gallery, where nothing moves by itself, and answers the part of it that is named. */
  open: (page: string, section?: string) => Promise<Locator>
  expectAccessible: () => Promise<void>
}>({
  open: async ({ page }, use) => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await use(async (id, section) => {
      await page.goto(`/gallery.html#/${id}`)
      const whole = page.locator(`[data-page="${id}"]`)
      await expect(whole.getByRole('region').first()).toBeVisible()
      return section ? whole.getByRole('region', { name: section, exact: true }) : whole
    })
  },
  /** No axe violation, in either theme. */
  expectAccessible: async ({ page }, use) =>
    use(async () => {
      for (const theme of ['light', 'dark']) {
        await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`)
        const { violations } = await new AxeBuilder({ page })
          .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
          .analyze()
        expect(violations.map(({ id, nodes }) => `${theme}: ${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`)).toEqual([])
      }
    }),
})

export { expect } from '@playwright/test'
