import type { Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { expect, test } from './fixtures.ts'
import { openAccount } from './new-account.ts'

// What stands on a screen is read as it is: by the eye, by a screen reader, and in the colours of the system.

test('an identifier is drawn letter by letter', async ({ page, signIn, open }) => {
  await signIn('owner')
  await open('/')
  const widths = (mono: boolean) =>
    page.evaluate<Record<string, number>>(`(async () => {
      await document.fonts.ready
      const width = (features) => {
        const span = document.createElement('span')
        span.style.position = 'absolute'
        span.textContent = 'q9x7r 3x4 -> != 8x8x8'
        if (${mono}) span.className = 'mono'
        // With a value of its own the text has what is being tested; without one it has what the page gives it.
        if (features) { span.style.fontVariantLigatures = 'normal'; span.style.fontFeatureSettings = features }
        document.querySelector('main').append(span)
        const { width } = span.getBoundingClientRect()
        span.remove()
        return width
      }
      return { shown: width(''), plain: width(${mono} ? "'calt' 0, 'zero' 0" : "'cv05', 'ss03', 'calt' 0"), joined: width(${mono} ? "'calt' 1, 'zero' 0" : "'cv05', 'ss03', 'calt' 1") }
    })()`)
  const { shown, plain, joined } = await widths(false)
  expect(shown).toBeCloseTo(plain!, 2)
  // Else this would find nothing.
  expect(joined).not.toBeCloseTo(plain!, 2)
})

test('each panel has a name for a screen reader', async ({ page, signIn, open }) => {
  await signIn('owner')
  for (const [path, names] of [
    ['/', ['Needs attention', 'Top consumers', 'Latest activity']],
    ['/profile', ['Sign-in', 'Passkeys', 'Sessions']],
    ['/profile?tab=team', ['Team', 'Your teams']],
  ] as const) {
    await open(path)
    for (const name of names) await expect(page.getByRole('region', { name, exact: true }), `${name} at ${path}`).toBeVisible()
  }
})

/** The controls that can be seen and that a toast lies over. */
const covered = (page: Page) =>
  page.evaluate<string[]>(`(() => {
    const toaster = document.querySelector('.toaster')
    const box = toaster.getBoundingClientRect()
    return [...document.querySelectorAll('a[href], button, input')]
      .filter((one) => !toaster.contains(one) && one.checkVisibility())
      .filter((one) => {
        const { left, right, top, bottom, width } = one.getBoundingClientRect()
        return width > 0 && left < box.right && right > box.left && top < box.bottom && bottom > box.top
      })
      .map((one) => one.textContent || one.getAttribute('aria-label'))
  })()`)

test('toasts lie over no control', async ({ page, signIn, open }) => {
  await signIn('owner')
  await page.context().grantPermissions(['clipboard-write'])
  // On a telephone a list leaves no place between its rows.
  for (const width of [1280, 768]) {
    await page.setViewportSize({ width, height: 800 })
    await open('/assets')
    await page
      .getByRole('button', { name: /^Actions for/ })
      .last()
      .click()
    await page.getByRole('menuitem', { name: 'Copy ICCID' }).click()
    const toasts = page.getByRole('region', { name: 'Notifications' })
    await expect(toasts).toContainText('Copied')
    expect(await covered(page), `at ${width} px`).toEqual([])
    await toasts.getByRole('button', { name: 'Dismiss' }).click()
  }
})

test('a failure has the number of its request, as Contact says', async ({ page, open }) => {
  await page.goto('/#/login')
  await page.getByRole('textbox', { name: 'E-mail' }).fill('nobody@demo.test')
  await page.getByLabel('Password', { exact: true }).fill('not the password')
  const answer = page.waitForResponse('**/v1/auth/login')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  const id = (await answer).headers()['x-request-id']!
  expect(id).toMatch(/^req_/)
  await expect(page.getByRole('alert').filter({ hasText: 'E-mail or password' })).toContainText(`Request ${id}`)
  await openAccount(page, { email: `number-${Date.now()}@example.test`, password: 'correct horse battery', team_name: 'Numbers' })
  await open('/assets/ast_nothing')
  await open('/contact')
  await expect(page.getByText('stands the number of its request')).toBeVisible()
})

test('in the colours of the system one sees where one is and what is chosen', async ({ page, signIn, open }) => {
  await signIn('owner')
  await page.emulateMedia({ forcedColors: 'active' })
  try {
    await open('/assets')
    const outlined = async (what: ReturnType<Page['locator']>) => {
      const style = await what.evaluate((one) => getComputedStyle(one as never).outlineStyle as string)
      expect(style).not.toBe('none')
    }
    await outlined(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Assets' }))
    const row = page.getByRole('row').nth(1)
    await row.getByRole('checkbox').check()
    await outlined(page.locator('tr[aria-selected=true], [role=row][aria-selected=true]').first())
    await page.getByRole('checkbox', { checked: true }).first().uncheck()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('usage')
    await outlined(page.locator('.option[data-current]'))
    await page.keyboard.press('Escape')
    await open('/notifications')
    // A tab has no room around its words: the line below it stays.
    const ink = await page
      .getByRole('tab', { selected: true })
      .evaluate((one) => getComputedStyle(one as never, '::after').backgroundColor as string)
    expect(ink).not.toBe('rgb(255, 255, 255)')
    await open('/usage/total')
    // A colour of a series stands beside its name, as the chart has it.
    const swatch = page
      .getByRole('button', { name: /^All others/ })
      .locator('span')
      .first()
    await expect(swatch).toHaveCSS('forced-color-adjust', 'none')
  } finally {
    await page.emulateMedia({ forcedColors: null })
  }
})

test('figures below each other have their points below each other', async ({ page, signIn, open }) => {
  await signIn('owner')
  await open('/usage/total')
  await page
    .getByRole('button', { name: /as a table/i })
    .first()
    .click()
  const cells = page
    .getByRole('table')
    .first()
    .getByRole('cell')
    .filter({ hasText: /[KMGT]B$/ })
  await expect(cells.first()).toBeVisible()
  for (const text of await cells.allTextContents()) expect(text).toMatch(/^\d+\.\d\d [KMGT]B$/)
})

test('all clocks of a screen are of one kind', async ({ page, signIn, open }) => {
  await signIn('owner')
  const { items } = (await (await page.request.get('/v1/assets?sim_status=blocked&page_size=1')).json()) as { items: { id: string }[] }
  for (const path of ['/', '/activities', '/notifications', '/usage/total', `/assets/${items[0]!.id}`]) {
    await open(path)
    await expect(page.locator('.skeleton')).toHaveCount(0)
    const text = await page.getByRole('main').innerText()
    // Hours and minutes without AM or PM behind them.
    expect(
      [...text.matchAll(/\b\d{1,2}:\d\d(:\d\d)?\b(?!:| [AP]M)/g)].map(([clock]) => clock),
      path
    ).toEqual([])
  }
})

test('axe finds nothing in the colours of the system, whatever its scheme, which it is given back', async ({ page, signIn, open }) => {
  await page.emulateMedia({ colorScheme: 'dark' })
  await signIn('owner')
  await open('/')
  await expectAccessible(page, { forced: true })
  expect(await page.evaluate(`matchMedia('(prefers-color-scheme: dark)').matches`)).toBe(true)
})
