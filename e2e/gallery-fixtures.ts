import { expect, type Locator } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { discardPage, test as base } from './kept-page.ts'

/** The pages as the gallery's menu has them; gallery-pages.e2e.ts keeps this list whole. */
export const pages = [
  'buttons',
  'states',
  'fields',
  'choices',
  'more-inputs',
  'overlays',
  'toasts',
  'tables',
  'windowed',
  'progress',
  'navigation',
  'panels',
  'logs',
  'charts',
  'map',
  'words',
]

export const test = base.extend<{
  /** Opens a page of the gallery, where nothing moves by itself, and answers the part of it that is named. */
  open: (page: string, section?: string) => Promise<Locator>
  /** Stops the page's time; from here on it goes only as far as `page.clock.runFor` says. */
  freeze: () => Promise<void>
  /** In frozen time: lets a tooltip that is there be placed, which is a frame later. */
  shown: () => Promise<void>
  /** No axe violation in either theme, in the whole page or in the part that a selector names. */
  expectAccessible: (part?: string) => Promise<void>
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
  freeze: async ({ page }, use) =>
    use(async () => {
      discardPage()
      await page.clock.install()
      await page.clock.pauseAt(Date.now() + 60_000)
    }),
  shown: async ({ page }, use) =>
    use(async () => {
      await expect(page.locator('.tip')).toBeAttached()
      await page.clock.runFor(50)
    }),
  expectAccessible: async ({ page }, use) => use((part) => expectAccessible(page, { bestPractice: true, ...(part && { part }) })),
})

export { expect } from '@playwright/test'
