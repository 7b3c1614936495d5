import { openProductDatabase } from '@masthead/testkit/product-database'
import { sql } from 'kysely'
import { expect, test } from './fixtures.ts'
import { openAccount } from './new-account.ts'

const db = openProductDatabase(process.env.MASTHEAD_E2E_DATABASE_URL!)
test.afterAll(() => db.destroy())

const picture = { name: /^The last 24 hours of [\d,]+ SIMs/ }

test('one sentence says how many SIMs work, and each number leads to those SIMs', async ({ page, signIn, open }) => {
  await signIn('owner')
  await open('/')
  await expect(page.getByRole('heading', { name: /SIMs that should work do/ })).toBeVisible()
  const blocked = page.getByRole('link', { name: /^\d+ (is|are) blocked$/ })
  const count = Number.parseInt(await blocked.innerText(), 10)
  await blocked.click()
  await expect(page).toHaveURL(/#\/assets\?sim_status=blocked&state=active$/)
  await expect(page.getByText(`of ${count}`, { exact: false })).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('heading', { name: /SIMs that should work do/ })).toBeVisible()
})

test('the last 24 hours are one stop for Tab: arrows read lines and hours, Enter opens a SIM', async ({ page, signIn, open }) => {
  await signIn('owner')
  await open('/')
  const strip = page.getByRole('application', picture)
  await strip.focus()
  await strip.press('ArrowDown')
  const said = page.locator('section', { has: strip }).locator('[aria-live=polite]')
  await expect(said).toContainText('Press to')
  const first = await said.innerText()
  await strip.press('ArrowDown')
  await expect(said).not.toHaveText(first)
  await strip.press('+')
  await strip.press('Home')
  await strip.press('Enter')
  await expect(page).toHaveURL(/#\/assets\/ast_/)
})

test('other hours leave the keys at the country where they were', async ({ page, signIn, open }) => {
  await signIn('owner')
  await open('/')
  const strip = page.getByRole('application', picture)
  await strip.focus()
  await strip.press('End')
  await strip.press('ArrowUp')
  const said = page.locator('section', { has: strip }).locator('[aria-live=polite]')
  await expect(said).toContainText('Press to')
  const country = (await said.innerText()).split('. ')[1]!
  for (const key of ['+', '+', '+', '-', '-', '-']) {
    await strip.press(key)
    await expect(said).toContainText(`. ${country}`)
  }
})

test('the table of the strip has room on a telephone', async ({ page, signIn, open }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await signIn('owner')
  await open('/')
  await page.getByRole('region', { name: 'Last 24 hours' }).getByRole('button', { name: 'Show as a table' }).click()
  const { x, width } = (await page.getByRole('columnheader', { name: 'Blocked' }).boundingBox())!
  expect(x + width).toBeLessThanOrEqual(344)
})

test('a part of the strip is chosen with the pointer, and all of it comes back', async ({ page, signIn, open }) => {
  await signIn('owner')
  await open('/')
  const strip = page.getByRole('application', picture)
  await expect(strip).toBeVisible()
  const { x, y, width } = (await strip.boundingBox())!
  await page.mouse.move(x + width * 0.5, y + 2)
  await page.mouse.down()
  await page.mouse.move(x + width - 5, y + 30, { steps: 4 })
  await page.mouse.up()
  await expect(page.getByText(/^\d+ SIMs shown$/)).toBeVisible()
  await strip.press('Escape')
  await expect(page.getByText(/^\d+ SIMs shown$/)).toBeHidden()
})

test('the same as a table, for who cannot see it', async ({ page, signIn, open, expectAccessible }) => {
  await signIn('owner')
  await open('/')
  await page.getByRole('region', { name: 'Last 24 hours' }).getByRole('button', { name: 'Show as a table' }).click()
  const countries = page.getByRole('table', { name: 'SIMs that should work, by country, as they are now' })
  await expect(countries.getByRole('rowheader', { name: 'Germany' })).toBeVisible()
  const blocked = page.getByRole('row').filter({ hasText: 'Blocked' }).getByRole('link')
  await expect(blocked.first()).toBeVisible()
  await expectAccessible()
  await blocked.first().click()
  await expect(page).toHaveURL(/#\/assets\/ast_/)
})

test('of very many SIMs that are not as usual the table names each', async ({ page, open, expectAccessible }) => {
  const email = `strip-${crypto.randomUUID().slice(0, 8)}@example.test`
  await openAccount(page, { email, password: 'correct horse battery', team_name: 'Strip' })
  const of = sql`(select account_id from person where email = ${email})`
  const block = JSON.stringify([
    { code: 'staff', since: new Date().toISOString(), by: 'staff', words: 'Held', clears: 'When it is lifted' },
  ])
  const tail = crypto.randomUUID().replaceAll('-', '').slice(0, 20)
  const asset = sql`'ast_' || ${tail} || lpad(n::text, 4, '0')`
  await sql`insert into asset (account_id, id, type, serial, name) select ${of}, ${asset}, 'picolte', ${tail} || n, 'SIM ' || lpad(n::text, 3, '0')
    from generate_series(1, 300) n`.execute(db)
  await sql`insert into sim (account_id, id, asset_id, iccid, state, activated_at, blocks) select ${of}, 'sim_' || ${tail} || n, ${asset},
    '8988' || lpad((('x' || left(md5(${tail} || n), 12))::bit(48)::bigint % 1000000000000000)::text, 15, '0'), 'active', now() - interval '9 days', ${block}::jsonb
    from generate_series(1, 300) n`.execute(db)
  await sql`insert into account_judged (account_id, until, after_sim) values (${of}, date_trunc('hour', now()), '')
    on conflict (account_id) do nothing`.execute(db)
  await open('/')
  await page.getByRole('region', { name: 'Last 24 hours' }).getByRole('button', { name: 'Show as a table' }).click()
  const grid = page.getByRole('grid', { name: 'Not as usual now' })
  await expect(grid).toHaveAttribute('aria-rowcount', '301')
  await expect(grid.getByRole('row').filter({ hasText: 'Blocked' }).first()).toBeVisible()
  await expectAccessible()
  await grid.focus()
  await grid.press('End')
  await expect(grid.locator('[aria-rowindex="301"]')).toBeVisible()
  await grid.press('Enter')
  await expect(page).toHaveURL(/#\/assets\/ast_/)
})

test('where SIMs are: countries and operators, on a map and as a list', async ({ page, signIn, open }) => {
  await signIn('owner')
  await open('/')
  // The figures have come, and with them the map's own place.
  await expect(page.getByRole('link', { name: /^\d+ Plastic SIM$/ })).toBeVisible()
  const places = page.getByRole('region', { name: 'Where they are' })
  await places.scrollIntoViewIfNeeded()
  await expect(places.getByRole('list', { name: 'Operators' })).toContainText('KPN')
  // What the shades mean is a sentence for who hears it.
  await expect(places.getByRole('figure')).toContainText(/\d SIMs? to ?\d+ SIMs and more/)
  await places.getByRole('button', { name: 'Show as a list' }).click()
  await expect(places.getByRole('button', { name: 'Netherlands' })).toBeVisible()
  await expect(page.getByRole('link', { name: /never seen$/ })).toHaveAttribute('href', /search=seen:never/)
  const operator = places.getByRole('listitem').filter({ hasText: 'KPN' })
  const [, count] = /, ([\d,]+)/.exec(await operator.innerText())!
  await operator.getByRole('link', { name: 'KPN' }).click()
  await expect(page.getByRole('searchbox', { name: 'Search assets' })).toHaveValue('network:204-08 state:active')
  await expect(page.getByText(`of ${count}`, { exact: false })).toBeVisible()
})

test('what cannot be loaded says so and can be asked for again, beside the rest', async ({ page, signIn, open }) => {
  await signIn('owner')
  await page.route('**/v1/overview/verdict', (route) => route.abort())
  await open('/')
  await expect(page.getByText('How many SIMs work could not be loaded.')).toBeVisible({ timeout: 20_000 })
  await expect(page.getByRole('heading', { name: 'Top consumers' })).toBeVisible()
  await page.unroute('**/v1/overview/verdict')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { name: /SIMs that should work do/ })).toBeVisible()
})
