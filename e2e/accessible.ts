import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

type Options = { part?: string; bestPractice?: boolean; forced?: boolean }

/** Loads axe into the page, unless it is there from a look before. */
async function bringAxe(page: Page) {
  if (!(await page.evaluate(`'axe' in window`))) await page.evaluate(new AxeBuilder({ page })['script']())
  return true
}

/**
 * Colours that are on their way from one theme to the other have no contrast worth measuring, and what lies half behind the heading of a scrolled
 * dialog is small only until it is scrolled to. A sheet of styles made by a script is allowed by the policy.
 */
async function holdStill(page: Page) {
  await page.evaluate(`(() => {
    if (document.adoptedStyleSheets.some((sheet) => sheet.holdsStill)) return
    const sheet = Object.assign(new CSSStyleSheet(), { holdsStill: true })
    sheet.replaceSync('*, *::before, *::after, *::backdrop { transition: none !important } dialog .sticky { position: static !important }')
    document.adoptedStyleSheets.push(sheet)
  })()`)
}

/**
 * No axe violation, in either theme, in the page or the part a selector names; with `bestPractice` none of what axe only recommends either, with
 * `forced` none in the colours of the system (high contrast).
 */
export async function expectAccessible(page: Page, options: Options = {}) {
  await holdStill(page)
  for (const theme of ['light', 'dark'] as const) await look(page, theme, options)
  if (options.forced) await lookForced(page, options)
}

/** Once the page was drawn twice: then nothing of it has the colours of before. */
const drawn = 'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))'

/** Of forced colours axe knows the backgrounds and not the text: in a dark scheme it reads that of the light theme on black. */
async function lookForced(page: Page, options: Options): Promise<void> {
  const wasDark = await page.evaluate<boolean>(`matchMedia('(prefers-color-scheme: dark)').matches`)
  await page.emulateMedia({ forcedColors: 'active', colorScheme: 'light' })
  try {
    await page.evaluate(drawn)
    await look(page, 'forced', options)
  } finally {
    await page.emulateMedia({ forcedColors: null, colorScheme: wasDark ? 'dark' : 'light' })
  }
}

async function look(page: Page, theme: 'light' | 'dark' | 'forced', { part, bestPractice = false }: Options) {
  await page.evaluate(`document.documentElement.dataset.theme = '${theme === 'forced' ? 'light' : theme}'`)
  // It would be read twice for each look. Frames need it as well, which it sees to by itself.
  const isThere = page.frames().length === 1 && (await bringAxe(page))
  const axe = new AxeBuilder({ page, ...((isThere || theme !== 'light') && { axeSource: 'undefined' }) })
  // Without frames there is nothing to join, for which the other mode opens a page of its own; what is in order is not asked for.
  axe.setLegacyMode().options({ resultTypes: ['violations'] })
  // The countries of a map are some hundred shapes that say nothing by themselves.
  axe.exclude('.leaflet-overlay-pane')
  if (part) axe.include(part)
  // Only colours differ between the themes.
  if (theme !== 'light') axe.withRules(['color-contrast', 'link-in-text-block'])
  else axe.withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', ...(bestPractice ? ['best-practice'] : [])])
  const { violations } = await axe.analyze()
  const at = new URL(page.url()).hash
  expect(violations.map(({ id, nodes }) => `${at} ${theme}: ${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`)).toEqual([])
}
