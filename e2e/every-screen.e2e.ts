import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'

// Each screen there is, by the console's own list: a new row there is walked here too.

const list = await readFile(new URL('../apps/console/src/screens.tsx', import.meta.url), 'utf8')
const rows = [...list.slice(0, list.indexOf('export const menu')).matchAll(/\bpath: '([^']+)'/g)].map(([, path]) => path!)
const alone = rows.filter((path) => new RegExp(`path: '${path}'[^{}]*?\\bbare: true`).test(list))
const backoffice = rows.filter((path) => path.startsWith('/masa'))
const ours = rows.filter((path) => !alone.includes(path) && !backoffice.includes(path))

/** The breakpoints of specification §9 with both their sides, a telephone and a desk. */
const widths = [360, 767, 768, 955, 956, 1440]

type Accessible = (options: { bestPractice: boolean }) => Promise<void>

/** A screen that has come whole: no axe violation in either theme, and at no width wider than the window. */
async function expectSound(page: Page, path: string, expectAccessible: Accessible) {
  // From elsewhere: a change of the hash alone would leave the screen before in place for a moment.
  await page.goto('about:blank')
  await page.goto(`/#${path}`)
  await expect(page.getByRole('heading', { level: 1, includeHidden: true }).first(), path).toBeVisible()
  await expect(page.locator('.skeleton')).toHaveCount(0)
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 })
    const wide = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
    expect(wide, `${path} at ${width} px is wider than the window`).toBe(0)
  }
  await test.step(path, () => expectAccessible({ bestPractice: true }))
}

const anAsset = async (page: Page) => {
  const { items } = (await (await page.request.get('/v1/assets?limit=1')).json()) as { items: { id: string }[] }
  return items[0]!.id
}

test('the list was read', () => {
  expect([ours.length > 10, backoffice.length > 8, alone.length > 5]).toEqual([true, true, true])
  expect(rows).toEqual(expect.arrayContaining([...ours, ...backoffice, ...alone]))
})

test('each screen of an account is sound', async ({ page, signIn, expectAccessible }) => {
  test.setTimeout(300_000)
  await signIn('owner')
  const examples: Record<string, string> = { '/r/:sn': '/r/PL-0000-00001', '/assets/:assetID': `/assets/${await anAsset(page)}` }
  for (const path of ours) await expectSound(page, examples[path] ?? path, expectAccessible)
})

test('each list of an account with nothing in it is sound', async ({ page, signIn, expectAccessible }) => {
  test.setTimeout(300_000)
  await signIn('empty')
  for (const path of ['/', '/assets', '/usage/total', '/developer', '/activities', '/notifications', '/profile'])
    await expectSound(page, path, expectAccessible)
})

test('each screen of the backoffice is sound', async ({ page, signIn, expectAccessible }) => {
  test.setTimeout(300_000)
  await signIn('owner')
  const examples: Record<string, string> = {
    '/masa/accounts/:email': '/masa/accounts/owner@demo.test',
    '/masa/assets/:assetID': `/masa/assets/${await anAsset(page)}`,
  }
  await signIn('staff')
  await expectSound(page, '/masa/access', expectAccessible)
  const answer = await page.request.post('/v1/backoffice/access', { data: { password: 'masthead-demo', reason: 'Ticket 5: a test' } })
  const { token } = (await answer.json()) as { token: string }
  await page.addInitScript(`localStorage.setItem('masthead-backoffice-token', '${token}')`)
  for (const path of backoffice) if (path !== '/masa/access') await expectSound(page, examples[path] ?? path, expectAccessible)
})

test('each screen that stands alone is sound', async ({ page, expectAccessible }) => {
  test.setTimeout(300_000)
  for (const path of alone) await expectSound(page, path, expectAccessible)
})
