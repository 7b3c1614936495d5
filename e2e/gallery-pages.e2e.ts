import { expect, test } from './gallery-fixtures.ts'

// As the gallery's menu has them; the first test keeps this list whole.
const pages = [
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

test('every page of the gallery is looked at here', async ({ open, page }) => {
  await open('buttons')
  const links = await page
    .getByRole('navigation', { name: 'Pages' })
    .getByRole('link')
    .evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).hash.slice(2)))
  expect(links).toEqual(pages)
})

for (const id of pages) {
  test(`${id}: no axe violation in either theme, nothing wider than the page at 360, 768 and 1280 px, no error`, async ({
    open,
    page,
    expectAccessible,
  }) => {
    const errors: string[] = []
    page.on('pageerror', (error) => errors.push(error.message))
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
    await open(id)
    await expectAccessible()
    for (const width of [360, 768, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), `${width} px`).toBeLessThanOrEqual(0)
    }
    expect(errors).toEqual([])
  })
}

const opened: [string, string, string, string][] = [
  ['overlays', 'Modal', 'center', 'dialog'],
  ['overlays', 'Confirm', 'Typed', 'dialog'],
  ['overlays', 'Side sheet', 'Right', 'dialog'],
  ['overlays', 'Menu', 'Actions', 'menu'],
  ['overlays', 'Popover', 'Columns', 'dialog'],
  ['choices', 'Select', 'Network group 1 GB', 'listbox'],
  ['choices', 'Select', 'Country Any country', 'listbox'],
  ['fields', 'Dates', 'Renews on: 1 Dec 2026', 'dialog'],
  ['toasts', 'Toasts', 'Stays', 'region'],
]
for (const [id, section, button, role] of opened) {
  test(`${section}, open by "${button}": no axe violation in either theme`, async ({ open, page, expectAccessible }) => {
    const part = await open(id, section)
    await part.getByRole('button', { name: button, exact: true }).click()
    await expect(page.getByRole(role as 'dialog').last()).toBeVisible()
    await expectAccessible()
  })
}

test('everything that can be reached by Tab shows that it has the focus', async ({ open, page }) => {
  for (const id of ['buttons', 'fields', 'choices', 'more-inputs', 'tables', 'navigation', 'logs']) {
    await open(id)
    const seen = new Set<string>()
    await page.locator('main').evaluate((main) => {
      main.tabIndex = -1
      main.focus()
    })
    for (let press = 0; press < 90; press++) {
      await page.keyboard.press('Tab')
      const focus = await page.evaluate(() => {
        const at = document.activeElement
        if (!at || at === document.body) return null
        const hasRing = (element: Element | null | undefined) => {
          const style = element && getComputedStyle(element)
          return Boolean(style && style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1)
        }
        // The ring may be drawn by what is around: a field, a thumb, a swatch.
        return { what: at.outerHTML.slice(0, 90), rings: [at, at.parentElement, at.parentElement?.parentElement].some(hasRing) }
      })
      if (!focus) break
      expect(focus.rings, `${id}: ${focus.what}`).toBe(true)
      seen.add(focus.what)
    }
    expect(seen.size, id).toBeGreaterThan(5)
  }
})
