import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { enter } from './backoffice-page.ts'
import { findCutOff, findSilent } from './cut-off.ts'
import { expect, test } from './fixtures.ts'

// Each screen there is, by the console's own list: a new row there is walked here too.

const list = (
  await Promise.all(
    ['customer', 'device', 'staff', 'public'].map((whose) =>
      readFile(new URL(`../apps/console/src/${whose}-screens.ts`, import.meta.url), 'utf8')
    )
  )
).join('')
const rows = [...list.matchAll(/\bpath: '([^']+)'/g)].map(([, path]) => path!)
const alone = rows.filter((path) => new RegExp(`path: '${path}'[^{}]*?\\bbare: true`).test(list))
const backoffice = rows.filter((path) => /^\/(masa|alpon-remote-support)\b/.test(path) && !alone.includes(path))
const ours = rows.filter((path) => !alone.includes(path) && !backoffice.includes(path))

/** The breakpoints of specification §9 with both their sides, a telephone, a desk, and the least room in which a table has all its columns. */
const widths = [360, 767, 768, 955, 956, 1281, 1440]

/** The words of heads of tables that have less room than a word needs: the columns beside them took it all. */
const squeezedHeads = `[...document.querySelectorAll('.table th')]
  .filter((head) => head.textContent.trim() && !head.querySelector('input, .sr-only') && head.getClientRects().length > 0 && head.offsetWidth < 60)
  .map((head) => head.textContent + ' ' + head.offsetWidth)`

/**
 * A screen that has come whole: at no width wider than the window, nothing cut off on a telephone, no button off without a reason, and no axe
 * violation in either theme or in the colours of the system.
 */
async function expectSound(page: Page, path: string) {
  // From elsewhere: a change of the hash alone would leave the screen before in place for a moment.
  await page.goto('about:blank')
  await page.goto(`/#${path}`)
  await expect(page.getByRole('heading', { level: 1, includeHidden: true }).first(), path).toBeVisible()
  await expect(page.locator('.skeleton')).toHaveCount(0, { timeout: 30_000 })
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 })
    // A chart follows a frame later.
    const wide = () => page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
    await expect.poll(wide, `${path} at ${width} px is wider than the window`).toBe(0)
    expect.soft(await page.evaluate(squeezedHeads), `${path} at ${width} px has columns without room`).toEqual([])
    if (width === 360) expect.soft(await findCutOff(page), `${path} at ${width} px has words that are cut off`).toEqual([])
  }
  // On a telephone the sidebar covers the screen, which is uncovered a moment after the window is wide again.
  await expect(page.locator('[inert]'), `${path} is covered`).toHaveCount(0)
  expect.soft(await findSilent(page), `${path} has buttons that are off without a reason`).toEqual([])
  await test.step(path, () => expectAccessible(page, { bestPractice: true, forced: true }))
}

/** Two pages share the walk: while one is read the other comes. */
async function walk(page: Page, paths: readonly string[]) {
  const waiting = [...paths]
  const pages = [page, await page.context().newPage()]
  await Promise.all(
    pages.map(async (one) => {
      for (let path = waiting.shift(); path; path = waiting.shift()) await expectSound(one, path)
    })
  )
}

/** The id of the first of a list. */
const oneOf = async (page: Page, list: string) => {
  const { items } = (await (await page.request.get(`/v1/${list}?page_size=1`)).json()) as { items: { id: string }[] }
  return items[0]!.id
}
const anAsset = (page: Page) => oneOf(page, 'assets')

test('the list was read', () => {
  expect([ours.length > 10, backoffice.length > 8, alone.length > 5]).toEqual([true, true, true])
  expect(rows).toEqual(expect.arrayContaining([...ours, ...backoffice, ...alone]))
})

/** The customer's screens, with what their addresses name, and the views of some that have addresses of their own. */
async function ownPaths(page: Page): Promise<string[]> {
  const asset = await anAsset(page)
  const repositories = (await (await page.request.get('/v1/registry/repositories')).json()) as { items: { id: string; name: string }[] }
  const [username, image] = repositories.items[0]!.name.split('/')
  const tags = (await (await page.request.get(`/v1/registry/repositories/${repositories.items[0]!.id}/tags`)).json()) as {
    items: { name: string; digest: string }[]
  }
  const tag = tags.items[0]!
  const examples: Record<string, string> = {
    '/r/:sn': '/r/PL-0000-00001',
    '/assets/:assetID': `/assets/${asset}`,
    '/assets/:assetID/network': `/assets/${asset}/network`,
    '/enforcements/:enforcementID': `/enforcements/${await oneOf(page, 'enforcements')}`,
    '/network-groups/:groupID': '/network-groups/default',
    '/registry/user/:username/image?/:image?': `/registry/user/${username}/image/${image}`,
    '/registry/user/:username/image/:image/tag/:tag/digest/:digest': `/registry/user/${username}/image/${image}/tag/${tag.name}/digest/${tag.digest}`,
    '/alpon-fleets/:fleetID': `/alpon-fleets/${await oneOf(page, 'alpon-fleets')}`,
    '/alpon-fleets/:fleetID/assets': `/alpon-fleets/${await oneOf(page, 'alpon-fleets')}/assets`,
    '/core-deployments/:deploymentID': `/core-deployments/${await oneOf(page, 'core/deployments')}`,
  }
  return [
    ...ours.map((path) => examples[path] ?? path),
    `/datapools?pool=${await oneOf(page, 'datapools')}&of=settings`,
    '/profile?tab=account',
    '/profile?tab=team',
    '/notifications?tab=preferences',
    '/notifications?tab=rules',
  ]
}

// In parts, so that each is over within its time, and two workers share them.
test.describe.configure({ mode: 'parallel' })
const parts = 4
for (let part = 0; part < parts; part++)
  test(`each screen of an account is sound, part ${part + 1} of ${parts}`, async ({ page, signIn }) => {
    test.setTimeout(300_000)
    await signIn('owner')
    await walk(
      page,
      (await ownPaths(page)).filter((_, nth) => nth % parts === part)
    )
  })

test('each list of an account with nothing in it is sound', async ({ page, signIn }) => {
  test.setTimeout(300_000)
  await signIn('empty')
  await walk(page, ['/', '/assets', '/usage/total', '/developer', '/activities', '/notifications', '/profile'])
})

test('each screen of a team is sound for a member who may not do all that is on it', async ({ page, signIn }) => {
  test.setTimeout(300_000)
  await signIn('operator')
  await page.request.post('/v1/auth/switch_account', { data: { team_member_email: 'owner@demo.test' } })
  await walk(page, ['/', `/assets/${await anAsset(page)}`, '/assets', '/usage/total', '/activities', '/teams-redirect'])
})

test('each screen of the backoffice is sound', async ({ page, signIn }) => {
  test.setTimeout(300_000)
  await signIn('owner')
  const examples: Record<string, string> = {
    '/masa/accounts/:email': '/masa/accounts/owner@demo.test',
    '/masa/assets/:assetID': `/masa/assets/${await anAsset(page)}`,
    '/masa/assets/:assetID/alpon': `/masa/assets/${await anAsset(page)}/alpon`,
  }
  await signIn('staff')
  await expectSound(page, '/masa/access')
  const inside = backoffice.filter((path) => path !== '/masa/access').map((path) => examples[path] ?? path)
  await enter(page)
  await walk(page, inside)
})

test('each screen that stands alone is sound', async ({ page }) => {
  test.setTimeout(300_000)
  await walk(page, alone)
})
