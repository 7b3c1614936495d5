import type { Page } from '@playwright/test'
import { expect, pages, test } from './gallery-fixtures.ts'

test('every page of the gallery is looked at here', async ({ open, page }) => {
  await open('buttons')
  const links = await page
    .getByRole('navigation', { name: 'Pages' })
    .getByRole('link')
    .evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).hash.slice(2)))
  expect(links).toEqual(pages)
})

// How many things there are at least to be reached by Tab; three unless said otherwise.
const stops: Record<string, number> = { progress: 1, words: 0 }

for (const id of pages) {
  test(`${id}: no axe violation in either theme, focus visible, nothing wider than the page at 360, 768 and 1280 px, no error`, async ({
    open,
    page,
    expectAccessible,
  }) => {
    const errors: string[] = []
    page.on('pageerror', (error) => errors.push(error.message))
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
    await open(id)
    await test.step('axe', () => expectAccessible())
    await test.step('what Tab reaches shows it', () => expectFocusVisible(page, stops[id] ?? 3))
    for (const width of [360, 768, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      // A chart follows a frame later.
      const wide = () => page.evaluate('document.documentElement.scrollWidth - innerWidth')
      await expect.poll(wide, `${width} px`).toBeLessThanOrEqual(0)
    }
    expect(errors).toEqual([])
  })
}

/** Walks the page by Tab to its end; all that takes the focus there, at least so many times, draws a ring. */
async function expectFocusVisible(page: Page, least: number) {
  await page.locator('main').evaluate((main) => {
    const reached: { what: string; hasRing: boolean }[] = []
    Object.assign(window, { reached })
    const hasRing = (element: Element | null | undefined) => {
      const style = element && getComputedStyle(element)
      return Boolean(style && style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1)
    }
    main.addEventListener('focusin', ({ target }) => {
      const at = target as Element
      if (at === main) return
      // The ring may be drawn by what is around: a field, a thumb, a swatch.
      const rings = [at, at.parentElement, at.parentElement?.parentElement].some(hasRing)
      reached.push({ what: at.outerHTML.slice(0, 90), hasRing: rings })
    })
    main.tabIndex = -1
    main.focus()
  })
  const isInside = () => page.evaluate(() => document.querySelector('main')!.contains(document.activeElement))
  // By tens: to ask after each would take ten times as long.
  for (let turn = 0; turn < 12 && (turn === 0 || (await isInside())); turn++)
    for (let press = 0; press < 10; press++) await page.keyboard.press('Tab')
  const reached = await page.evaluate(() => (window as unknown as { reached: { what: string; hasRing: boolean }[] }).reached)
  expect(reached.filter(({ hasRing }) => !hasRing).map(({ what }) => what)).toEqual([])
  expect(reached.length).toBeGreaterThanOrEqual(least)
}

const opened: [string, string, string, string, string][] = [
  ['overlays', 'Modal', 'center', 'dialog', 'dialog[open]'],
  ['overlays', 'Confirm', 'Typed', 'dialog', 'dialog[open]'],
  ['overlays', 'Side sheet', 'Right', 'dialog', 'dialog[open]'],
  ['overlays', 'Menu', 'Actions', 'menu', '[popover]:popover-open'],
  ['overlays', 'Popover', 'Columns', 'dialog', '[popover]:popover-open'],
  ['choices', 'Select', 'Network group 1 GB', 'listbox', '[popover]:popover-open'],
  ['choices', 'Select', 'Country Any country', 'listbox', '[popover]:popover-open'],
  ['fields', 'Dates', 'Renews on: 1 Dec 2026', 'dialog', '[popover]:popover-open'],
  ['toasts', 'Toasts', 'Stays', 'region', '[popover]:popover-open'],
]
for (const [id, section, button, role, part] of opened) {
  test(`${section}, open by "${button}": no axe violation in either theme`, async ({ open, page, expectAccessible }) => {
    await (await open(id, section)).getByRole('button', { name: button, exact: true }).click()
    await expect(page.getByRole(role as 'dialog').last()).toBeVisible()
    await expectAccessible(part)
  })
}
