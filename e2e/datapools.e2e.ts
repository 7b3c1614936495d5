import type { Page } from '@playwright/test'
import { openProductDatabase } from '@masthead/testkit/product-database'
import { dialog, enter, table } from './backoffice-page.ts'
import { expect, signInAs, test } from './fixtures.ts'
import { actLimited } from './limited-member.ts'
import { openAccount } from './new-account.ts'
import { openWithSims } from './own-sims.ts'

test('pools say what is left and when it will be gone; a pool is opened beside the list, by link too', async ({ page, signIn, open }) => {
  await signIn('owner')
  await open('/datapools')
  const europe = page.getByRole('region', { name: /^Europe/ })
  await expect(europe).toContainText(/% more|stop|pay as you go/)
  await expect(europe.getByRole('progressbar')).toHaveAttribute('aria-valuenow', /^(9\d|100)$/)
  await expect(page.getByRole('region', { name: /^Trial/ })).toContainText('Exhausted')
  await europe.getByRole('link', { name: /^Europe/ }).click()
  const sheet = page.getByRole('dialog', { name: /^Europe/ })
  await expect(sheet.getByRole('table', { name: 'SIMs' }).getByRole('row')).not.toHaveCount(1)
  await page.reload()
  await expect(sheet).toBeVisible()
  await sheet.getByRole('tab', { name: 'By day' }).click()
  await expect(sheet.getByRole('table', { name: 'Usage by day' }).getByRole('row')).not.toHaveCount(1)
  await sheet.getByRole('tab', { name: 'Settings' }).click()
  await sheet.getByRole('textbox', { name: 'Alerts at' }).fill('70 and 95')
  await sheet.getByRole('button', { name: 'Save' }).click()
  await expect(sheet).toContainText('Enter whole per cents, like 80, 95')
  await sheet.getByRole('textbox', { name: 'Alerts at' }).fill('70, 95')
  await sheet.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('The data pool was changed').first()).toBeVisible()
  await sheet.getByRole('button', { name: 'Close' }).click()
  await expect(europe).toContainText('Alerts at 70 and 95 %')
})

test('staff offer a package and open a pool of it for a customer', async ({ page, signIn, open }) => {
  const name = `Test ${Date.now() % 100_000} GB`
  await signIn('staff')
  await enter(page)
  await open('/masa/datapools?tab=packages')
  await page.getByRole('button', { name: 'Create package' }).click()
  const create = dialog(page, 'Create package')
  await create.getByRole('textbox', { name: 'Name' }).fill(name)
  await create.getByRole('textbox', { name: 'Most SIMs' }).fill('25')
  await create.getByRole('button', { name: 'Create package' }).click()
  await expect(table(page, 'Packages')).toContainText(name)
  await page.getByRole('tab', { name: 'Pools' }).click()
  await page.getByRole('button', { name: 'Open pool' }).click()
  const opening = dialog(page, 'Open pool')
  await opening.getByRole('textbox', { name: /E-mail/ }).fill('empty@demo.test')
  await opening.getByRole('button', { name: /^Package/ }).click()
  await page.getByRole('option', { name: new RegExp(name) }).click()
  await opening.getByRole('textbox', { name: 'Reason' }).fill('A test of the pools')
  await opening.getByRole('button', { name: 'Open pool' }).click()
  await expect(table(page, 'Data pools').getByRole('row', { name: new RegExp(name) })).toContainText('Active')
})

test('from a SIM without service to its pool; assets join a pool by their number and by a tag, and leave it', async ({
  page,
  signIn,
  open,
  expectAccessible,
}) => {
  await signIn('owner')
  await open('/assets?search=reefer-truck-0131')
  await page.getByRole('link', { name: 'reefer-truck-0131' }).click()
  await page.getByRole('region', { name: 'Service' }).getByRole('button', { name: 'Change pool' }).press('Enter')
  const trial = page.getByRole('dialog', { name: /^Trial/ })
  await expect(trial).toContainText(/Exhausted since .*1 SIM has no service/)
  await trial.getByRole('button', { name: /^After the pool/ }).click()
  await page.getByRole('option', { name: 'Pay as you go' }).click()
  await expect(trial).toContainText('1 SIM has service again at once.')

  const { email, assets } = await openWithSims(page, 2)
  const [first, second] = [assets[0]!, assets[1]!]
  await signIn('staff')
  const headers = await enter(page)
  const name = `Members ${Date.now() % 100_000}`
  const size = {
    kind: 'fixed',
    size_bytes: 1e9,
    zone: null,
    validity: { count: 1, unit: 'month' },
    price_micros: 0,
    overage_policy: 'stop',
  }
  const offered = (await (await page.request.post('/v1/backoffice/packages', { headers, data: { name, ...size } })).json()) as {
    id: string
  }
  const data = { account: email, package_id: offered.id, reason: 'A test of members' }
  expect((await page.request.post('/v1/backoffice/datapools', { headers, data })).status()).toBe(200)

  await signInAs(page, email, 'correct horse battery')
  await page.request.patch(`/v1/assets/${second.id}`, { data: { tags: [(await tagOf(page)).id] } })
  await open('/datapools')
  await page
    .getByRole('region', { name })
    .getByRole('link', { name: /^Manage/ })
    .click()
  const sheet = page.getByRole('dialog', { name })
  await expect(sheet).toContainText('No SIM draws from this pool')
  await sheet.getByRole('button', { name: 'Add assets' }).click()
  const adding = dialog(page, `Add assets to ${name}`)
  await adding.getByRole('textbox', { name: 'Assets' }).fill(`nonsense ${first.sim!.iccid}`)
  await adding.getByRole('button', { name: 'Add assets' }).click()
  await expect(adding.getByRole('alert')).toContainText('No asset has the serial number, ICCID or id "nonsense". Nothing was added')
  await adding.getByRole('textbox', { name: 'Assets' }).fill(first.sim!.iccid)
  await adding.getByRole('button', { name: 'Add assets' }).click()
  const sims = sheet.getByRole('table', { name: 'SIMs' })
  await expect(sims.getByRole('row', { name: new RegExp(first.name) })).toContainText('Added directly')
  await sheet.getByRole('tab', { name: 'Settings' }).click()
  await sheet.getByRole('combobox', { name: 'Tags' }).fill('pool-members')
  await page.getByRole('option', { name: 'pool-members' }).click()
  await sheet.getByRole('tab', { name: 'SIMs' }).click()
  await expect(sims.getByRole('row', { name: new RegExp(second.name) })).toContainText('By its tag pool-members')
  await expectAccessible()
  await sims.getByRole('button', { name: `Actions for ${first.name}` }).click()
  await page.getByRole('menuitem', { name: 'Take out of the pool' }).click()
  await dialog(page, `Take ${first.name} out of ${name}?`).getByRole('button', { name: 'Take out' }).click()
  await expect(sims.getByRole('row', { name: new RegExp(first.name) })).toBeHidden()
})

test('a member who is limited to a tag reads in the sheet why the pool is closed to them, before they press anything', async ({
  page,
  signIn,
  open,
  expectAccessible,
}) => {
  await signIn('owner')
  const { items: pools } = (await (await page.request.get('/v1/datapools')).json()) as { items: { id: string; name: string }[] }
  const { id, name } = pools.find((pool) => pool.name.startsWith('Europe'))!
  const { items: sims } = (await (await page.request.get(`/v1/datapools/${id}/sims`)).json()) as { items: { asset_id: string }[] }
  const asset = (await (await page.request.get(`/v1/assets/${sims[0]!.asset_id}`)).json()) as { tags: { id: string }[] }
  await using _ = await actLimited(page, ['assets.view', 'datapools', 'datapools.view', 'datapools.edit'], asset.tags[0]!.id)
  await open('/datapools')
  const card = page.getByRole('region', { name })
  await expect(card).toContainText('All figures are of the whole pool')
  await expect(card.getByText('Price', { exact: true })).toHaveCount(0)
  await open(`/datapools?pool=${id}&of=settings`)
  const sheet = page.getByRole('dialog', { name })
  const save = sheet.getByRole('button', { name: 'Save' })
  await expect(save).toHaveAttribute('aria-disabled', 'true')
  await expect(save).toHaveAccessibleDescription(/limited to some tags/)
  await expect(sheet.getByRole('combobox', { name: 'Tags' })).toBeDisabled()
  await expectAccessible()
  await sheet.getByRole('tab', { name: 'SIMs' }).click()
  await expect(sheet.getByRole('button', { name: 'Add assets' })).toBeEnabled()
})

const tagOf = async (page: Page) => {
  const answer = await page.request.post('/v1/tags', { data: { name: 'pool-members' } })
  return (await answer.json()) as { id: string }
}

test('an account buys data with its credits, and is refused in words where they do not suffice', async ({
  page,
  signIn,
  open,
  expectAccessible,
}) => {
  await signIn('staff')
  const headers = await enter(page)
  const size = { kind: 'fixed', size_bytes: 5e9, validity: { count: 30, unit: 'day' }, overage_policy: 'stop' }
  const offer = async (name: string, price_micros: number) =>
    expect((await page.request.post('/v1/backoffice/packages', { headers, data: { name, price_micros, ...size } })).status()).toBe(200)
  const [cheap, dear] = [`Cheap ${Date.now() % 100_000}`, `Dear ${Date.now() % 100_000}`]
  await offer(cheap, 1_500_000)
  await offer(dear, 900_000_000_000)
  await signIn('owner')
  await open('/datapools')
  await page.getByRole('button', { name: 'Buy data' }).click()
  const buying = dialog(page, 'Buy data')
  await buying.getByRole('button', { name: /^Package/ }).click()
  await expect(page.getByRole('searchbox', { name: 'Find in Package' })).toBeFocused()
  // Enter in the search chooses; it does not send the form around it.
  await page.keyboard.press('Enter')
  await expect(buying).not.toContainText('Choose a package')
  await page.keyboard.type(dear)
  await page.keyboard.press('Enter')
  await expect(buying.getByRole('button', { name: /^Package/ })).toContainText(dear)
  await buying.getByRole('button', { name: 'Buy', exact: true }).click()
  await expect(buying).toContainText(/This costs \$900,000\.00 and .*\$[\d,.]+.*\. Add credits first/)
  await buying.getByRole('button', { name: /^Package/ }).click()
  await page.getByRole('option', { name: new RegExp(cheap) }).click()
  await expect(buying).toContainText('$1.50 for 30 days, the first term is paid now')
  await expectAccessible()
  await buying.getByRole('button', { name: 'Buy', exact: true }).click()
  await expect(page.getByText(`The data pool ${cheap} is open`).first()).toBeVisible()
  // It is shown, because it needs assets. Whoever wants no other term finds that among its settings.
  const bought = dialog(page, cheap)
  await bought.getByRole('tab', { name: 'Settings' }).click()
  await expect(bought).toContainText(/The pool renews on .*\. \$1\.50 is paid from the balance then/)
  await bought.getByRole('switch', { name: `Auto-renew ${cheap}` }).click()
  await expect(bought).toContainText(/The pool ends on .*, and its SIMs go on without it/)
  await expectAccessible()
  await bought.getByRole('button', { name: 'Close' }).click()
  await expect(page.getByRole('region', { name: cheap })).toContainText('5 GB')
  await expect(page.getByRole('region', { name: cheap })).toContainText('the pool ends on')
  await open('/usage/cost-activity')
  await expect(page.getByRole('row', { name: new RegExp(`Data pool ${cheap}`) })).toContainText('1.50')
})

test('who has no pool is led to the prices; where billing is off, buying says so before anything is chosen', async ({ page, open }) => {
  await openAccount(page, {
    email: `${crypto.randomUUID().slice(0, 8)}@example.test`,
    password: 'correct horse battery',
    team_name: 'No pools',
  })
  await open('/datapools')
  await expect(page.getByRole('link', { name: 'What data costs without a pool' })).toHaveAttribute('href', /#\/billing\/pricing$/)
  await page.getByRole('button', { name: 'Buy data' }).click()
  const buying = dialog(page, 'Buy data')
  await expect(buying).toContainText('Billing is not switched on for this account: your provider can open a data pool for you.')
  await expect(buying.getByRole('button', { name: 'Buy', exact: true })).toHaveAttribute('aria-disabled', 'true')
})

test('a pool that is used up is given its data once more for the term', async ({ page, signIn, open, expectAccessible }) => {
  await signIn('staff')
  const headers = await enter(page)
  const name = `Twice ${Date.now() % 100_000}`
  const size = { kind: 'fixed', size_bytes: 5e9, validity: { count: 30, unit: 'day' }, overage_policy: 'stop' }
  const offered = await page.request.post('/v1/backoffice/packages', { headers, data: { name, price_micros: 1_500_000, ...size } })
  const { id: package_id } = (await offered.json()) as { id: string }
  await signIn('owner')
  const bought = await page.request.post('/v1/datapools', { data: { package_id } })
  const { id: pool_id, term_start } = (await bought.json()) as { id: string; term_start: string }
  // As the meter leaves it.
  const db = openProductDatabase(process.env.MASTHEAD_E2E_DATABASE_URL!)
  const { account_id } = await db.selectFrom('data_pool').select('account_id').where('id', '=', pool_id).executeTakeFirstOrThrow()
  const [at, starts_at] = [new Date(), new Date(term_start)]
  await db.insertInto('data_pool_counter').values({ account_id, pool_id, starts_at, part: 0, within_bytes: 5e9, over_bytes: 0 }).execute()
  await db.updateTable('data_pool_term').set({ used_up_at: at, exhausted_at: at }).where('pool_id', '=', pool_id).execute()
  await db.destroy()
  await open('/datapools')
  const pool = page.getByRole('region', { name })
  await expect(pool).toContainText('Exhausted')
  await pool.getByRole('button', { name: 'Buy 5 GB more, $1.50' }).click()
  const more = dialog(page, `Buy 5 GB more for ${name}?`)
  await expect(more).toContainText('$1.50 is taken from the balance')
  await expectAccessible()
  await more.getByRole('button', { name: 'Pay $1.50' }).click()
  await expect(pool).toContainText('of 10 GB')
  await expect(pool.getByRole('button', { name: /^Buy 5 GB more/ })).toHaveCount(0)
  await open('/usage/cost-activity')
  await expect(page.getByRole('row', { name: new RegExp(`Data pool ${name}, 5 GB more`) })).toContainText('1.50')
})

test('a package that grows is bought for nothing, and each SIM is paid when it is added', async ({
  page,
  signIn,
  open,
  expectAccessible,
}) => {
  await signIn('staff')
  const headers = await enter(page)
  const name = `Growing ${Date.now() % 100_000}`
  const size = { kind: 'dynamic', size_bytes: 1e9, validity: { count: 30, unit: 'day' }, overage_policy: 'stop' }
  const offered = await page.request.post('/v1/backoffice/packages', { headers, data: { name, price_micros: 2_000_000, ...size } })
  expect(offered.status()).toBe(200)
  await signIn('owner')
  const { items } = (await (await page.request.get('/v1/assets?page_size=1&sim_status=active')).json()) as { items: { serial: string }[] }
  await open('/datapools')
  await page.getByRole('button', { name: 'Buy data' }).click()
  const buying = dialog(page, 'Buy data')
  await buying.getByRole('button', { name: /^Package/ }).click()
  await page.getByRole('option', { name: new RegExp(name) }).click()
  await expect(buying).toContainText('$2.00 a SIM for 30 days: each SIM is paid when you add it, and nothing before')
  await expectAccessible()
  await buying.getByRole('button', { name: 'Buy', exact: true }).click()
  await expect(page.getByText(`The data pool ${name} is open`).first()).toBeVisible()
  await page.getByRole('button', { name: 'Add assets' }).click()
  const adding = dialog(page, `Add assets to ${name}`)
  await expect(adding).toContainText('Each SIM brings 1 GB and costs $2.00 for 30 days')
  await adding.getByRole('textbox').fill(items[0]!.serial)
  await expectAccessible()
  await adding.getByRole('button', { name: 'Add assets' }).click()
  await expect(page.getByText('1 asset was added. $2.00 was paid').first()).toBeVisible()
  await open('/usage/cost-activity')
  await expect(page.getByRole('row', { name: new RegExp(`Data pool ${name}`) })).toContainText('2.00')
})
