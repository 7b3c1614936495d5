import { readFile } from 'node:fs/promises'
import type { Locator } from '@playwright/test'
import { openProductDatabase } from '@masthead/testkit/product-database'
import { dialog, enter, table } from './backoffice-page.ts'
import { expect, loseAnswer, signInAs, test } from './fixtures.ts'

const db = openProductDatabase(process.env.MASTHEAD_E2E_DATABASE_URL!)
test.afterAll(() => db.destroy())

async function choose(modal: Locator, name: string, text: string) {
  const chooser = modal.page().waitForEvent('filechooser')
  await modal.getByRole('button', { name: 'File', exact: true }).click()
  await (await chooser).setFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })
}

test('the home finds anything by the keyboard', async ({ page, signIn, open, expectAccessible }) => {
  await signIn('staff')
  await enter(page)
  await open('/masa')
  const rows =
    'Dashboard, Logs, Networks, Data Pools, Price Lists, Payments, Coupons, Gateways, Broker, Feeds, Quarantine, Advisories, Accounts, Stock, Remote Support'
  await expect(page.getByRole('group', { name: 'Backoffice' }).getByRole('link')).toHaveText(rows.split(', '))
  const search = page.getByRole('searchbox', { name: 'Find anything' })
  await expect(search).toBeFocused()
  await page.keyboard.type('reefer-truck-014')
  const found = page.getByRole('list', { name: 'Found' })
  await expect(found.getByRole('button')).not.toHaveCount(0)
  await expectAccessible()
  await search.focus()
  await page.keyboard.press('ArrowDown')
  const second = (await found.getByRole('button').nth(1).innerText()).match(/reefer-truck-\d+/)![0]
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: second })).toBeVisible()
  await expect(page.getByRole('main')).toContainText('Acme Telemetry')
  await expectAccessible()
  // A gateway is opened, and not only the list that it is in.
  await open('/masa')
  await search.fill('pgw-ams')
  await expect(found.getByRole('button')).toHaveCount(1)
  await search.press('Enter')
  await expect(dialog(page, 'pgw-ams-1')).toBeVisible()
})

test('an account is suspended with a reason, its people read it, and it is resumed', async ({ page, signIn, open, expectAccessible }) => {
  await signIn('staff')
  await enter(page)
  await open('/masa/accounts?search=invited')
  await table(page, 'Accounts').getByRole('link', { name: 'North Cargo' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'North Cargo' })).toBeVisible()
  await expectAccessible()
  await page.getByRole('textbox', { name: 'Note' }).fill('Called back')
  await page.getByRole('button', { name: 'Add note' }).click()
  await expect(page.getByRole('main')).toContainText('Called back')
  await page.getByRole('button', { name: 'Suspend' }).click()
  await dialog(page, /^Suspend/)
    .getByRole('button', { name: 'Suspend' })
    .click()
  await expect(dialog(page, /^Suspend/)).toContainText('Say why')
  await dialog(page, /^Suspend/)
    .getByRole('textbox', { name: 'Reason' })
    .fill('Payment is overdue')
  await dialog(page, /^Suspend/)
    .getByRole('button', { name: 'Suspend' })
    .click()
  await expect(page.getByRole('main')).toContainText('Payment is overdue')
  await page.getByRole('button', { name: 'Resume' }).click()
  await dialog(page, /^Resume/)
    .getByRole('textbox', { name: 'Reason' })
    .fill('Paid today')
  await dialog(page, /^Resume/)
    .getByRole('button', { name: 'Resume' })
    .click()
  await expect(page.getByRole('button', { name: 'Suspend' })).toBeVisible()
  await page.getByRole('tab', { name: 'Audit log' }).click()
  await page.getByRole('button', { name: 'Suspended the account' }).first().click()
  await expect(dialog(page, 'Suspended the account')).toContainText('Payment is overdue')
  await expect(table(page, 'Before and after')).toContainText('suspended')
  await signIn('invited')
  await open('/activities')
  await expect(page.getByRole('main')).toContainText('Suspended the account: Payment is overdue')
  await expect(page.getByRole('main')).toContainText('Support staff')
})

test('staff see the console of a customer and can change nothing there', async ({ page, signIn, open }) => {
  await signIn('staff')
  await enter(page)
  await open('/masa/accounts/owner@demo.test')
  await page.getByRole('button', { name: 'View as customer' }).click()
  await dialog(page, /^View the console/)
    .getByRole('textbox', { name: 'Reason' })
    .fill('To see what they see')
  await loseAnswer(page, '**/v1/backoffice/accounts/*/view')
  await dialog(page, /^View the console/)
    .getByRole('button', { name: 'View as customer' })
    .click()
  await expect(page.getByRole('main')).toContainText('You are looking at the console of owner@demo.test as staff')
  await expect(page.getByRole('heading', { level: 1, name: 'Hello' })).toBeVisible()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Assets' }).click()
  await expect(page.getByRole('button', { name: 'Register asset' })).toHaveAttribute('aria-disabled', 'true')
  const refused = await page.request.post('/v1/tags', { data: { name: 'mine' } })
  expect([refused.status(), ((await refused.json()) as { code: string }).code]).toEqual([403, 'view_only'])
  await page.getByRole('button', { name: 'Stop viewing' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Backoffice Access' })).toBeVisible()
  await page.goto('/#/activities')
  await expect(page.getByRole('main')).not.toContainText('You are looking at the console of')
})

test('networks are compared with a file before anything is taken over', async ({ page, signIn, open, expectAccessible }) => {
  await signIn('staff')
  await enter(page)
  // Another price each time, so that there is something to take over.
  const price = `0.00${(Date.now() % 900) + 100}5`
  await open('/masa/networks?search=213-03')
  await expect(table(page, 'Networks')).toContainText('Andorra Telecom')
  await expectAccessible()
  await page.getByRole('button', { name: 'Import CSV' }).click()
  const modal = dialog(page, 'Import networks')
  await choose(modal, 'networks.csv', `mccmnc,zone,cost,price\n213-03,Europe,0.0031,${price}\n`)
  await modal.getByRole('button', { name: 'Preview' }).click()
  await expect(table(page, 'What would change')).toContainText(price)
  await expect(modal).toContainText('Nothing has been saved yet')
  await modal.getByRole('button', { name: 'Import 1 change' }).click()
  await expect(table(page, 'Networks')).toContainText(`$0.0031 → $${price}`)
  await table(page, 'Networks').getByRole('button', { name: 'Andorra Telecom', exact: true }).click()
  await expect(table(page, 'Rates')).toContainText(`$${price}`)
})

test('stock is loaded from a file with its wrong lines reported, and assigned; that it was handed over is said before', async ({
  page,
  signIn,
  open,
  browser,
  baseURL,
}) => {
  const serial = `E2E-LOAD-${Date.now()}`
  await signIn('staff')
  const headers = await enter(page)
  await open('/masa/stock?state=free')
  await page.getByRole('button', { name: 'Load stock' }).click()
  const load = dialog(page, 'Load stock')
  await choose(load, 'stock.csv', `type,serial\nplastic_sim,${serial}\nspoon,${serial}-2\n`)
  await load.getByRole('button', { name: 'Load', exact: true }).click()
  await expect(load).toContainText('2 lines: 1 loaded, 0 already there, 1 rejected.')
  await expect(table(page, 'Rejected lines')).toContainText('"spoon" is not a type')
  await load.getByRole('button', { name: 'Done' }).click()
  await open(`/masa/stock?search=${serial}`)
  const row = table(page, 'Stock').getByRole('row', { name: serial })
  const assign = dialog(page, `Assign ${serial}`)
  const openAssign = async () => {
    await row.getByRole('button', { name: `Actions for ${serial}` }).click()
    await page.getByRole('menuitem', { name: 'Assign to an account' }).click()
    await expect(assign).toBeVisible()
  }
  const finishAssign = async () => {
    await assign.getByRole('textbox', { name: 'To account' }).fill('empty@demo.test')
    await assign.getByRole('textbox', { name: 'Reason' }).fill('Ordered by telephone')
    await assign.getByRole('button', { name: 'Assign' }).click()
    await expect(row).toContainText('empty@demo.test')
  }
  await openAssign()
  await expect(assign).not.toContainText('handed over')
  await finishAssign()
  // Its owner hands it over meanwhile.
  const found = await page.request.get(`/v1/backoffice/inventory?search=${serial}`, { headers })
  const { items } = (await found.json()) as { items: { asset_id: string }[] }
  const elsewhere = await browser.newContext({ baseURL: baseURL! })
  await signInAs(await elsewhere.newPage(), 'empty@demo.test')
  const data = { to: 'waits@example.test', serial }
  const released = await elsewhere.request.post(`/v1/assets/${items[0]!.asset_id}/release`, { data })
  expect(released.ok(), await released.text()).toBe(true)
  await elsewhere.close()
  await open('/masa')
  await page.getByRole('searchbox', { name: 'Find anything' }).fill(serial)
  await expect(page.getByRole('list', { name: 'Found' }).getByRole('button')).toContainText('Handed over to waits@example.test')
  await open(`/masa/stock?search=${serial}`)
  await expect(row).toContainText('Handed over')
  await openAssign()
  await expect(assign).toContainText('It was handed over and waits for waits@example.test')
  await finishAssign()
  // Back again, so that the empty account is empty.
  await row.getByRole('button', { name: `Actions for ${serial}` }).click()
  await page.getByRole('menuitem', { name: 'Transfer' }).click()
  await dialog(page, `Transfer ${serial}`).getByRole('textbox', { name: 'Reason' }).fill('Taken back')
  await dialog(page, `Transfer ${serial}`).getByRole('button', { name: 'Transfer' }).click()
  await expect(row).toContainText('Available')
})

/** Three sessions that no SIM has, like those of the demo, with a number of their own: what is matched stays matched. */
async function quarantineAgain() {
  const number = `20408${String(Date.now()).slice(-10)}`
  const rows = await db.selectFrom('quarantine').selectAll().where('identity', '=', '204080099990017').execute()
  const own = rows.map((row, n) => {
    const acct_session_id = `e2e-${number}-${n}`
    const packet = { ...(row.last_packet as object), imsi: number, acct_session_id }
    return { ...row, id: `qtn_${acct_session_id}`, identity: number, imsi: number, acct_session_id, last_packet: JSON.stringify(packet) }
  })
  await db.insertInto('quarantine').values(own).execute()
  return number
}

test('usage that matched no SIM is matched, and counted there', async ({ page, signIn, open, expectAccessible }) => {
  await signIn('staff')
  const headers = await enter(page)
  const found = await page.request.get('/v1/backoffice/search?search=buoy-biscay-03', { headers })
  const { items } = (await found.json()) as { items: { kind: string; note: string }[] }
  const serial = items.find(({ kind }) => kind === 'asset')!.note
  const number = await quarantineAgain()
  await open(`/masa/quarantine?search=${number}`)
  const rows = table(page, 'Quarantine').getByRole('row', { name: number })
  await expect(rows).toHaveCount(3)
  await expectAccessible()
  await rows
    .first()
    .getByRole('button', { name: /^Actions for/ })
    .click()
  await page.getByRole('menuitem', { name: 'Match to a SIM' }).click()
  const match = dialog(page, /^Whose SIM is/)
  await match.getByRole('textbox', { name: 'SIM' }).fill('8999999999999999999')
  await match.getByRole('textbox', { name: 'Reason' }).fill('A batch that was never loaded')
  await match.getByRole('button', { name: 'Count it for this SIM' }).click()
  await expect(match).toContainText('No registered SIM has the number')
  await match.getByRole('textbox', { name: 'SIM' }).fill(serial)
  await match.getByRole('button', { name: 'Count it for this SIM' }).click()
  await expect(page.getByRole('region', { name: 'Notifications' })).toContainText('5.68 MB of 3 sessions are counted for buoy-biscay-03')
  await expect(rows).toHaveCount(0)
  // Counting goes on after the answer, and is done before anybody could look: as it stands until then, and the screen asks until it is done.
  const counted = db.selectFrom('quarantine').select('id').where('identity', '=', number).where('counted_at', 'is not', null)
  await expect.poll(() => counted.execute()).toHaveLength(3)
  const mark = (counted_at: Date | null) => db.updateTable('quarantine').set({ counted_at }).where('identity', '=', number).execute()
  await mark(null)
  await page.getByRole('tab', { name: /^Matched/ }).click()
  await expect(rows.first()).toContainText('Being counted')
  await expect(rows.first()).toContainText('buoy-biscay-03')
  await mark(new Date())
  await expect(rows.first()).toContainText('owner@demo.test')
})

test('the audit log is filtered, opened and exported', async ({ page, signIn, open, expectAccessible }) => {
  await signIn('staff')
  await enter(page, { reason: 'Reading the log' })
  await open('/masa/logs?action=backoffice.entered')
  await expect(
    table(page, 'Audit log')
      .getByRole('row', { name: /Reading the log/ })
      .first()
  ).toContainText('Entered the backoffice')
  await expectAccessible()
  await page.getByRole('button', { name: 'Remove filter Action' }).click()
  await expect(table(page, 'Audit log').getByRole('row')).toHaveCount(11)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  const text = await readFile(await (await download).path(), 'utf8')
  expect(text).toMatch(/^[^\n]*at,staff,action,sentence[^]*Reading the log/)
})

test('on a phone nothing is wider than the screen', async ({ page, signIn, open, expectAccessible }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await signIn('staff')
  await enter(page)
  for (const path of ['', '/accounts', '/accounts/owner@demo.test', '/networks', '/gateways', '/stock', '/quarantine', '/logs']) {
    await open(`/masa${path}`)
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth <= window.innerWidth'), path).toBe(true)
  }
  // Measured at once: a row that comes live takes the place of the first.
  await expect(page.locator('table [data-list=aside] time').first()).toBeVisible()
  const lower = page.locator('table').evaluate((table) => {
    const topOf = (part: string) => table.querySelector(part)!.getBoundingClientRect().top
    return topOf('[data-list=title] button') - topOf('[data-list=aside] time')
  })
  expect(await lower).toBeLessThan(3)
  await expectAccessible()
})
