import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { expect, pages, test } from './gallery-fixtures.ts'

// How the pieces look, in both themes. Letters are drawn a little differently by each version of Chromium and each system: elsewhere than
// where the pictures were taken these tests are skipped. docs/recipes/retake-pictures.md says how to take them anew.

const versionFile = join(import.meta.dirname, 'gallery-pictures/taken-with.txt')
const takenWith = existsSync(versionFile) ? readFileSync(versionFile, 'utf8').trim() : ''

test.use({ viewport: { width: 1280, height: 800 } })

test.beforeEach(({ browser }, { config }) => {
  const here = `Chromium ${browser.version()} on ${process.platform} ${process.arch}`
  if (config.updateSnapshots === 'all') {
    mkdirSync(dirname(versionFile), { recursive: true })
    writeFileSync(versionFile, `${here}\n`)
  } else test.skip(here !== takenWith, `The pictures were taken with ${takenWith || 'nothing yet'}; this is ${here}`)
})

async function expectPictures(page: Page, what: Locator, name: string) {
  await page.evaluate('document.fonts.ready')
  for (const theme of ['light', 'dark']) {
    await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`)
    await expect(what).toHaveScreenshot(`${name}-${theme}.png`)
  }
}

/** Nothing is still on its way: each chart and map is drawn. */
async function expectDrawn(page: Page, id: string) {
  if (id === 'charts') await expect(page.locator('.u-over')).toHaveCount(9)
  if (id !== 'map') return
  await expect(page.locator('.map-canvas[data-zoom]')).toHaveCount(4)
  await expect(page.locator('.map-country[data-step]').first()).toBeAttached()
  await expect(page.locator('link[data-map]')).toBeAttached()
  await expect(page.locator('.map-country').first()).toHaveCSS('stroke-width', '0.6px')
}

for (const id of pages) {
  test(`${id}: looks as it did, in both themes`, async ({ open, page }) => {
    const whole = await open(id)
    await expectDrawn(page, id)
    await expectPictures(page, whole, id)
  })
}

const floating = '.floating:popover-open'
const opened: [name: string, page: string, section: string, button: string, what: string][] = [
  ['modal', 'overlays', 'Modal', 'center', 'dialog'],
  ['confirm', 'overlays', 'Confirm', 'Typed', 'dialog'],
  ['sheet', 'overlays', 'Side sheet', 'Right', 'dialog'],
  ['menu', 'overlays', 'Menu', 'Actions', floating],
  ['popover', 'overlays', 'Popover', 'Columns', floating],
  ['select', 'choices', 'Select', 'Network group 1 GB', floating],
  ['select-search', 'choices', 'Select', 'Country Any country', floating],
  ['calendar', 'fields', 'Dates', 'Renews on: 1 Dec 2026', floating],
  ['toast', 'toasts', 'Toasts', 'Stays', '.toaster'],
]
for (const [name, id, section, button, what] of opened) {
  test(`${name}: looks as it did when it is open, in both themes`, async ({ open, page }) => {
    await (await open(id, section)).getByRole('button', { name: button, exact: true }).click()
    await page.mouse.move(0, 0)
    await expectPictures(page, page.locator(what), name)
  })
}

test('the rows ticked: the bar looks as it did, in both themes', async ({ open, page }) => {
  const part = await open('tables', 'Table')
  await part.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await page.mouse.move(0, 0)
  await expectPictures(page, page.getByRole('region', { name: 'Selected rows' }), 'selection-bar')
})

for (const backdrop of ['blurred', 'opaque', 'transparent']) {
  test(`a ${backdrop} backdrop looks as it did`, async ({ open, page }) => {
    const modals = await open('overlays', 'Modal')
    await page.setViewportSize({ width: 720, height: 480 })
    await modals.getByRole('button', { name: backdrop, exact: true }).click()
    await page.mouse.move(0, 0)
    await expect(page).toHaveScreenshot(`backdrop-${backdrop}.png`)
  })
}
