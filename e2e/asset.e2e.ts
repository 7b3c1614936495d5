import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'

/** The id of the one asset that a search finds. */
async function idOf(page: Page, search: string) {
  const { items } = (await (await page.request.get(`/v1/assets?search=${search}`)).json()) as { items: { id: string }[] }
  return items[0]!.id
}

test('a blocked SIM shows its path up to the break, and what restores service', async ({ page, signIn, open, expectAccessible }) => {
  await signIn('owner')
  await open(`/assets/${await idOf(page, 'reefer-truck-0147')}`)
  await expect(page.getByRole('heading', { level: 1, name: 'reefer-truck-0147' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Service' }).getByRole('link', { name: 'Proof' })).toHaveAttribute(
    'href',
    /enforcements\?asset_id=/
  )
  const service = page.getByRole('region', { name: 'Service' })
  await expect(service.getByRole('heading', { name: 'No service: data limit reached' })).toBeVisible()
  await expect(service).toContainText(/Service returns on .*, or when the limit is raised\./)
  await expect(service).toContainText('The SIM is still set to active.')
  const steps = service.getByRole('list', { name: 'What this SIM needs for service' }).getByRole('listitem')
  await expect(steps).toContainText([
    'SIM set to active: fulfilled',
    'Not blocked by the account: fulfilled',
    'Not held by staff: fulfilled',
    /accepted: fulfilled/,
    'Data limit reached: not fulfilled',
    'Network: not reached',
  ])
  const used = page.getByRole('figure', { name: 'Used this month, of the limit' })
  await expect(used).toContainText(/No service since \d+ \w+, \d+:\d\d [AP]M UTC/)
  await expect(page.getByRole('table', { name: 'Sessions' }).getByRole('row').nth(1)).toBeVisible()
  await expectAccessible()
})

test('every number can be copied, and the asset opens by each of its names', async ({ page, context, signIn, open }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await signIn('owner')
  await open(`/assets/${await idOf(page, 'buoy-baltic-07')}`)
  const copy = page.getByRole('button', { name: /^Copy Serial / })
  const [serial = ''] = (await copy.innerText()).match(/PL-[\d-]+/) ?? []
  await copy.click()
  await expect(page.getByRole('region', { name: 'Notifications' })).toContainText('Copied to clipboard')
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(serial)
  const [iccid = ''] = (await page.getByRole('button', { name: /^Copy Without check digit / }).innerText()).match(/\d{18}/) ?? []
  for (const name of [serial, iccid]) {
    await open(`/assets/${name}`)
    await expect(page.getByRole('heading', { level: 1, name: 'buoy-baltic-07' })).toBeVisible()
  }
})

test('deactivating cuts the live session, and the answer of the gateway is shown', async ({ page, signIn, open }) => {
  await signIn('owner')
  await open('/assets?search=depot-&online=true')
  await page.getByRole('table').getByRole('link').last().click()
  await expect(page.getByRole('heading', { name: 'In service', exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Deactivate' }).click()
  const dialog = page.getByRole('dialog', { name: 'Deactivate this SIM?' })
  await expect(dialog).toContainText('cut at once')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('heading', { name: 'In service', exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Deactivate' }).click()
  await dialog.getByRole('button', { name: 'Deactivate' }).click()
  const service = page.getByRole('region', { name: 'Service' })
  await expect(service.getByRole('heading', { name: 'No service: this SIM is set to inactive' })).toBeVisible()
  await expect(service.getByRole('status').filter({ hasText: 'Session cut' })).toHaveText(
    /^Session cut: confirmed by the gateway after \d+/
  )
  await expect(page.getByRole('table', { name: 'Sessions' }).getByRole('row').nth(1)).toContainText('Cut by Masthead')
  await expect(page.getByRole('main')).toContainText(/Cut the session of/)
  await service.getByRole('button', { name: 'Activate SIM' }).click()
  await page.getByRole('dialog', { name: 'Activate this SIM?' }).getByRole('button', { name: 'Activate' }).click()
  await expect(service.getByRole('heading', { name: /^(Service is available|In service)/ })).toBeVisible()
})

test('an asset is switched off from the list, and on again where its SIM says why it has no service', async ({
  page,
  signIn,
  open,
  expectAccessible,
}) => {
  await signIn('owner')
  const name = 'buoy-baltic-10'
  await open(`/assets?search=${name}`)
  await page
    .getByRole('table')
    .getByRole('button', { name: /^Actions for/ })
    .first()
    .click()
  await page.getByRole('menuitem', { name: 'Switch off asset' }).click()
  const asking = page.getByRole('dialog', { name: 'Switch off this asset?' })
  await expect(asking).toContainText('Its SIM has no service while it is off')
  await asking.getByRole('button', { name: 'Switch off' }).click()
  await expect(page.getByRole('region', { name: 'Notifications' })).toContainText(`Switched off ${name}`)
  await open(`/assets/${await idOf(page, name)}`)
  const service = page.getByRole('region', { name: 'Service' })
  await expect(service.getByRole('heading', { name: 'No service: asset switched off' })).toBeVisible()
  await expectAccessible()
  await service.getByRole('button', { name: 'Switch on asset' }).click()
  await page.getByRole('dialog', { name: 'Switch on this asset?' }).getByRole('button', { name: 'Switch on' }).click()
  await expect(service.getByRole('heading', { name: 'No service: asset switched off' })).toBeHidden()
  await expect(page.getByRole('main')).toContainText(`Switched on ${name}`)
  // Its own page has the switch, too.
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Switch off asset' }).click()
  await page.getByRole('dialog', { name: 'Switch off this asset?' }).getByRole('button', { name: 'Switch off' }).click()
  await expect(service.getByRole('heading', { name: 'No service: asset switched off' })).toBeVisible()
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Switch on asset' }).click()
  await page.getByRole('dialog', { name: 'Switch on this asset?' }).getByRole('button', { name: 'Switch on' }).click()
  await expect(service.getByRole('heading', { name: 'No service: asset switched off' })).toBeHidden()
})

test('the name is changed in its place; Escape leaves it as it was', async ({ page, signIn, open }) => {
  await signIn('owner')
  await open(`/assets/${await idOf(page, 'buoy-solent-08')}`)
  await page.getByRole('button', { name: 'Rename' }).click()
  const name = page.getByRole('textbox', { name: 'Name' })
  await expect(name).toBeFocused()
  await name.fill('something else')
  await name.press('Escape')
  await expect(page.getByRole('heading', { level: 1, name: 'buoy-solent-08' })).toBeVisible()
  await page.getByRole('button', { name: 'Rename' }).click()
  await name.fill('')
  await name.press('Enter')
  await expect(page.getByRole('main')).toContainText('Enter a name')
  await name.fill('buoy-solent-08 <b>east</b>')
  await name.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'buoy-solent-08 <b>east</b>' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Notifications' })).toContainText('Renamed to buoy-solent-08 <b>east</b>')
})

test('another asset begins anew where only the address changes', async ({ page, signIn, open }) => {
  await signIn('owner')
  const [first, second] = [await idOf(page, 'buoy-baltic-07'), await idOf(page, 'buoy-biscay-12')]
  await open(`/assets/${first}`)
  await page.getByRole('button', { name: 'Rename' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('half a name')
  await page.evaluate((id) => (location.hash = `#/assets/${id}`), second)
  await expect(page.getByRole('heading', { level: 1, name: 'buoy-biscay-12' })).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveCount(0)
})

test('tags are made, put on, renamed, recoloured and deleted where they are chosen', async ({ page, signIn, open, expectAccessible }) => {
  await signIn('owner')
  await open(`/assets/${await idOf(page, 'buoy-biscay-12')}`)
  const first = `north-${Date.now()}`
  const edit = page.getByRole('button', { name: /^(Add|Edit) tags$/ })
  const tags = page.getByRole('dialog', { name: 'Tags' })
  await edit.click()
  await tags.getByRole('searchbox', { name: 'Find or create a tag' }).fill(first)
  await tags.getByRole('button', { name: `Create “${first}”` }).click()
  await expect(tags.getByRole('textbox', { name: 'Name of the tag' })).toHaveValue(first)
  await expectAccessible()
  await tags.getByRole('button', { name: 'Create tag' }).click()
  await expect(tags.getByRole('checkbox', { name: first })).toBeChecked()
  await tags.getByRole('button', { name: `Edit tag ${first}` }).click()
  await tags.getByRole('textbox', { name: 'Name of the tag' }).fill('marine')
  await tags.getByRole('button', { name: 'Save tag' }).click()
  await expect(tags.getByRole('alert')).toContainText('already')
  await tags.getByRole('textbox', { name: 'Name of the tag' }).fill(`${first}-b`)
  await tags.getByRole('radio', { name: 'teal' }).check()
  await tags.getByRole('button', { name: 'Save tag' }).click()
  await expect(tags.getByRole('checkbox', { name: `${first}-b` })).toBeChecked()
  await tags.getByRole('checkbox', { name: 'marine' }).uncheck()
  await page.keyboard.press('Escape')
  await expect(edit).toBeFocused()
  await page.reload()
  await edit.click()
  await expect(tags.getByRole('checkbox', { name: 'marine' })).not.toBeChecked()
  await expect(tags.getByRole('checkbox', { name: `${first}-b` })).toBeChecked()
  await tags.getByRole('button', { name: `Edit tag ${first}-b` }).click()
  await tags.getByRole('button', { name: 'Delete' }).click()
  await expect(tags).toContainText('It will be removed from one asset.')
  await tags.getByRole('button', { name: 'Delete tag' }).click()
  await expect(tags.getByRole('checkbox', { name: `${first}-b` })).toBeHidden()
})

test('the chart has steps, which are in the address, and its numbers can be read', async ({ page, signIn, open }) => {
  await signIn('owner')
  await open(`/assets/${await idOf(page, 'depot-rotterdam-gw1')}`)
  const steps = page.getByRole('group', { name: 'Step' })
  await expect(steps.getByRole('button', { name: 'Day' })).toHaveAttribute('aria-pressed', 'true')
  await steps.getByRole('button', { name: 'Month' }).click()
  await expect(page).toHaveURL(/usage=month/)
  const figure = page.getByRole('figure', { name: 'Usage of the last 12 months by month' })
  await figure.getByRole('button', { name: 'Show as a table' }).click()
  await expect(figure.getByRole('rowheader')).toHaveCount(12)
  await page.reload()
  await expect(steps.getByRole('button', { name: 'Month' })).toHaveAttribute('aria-pressed', 'true')
})

test('a terminated SIM cannot be switched, and says why', async ({ page, signIn, open }) => {
  await signIn('owner')
  await open('/assets?sim_status=terminated')
  await page.getByRole('table').getByRole('link').first().click()
  await expect(page.getByRole('heading', { name: 'No service: this SIM is terminated' })).toBeVisible()
  for (const name of ['Activate', 'Deactivate']) {
    await expect(page.getByRole('button', { name, exact: true })).toHaveAccessibleDescription('This SIM is terminated permanently')
  }
})

test('the events of an asset lead to all of them', async ({ page, signIn, open }) => {
  await signIn('owner')
  await open(`/assets/${await idOf(page, 'reefer-truck-0147')}`)
  await expect(page.getByRole('main')).toContainText(/Blocked the SIM of/)
  await page.getByRole('link', { name: 'All events' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Recent Activities' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Remove filter Asset' })).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1, name: 'reefer-truck-0147' })).toBeVisible()
})

test('what is not there, or not yours, is said in words', async ({ page, signIn, open, expectAccessible }) => {
  await signIn('owner')
  const foreign = await idOf(page, 'buoy-baltic-01')
  await signIn('empty')
  for (const id of [foreign, 'ast_nothing']) {
    await open(`/assets/${id}`)
    await expect(page.getByRole('heading', { level: 1, name: 'Asset not found' })).toBeVisible()
    await expect(page.getByRole('main')).toContainText('Asset not found')
  }
  await expectAccessible()
  await page.getByRole('link', { name: 'Search the list' }).click()
  await expect(page).toHaveURL(/assets\?search=ast_nothing/)
})

test('a member with one tag sees neither other assets nor other tags', async ({ page, signIn, open }) => {
  await signIn('owner')
  const hidden = await idOf(page, 'buoy-baltic-01')
  const shown = await idOf(page, 'reefer-truck-0120')
  await signIn('operator')
  await page.request.post('/v1/auth/switch_account', { data: { team_member_email: 'owner@demo.test' } })
  await open(`/assets/${hidden}`)
  await expect(page.getByRole('heading', { level: 1, name: 'Asset not found' })).toBeVisible()
  await open(`/assets/${shown}`)
  await page.getByRole('button', { name: /^(Add|Edit) tags$/ }).click()
  const tags = page.getByRole('dialog', { name: 'Tags' })
  await expect(tags.getByRole('checkbox')).toHaveCount(1)
})

test('on a phone nothing is wider than the screen', async ({ page, signIn, open, expectAccessible }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await signIn('owner')
  await open(`/assets/${await idOf(page, 'cam-gantry-17')}`)
  await expect(page.getByRole('heading', { name: 'No service: IMEI does not match' })).toBeVisible()
  await expect(page.getByRole('figure').first()).toBeVisible()
  expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true)
  await expectAccessible()
})
