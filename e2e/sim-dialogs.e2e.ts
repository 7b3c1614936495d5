import type { Page } from '@playwright/test'
import { openProductDatabase } from '@masthead/testkit/product-database'
import { sql } from 'kysely'
import { expect, test } from './fixtures.ts'
import { openWithSims } from './own-sims.ts'

const db = openProductDatabase(process.env.MASTHEAD_E2E_DATABASE_URL!)
test.afterAll(() => db.destroy())

const service = (page: Page) => page.getByRole('region', { name: 'Service' })
const dialog = (page: Page) => page.getByRole('dialog')
async function choose(page: Page, item: string) {
  await page.getByRole('button', { name: 'More actions' }).press('Enter')
  await page.getByRole('menuitem', { name: item, exact: true }).press('Enter')
  await expect(dialog(page)).toBeVisible()
}

test('a limit below what was used blocks the SIM; raised for this month alone it has service again', async ({
  page,
  open,
  expectAccessible,
}) => {
  const asset = (await openWithSims(page, 1)).assets[0]!
  await page.request.post(`/v1/assets/${asset.id}/sim/activate`)
  // What the network would have reported.
  await sql`insert into sim_counter (account_id, sim_id, period_start, bytes_up, bytes_down, lifetime_up, lifetime_down, seen_at, day, day_up, day_down)
    select account_id, id, date_trunc('month', now() at time zone 'UTC')::date, 1500000, 500000, 1500000, 500000, now(), (now() at time zone 'UTC')::date, 0, 0
    from sim where asset_id = ${asset.id} on conflict (account_id, sim_id) do update set bytes_up = excluded.bytes_up, bytes_down = excluded.bytes_down`.execute(
    db
  )
  await open(`/assets/${asset.id}`)
  await choose(page, 'Data limit')
  await expect(dialog(page)).toContainText('When it is reached, the SIM is blocked and its session is cut.')
  await dialog(page).getByRole('button', { name: /^Unit/ }).press('Enter')
  await page.getByRole('option', { name: 'MB', exact: true }).press('Enter')
  await dialog(page).getByRole('textbox', { name: 'Data' }).fill('1')
  // Before, not after: it is below what was used.
  await expect(dialog(page)).toContainText('It has used 2 MB this month: the SIM is blocked at once, and its session is cut.')
  await expectAccessible()
  await dialog(page).getByRole('button', { name: 'Set limit' }).press('Enter')
  await expect(service(page).getByRole('heading', { name: 'No service: data limit reached' })).toBeVisible()
  const raising = page.getByRole('dialog', { name: 'Raise the limit for this month' })
  // What comes of the block moves the buttons: a key that meets none is pressed again.
  await expect(async () => {
    await service(page).getByRole('button', { name: 'Raise limit' }).press('Enter')
    await expect(raising).toBeVisible({ timeout: 2000 })
  }).toPass()
  await expect(raising).toContainText('2 MB of 1 MB used this month')
  await raising.getByRole('radio', { name: '5 MB' }).press('Space')
  await raising.getByRole('button', { name: 'Raise to 5 MB' }).press('Enter')
  await expect(service(page).getByRole('heading', { name: 'Service is available, the device is not connected' })).toBeVisible()
  await expect(page.getByRole('main')).toContainText('5 MB this month, else 1 MB a month')
  // The block was a limit that was reached by a change: it has its proof.
  await page.getByRole('tab', { name: 'Network' }).click()
  await page.getByRole('link', { name: 'No session was cut' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Proof of a cut' })).toBeVisible()
})

test('a SIM that its group refuses where it is says so, and leads to the group; one without credits leads to Add Credits', async ({
  page,
  open,
  expectAccessible,
}) => {
  const { assets } = await openWithSims(page, 2)
  const [asset, other] = [assets[0]!, assets[1]!]
  for (const { id } of assets) await page.request.post(`/v1/assets/${id}/sim/activate`)
  const made = await page.request.post('/v1/network-groups', { data: { name: 'Reefers', countries: ['DE'] } })
  const { id: network_group } = (await made.json()) as { id: string }
  await page.request.patch(`/v1/assets/${asset.id}`, { data: { supersim: { network_group } } })
  // What the network would have reported.
  await sql`insert into connection_event (account_id, sim_id, asset_id, hour, kind, key, first_at, last_at, count, words, mccmnc, rat)
    select account_id, id, asset_id, date_trunc('hour', now(), 'UTC'), 'rejected', 'network:group 208-01 EUTRAN', now(), now(), 14, 'Refused', '208-01', 'EUTRAN'
    from sim where asset_id = ${asset.id}`.execute(db)
  await open(`/assets/${asset.id}`)
  await expect(service(page).getByRole('heading', { name: 'No service: its group does not allow the network' })).toBeVisible()
  await expect(service(page)).toContainText('France is not allowed by the network group Reefers.')
  await expect(service(page).getByRole('listitem').filter({ hasText: 'Access refused: not fulfilled' })).toContainText('14 times')
  await expectAccessible()
  await service(page).getByRole('button', { name: 'Change group' }).click()
  await expect(dialog(page).getByRole('link', { name: 'in the group' })).toHaveAttribute(
    'href',
    new RegExp(`/network-groups/${network_group}$`)
  )
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toBeHidden()

  const block = {
    code: 'balance',
    since: new Date().toISOString(),
    by: 'system',
    words: 'The account has no credits left',
    clears: 'When credits are added',
  }
  await sql`update sim set blocks = ${JSON.stringify([block])}::jsonb where asset_id = ${other.id}`.execute(db)
  await open(`/assets/${other.id}`)
  await service(page).getByRole('button', { name: 'Add credits' }).click()
  await expect(page).toHaveURL(/#\/billing\/addcredits$/)
})

test('a SIM in a strange device is locked to it by a button where it says why it has no service', async ({
  page,
  open,
  expectAccessible,
}) => {
  const asset = (await openWithSims(page, 1)).assets[0]!
  await page.request.post(`/v1/assets/${asset.id}/sim/activate`)
  await open(`/assets/${asset.id}`)
  await choose(page, 'IMEI lock')
  await dialog(page)
    .getByRole('radio', { name: /^These devices alone/ })
    .check()
  const imeis = dialog(page).getByRole('textbox', { name: 'Accepted IMEIs' })
  await imeis.fill('490154203237519')
  await expect(dialog(page)).toContainText('490154203237519 is no IMEI')
  await expect(dialog(page).getByRole('button', { name: 'Save' })).toHaveAttribute('aria-disabled', 'true')
  await imeis.fill('490154203237518')
  await dialog(page).getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('main')).toContainText('Locked to one device')
  // Its SIM is seen in another one.
  const block = {
    code: 'imei_mismatch',
    since: new Date().toISOString(),
    by: 'system',
    words: 'Used in another device',
    clears: 'When it is accepted',
  }
  await sql`update sim set imei = '353328112044175', blocks = ${JSON.stringify([block])}::jsonb where asset_id = ${asset.id}`.execute(db)
  await page.reload()
  await expect(service(page).getByRole('heading', { name: 'No service: IMEI does not match' })).toBeVisible()
  await choose(page, 'IMEI lock')
  await dialog(page).getByRole('radio', { name: 'Any device', exact: true }).check()
  await expect(dialog(page)).toContainText('1 SIM will no longer be blocked for its device.')
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toBeHidden()
  await service(page).getByRole('button', { name: 'Accept device' }).click()
  await dialog(page)
    .getByRole('radio', { name: /^Lock to it/ })
    .check()
  await expectAccessible()
  await dialog(page).getByRole('button', { name: 'Lock to it' }).click()
  await expect(service(page).getByRole('heading', { name: /^Service is available/ })).toBeVisible()
  await expect(service(page)).toContainText('locked to 353328112044175')
})

test('a SIM that a rule blocks says which, and leads to that rule, also where it is gone', async ({ page, open, expectAccessible }) => {
  const asset = (await openWithSims(page, 1)).assets[0]!
  await page.request.post(`/v1/assets/${asset.id}/sim/activate`)
  const block = {
    code: 'rule',
    since: new Date().toISOString(),
    by: 'system',
    words: 'The alert rule Heavy fired',
    clears: 'When that is taken back in the history of the rule, or when somebody activates the SIM',
    rule_id: 'rule_gone',
  }
  await sql`update sim set blocks = ${JSON.stringify([block])}::jsonb where asset_id = ${asset.id}`.execute(db)
  await open(`/assets/${asset.id}`)
  await expect(service(page).getByRole('heading', { name: 'No service: held by an alert rule' })).toBeVisible()
  await expect(service(page)).toContainText('The alert rule Heavy fired')
  await expectAccessible()
  await service(page).getByRole('button', { name: 'Alert rules' }).click()
  await expect(page).toHaveURL(/notifications\?tab=rules&rule=rule_gone/)
  await expect(page.getByText('Rule not found')).toBeVisible()
  await expectAccessible()
  // Whose rule is gone has a way out as well.
  await open(`/assets/${asset.id}`)
  await service(page).getByRole('button', { name: 'Activate SIM' }).press('Enter')
  await expect(dialog(page)).toContainText('The block of alert rules is taken off.')
  await dialog(page).getByRole('button', { name: 'Activate' }).press('Enter')
  await expect(service(page).getByRole('heading', { name: 'Service is available, the device is not connected' })).toBeVisible()
})

test('the SIM of an asset is swapped, terminated by its number, and the asset handed over by its serial', async ({ page, open }) => {
  const { assets, spare } = await openWithSims(page, 2)
  const [asset, other] = [assets[0]!, assets[1]!]
  await open(`/assets/${asset.id}`)
  await choose(page, 'Swap SIM')
  const token = dialog(page).getByRole('textbox', { name: 'ICCID or serial number of the new SIM' })
  await token.fill('no-such-sim')
  await dialog(page).getByRole('button', { name: 'Swap SIM' }).click()
  await expect(dialog(page).getByRole('alert')).toContainText('not known')
  await token.fill(spare)
  await dialog(page).getByRole('button', { name: 'Swap SIM' }).click()
  await expect(dialog(page)).toBeHidden()
  const main = page.getByRole('main')
  await expect(main.getByRole('button', { name: /^Copy ICCID of the other SIM/ })).toContainText(asset.sim!.iccid)
  const [iccid] = /\d{18,20}/.exec(await main.getByRole('button', { name: /^Copy ICCID \d/ }).innerText())!

  await choose(page, 'Terminate SIM')
  const terminate = dialog(page).getByRole('button', { name: 'Terminate' })
  await dialog(page).getByRole('textbox').fill(iccid.slice(0, -1))
  await expect(terminate).toHaveAttribute('aria-disabled', 'true')
  await dialog(page).getByRole('textbox').fill(iccid)
  await terminate.click()
  await expect(service(page).getByRole('heading', { name: 'No service: this SIM is terminated' })).toBeVisible()
  await expect(service(page).getByRole('button', { name: 'Swap SIM' })).toBeVisible()

  // Registered anew a SIM would be ready again, which this one never is: the menu says so before anything is typed.
  await expect(async () => {
    await page.getByRole('button', { name: 'More actions' }).press('Enter')
    await expect(page.getByRole('menuitem', { name: /^Hand over asset/ })).toContainText('terminated for ever', { timeout: 2000 })
  }).toPass()
  await page.keyboard.press('Escape')
  await open(`/assets/${other.id}`)
  await choose(page, 'Hand over asset')
  await dialog(page)
    .getByRole('radio', { name: /^Back to stock/ })
    .check()
  await dialog(page).getByRole('textbox', { name: /^Type/ }).fill(other.serial)
  await dialog(page).getByRole('button', { name: 'Give back' }).click()
  await expect(page).toHaveURL(/#\/assets$/)
  await expect(main).toContainText(asset.name)
  await expect(main).not.toContainText(other.name)
})

test('a SIM is put on standby and activated again; one is set back to ready as long as it was never active', async ({
  page,
  open,
  expectAccessible,
}) => {
  const asset = (await openWithSims(page, 1)).assets[0]!
  await page.request.post(`/v1/assets/${asset.id}/sim/deactivate`)
  await open(`/assets/${asset.id}`)
  await choose(page, 'Set to ready')
  await expect(dialog(page)).toContainText(asset.sim!.iccid)
  await expectAccessible()
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toBeHidden()
  await expect(service(page).getByRole('heading', { name: /^No service/ })).toBeVisible()
  await choose(page, 'Set to ready')
  await dialog(page).getByRole('button', { name: 'Set to ready' }).press('Enter')
  await expect(service(page).getByRole('heading', { name: /^Ready/ })).toBeVisible()

  await page.request.post(`/v1/assets/${asset.id}/sim/activate`)
  await expect(service(page).getByRole('heading', { name: /^Service is available/ })).toBeVisible()
  await choose(page, 'Put on standby')
  await expectAccessible()
  await dialog(page).getByRole('button', { name: 'Put on standby' }).press('Enter')
  await expect(service(page).getByRole('heading', { name: 'On standby: active again when its device connects' })).toBeVisible()
  await expect(page.getByText(`On standby: the SIM of ${asset.name}`).first()).toBeVisible()

  await page.request.post(`/v1/assets/${asset.id}/sim/deactivate`)
  await expect(service(page).getByRole('heading', { name: /^No service/ })).toBeVisible()
  await expect(async () => {
    await page.getByRole('button', { name: 'More actions' }).press('Enter')
    await expect(page.getByRole('menuitem', { name: 'Put on standby' })).toBeVisible({ timeout: 2000 })
  }).toPass()
  await expect(page.getByRole('menuitem', { name: 'Set to ready' })).toBeHidden()
})
