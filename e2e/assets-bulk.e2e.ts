import { openProductDatabase } from '@masthead/testkit/product-database'
import type { Asset } from '@masthead/contract/assets/asset'
import { expect, signInAs, test } from './fixtures.ts'
import { openWithSims } from './own-sims.ts'

const db = openProductDatabase(process.env.MASTHEAD_E2E_DATABASE_URL!)
test.afterAll(() => db.destroy())

test('ticks take all that match but some; a change says what it does before and after', async ({
  page,
  signIn,
  open,
  expectAccessible,
}) => {
  await signIn('owner')
  await open('/assets?search=buoy-')
  const main = page.getByRole('main')
  await expect(main).toContainText(/Showing 1-10 of \d+/)
  const total = Number(/Showing 1-10 of (\d+)/.exec(await main.innerText())![1])
  const bar = page.getByRole('region', { name: 'Selected rows' })
  const takeAll = async () => {
    await page.getByRole('checkbox', { name: 'Select all on this page' }).focus()
    await page.keyboard.press('Space')
    await expect(bar).toContainText('10 selected')
    await bar.getByRole('button', { name: `Select all ${total} that match` }).press('Enter')
    await expect(bar).toContainText(`All ${total} selected`)
  }
  await takeAll()
  await page
    .getByRole('checkbox', { name: /^Select buoy-/ })
    .first()
    .uncheck()
  await expect(bar).toContainText(`${total - 1} selected`)
  await expectAccessible()

  await bar.getByRole('button', { name: 'Add tags' }).press('Enter')
  const adding = page.getByRole('dialog', { name: `Add tags to ${total - 1} assets` })
  await expect(adding.getByRole('combobox', { name: 'Tags' })).toBeFocused()
  await page.keyboard.type('zz-bulk')
  await expect(adding.getByRole('option', { name: /^Create/ })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(adding).toContainText(`Will be tagged${total - 1}`)
  await adding.getByRole('button', { name: `Tag ${total - 1} assets` }).press('Enter')
  await expect(adding).toBeHidden()
  await expect(bar).toBeHidden()
  // What it did can be looked up and taken back, beside the list as it is: from the toast, and later among the changes.
  await page.getByRole('region', { name: 'Notifications' }).getByRole('link', { name: 'Results and undo' }).press('Enter')
  const tagged = page.getByRole('dialog', { name: `Tagged ${total - 1} assets` })
  await expect(tagged.getByRole('button', { name: 'Undo' })).toBeVisible()
  await tagged.getByRole('button', { name: 'Done' }).press('Enter')
  await expect(main).toContainText(`Showing 1-10 of ${total}`)
  await page.getByRole('button', { name: 'Changes', exact: true }).press('Enter')
  const changes = page.getByRole('dialog', { name: 'Changes of many assets' })
  const latest = changes.getByRole('row').filter({ hasText: 'zz-bulk' })
  await expect(latest).toBeVisible()
  await expectAccessible()
  await latest.getByRole('link', { name: `Tagged ${total - 1} assets` }).press('Enter')
  await expect(tagged).toBeVisible()
  await page.goBack()
  await changes.getByRole('button', { name: 'Close' }).press('Enter')
  await expect(changes).toBeHidden()

  await takeAll()
  await bar.getByRole('button', { name: 'Remove tags' }).press('Enter')
  const removing = page.getByRole('dialog', { name: `Remove tags from ${total} assets` })
  await expect(removing.getByRole('combobox', { name: 'Tags' })).toBeFocused()
  await page.keyboard.type('zz-bulk')
  await expect(removing.getByRole('option', { name: 'zz-bulk' })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(removing).toContainText('Do not have these tags1')
  await removing.getByRole('button', { name: `Remove from ${total - 1} assets` }).press('Enter')
  const done = page.getByRole('dialog', { name: `Removed tags from ${total - 1} assets` })
  await done.getByText('Which assets were not changed').click()
  await expect(done.getByRole('listitem')).toHaveCount(1)
  await expect(done.getByRole('listitem')).toContainText(/buoy-.*Do not have these tags/)
  await done.getByRole('button', { name: 'Done' }).press('Enter')
  await expect(done).toBeHidden()
  await db.deleteFrom('tag').where('name', '=', 'zz-bulk').execute()
})

test('of many SIMs the number is typed; where there is little room, the actions are a menu', async ({
  page,
  signIn,
  open,
  expectAccessible,
}) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await signIn('owner')
  await open('/assets')
  await page
    .getByRole('checkbox', { name: /^Select / })
    .first()
    .check()
  // The foot of the list has two lines: the words and how many rows, below them the way on.
  await expect(page.getByRole('textbox', { name: /^Page, of/ })).toBeVisible()
  const middles = await page
    .locator('.table-foot :is([aria-live], label, button)')
    .evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect()).map(({ top, bottom }) => (top + bottom) / 2))
  expect(middles.length).toBe(5)
  const sorted = middles.toSorted((one, other) => one - other)
  expect(sorted.filter((middle, at) => at === 0 || middle - sorted[at - 1]! > 8).length).toBeLessThan(3)
  const bar = page.getByRole('region', { name: 'Selected rows' })
  await bar.getByRole('button', { name: /^Select all \d+/ }).click()
  await bar.getByRole('button', { name: 'Actions' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Deactivate SIMs' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Deactivate SIMs?' })
  await expect(dialog).toContainText(/Terminated permanently\d/)
  await expect(dialog.getByRole('textbox', { name: /^Type “\d+” to go on/ })).toBeVisible()
  await expect(dialog.getByRole('button', { name: /^Deactivate \d+ SIMs/ })).toHaveAttribute('aria-disabled', 'true')
  await expectAccessible()
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(bar).toContainText(/All \d+ selected/)
})

test('what assets that are handed over leave behind is said once it is known where they go', async ({ page, signIn, open }) => {
  await signIn('owner')
  await open('/assets')
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await page.getByRole('region', { name: 'Selected rows' }).getByRole('button', { name: 'More' }).press('Enter')
  await expect(page.getByRole('menuitem')).toContainText(['Take out of fleet', 'Hand over assets', 'Terminate SIMs'])
  await page.getByRole('menuitem', { name: 'Hand over assets' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Hand over assets?' })
  await expect(dialog.getByRole('textbox', { name: 'Type “release” to go on' })).toBeVisible()
  await expect(dialog.getByLabel('Outcome')).toHaveCount(0)
  await dialog.getByRole('textbox', { name: /^E-mail address/ }).fill('empty@demo.test')
  await expect(dialog.getByLabel('Outcome')).toContainText(/Will leave your account[1-9]/)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
})

test('without assets.edit the actions are disabled and say so', async ({ page, open }) => {
  const name = `bulk-${crypto.randomUUID().slice(0, 8)}`
  const [account_id, person_id, email] = [`acc_${name}`, `per_${name}`, `${name}@example.test`]
  const owner = await db.selectFrom('person').selectAll().where('email', '=', 'owner@demo.test').executeTakeFirstOrThrow()
  await db.insertInto('account').values({ id: account_id, team_name: name, suspended_at: null, suspended_reason: null }).execute()
  const { password_hash } = owner
  await db.insertInto('person').values({ id: person_id, account_id, email, password_hash, permissions: [] }).execute()
  await db
    .insertInto('membership')
    .values({ account_id: owner.account_id, person_id, permissions: ['assets.view'], tags: [] })
    .execute()
  await signInAs(page, email)
  expect((await page.request.post('/v1/auth/switch_account', { data: { team_member_email: owner.email } })).status()).toBe(200)
  await open('/assets')
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  const button = page.getByRole('region', { name: 'Selected rows' }).getByRole('button', { name: 'Deactivate SIMs' })
  await expect(button).toHaveAttribute('aria-disabled', 'true')
  await expect(button).toHaveAccessibleDescription('You need the permission “Change assets and their SIMs” for this')
  await db.deleteFrom('membership').where('person_id', '=', person_id).execute()
})

test('CORE devices are configured together; the preview says which cannot be', async ({ page, signIn, open, expectAccessible }) => {
  await signIn('owner')
  const wanted = String(100 + Math.ceil(Math.random() * 3000))
  await open('/assets')
  const id = await page.evaluate(async () => {
    const list = (await (await fetch('/v1/assets?type=core&page_size=100')).json()) as { items: { id: string }[] }
    for (const asset of list.items) {
      const { device } = (await (await fetch(`/v1/assets/${asset.id}/device`)).json()) as { device: { kind: string } | null }
      if (device?.kind === 'core') return asset.id
    }
    return undefined
  })
  expect(id, 'there is a simulated CORE device').toBeDefined()
  const asset = (await (await page.request.get(`/v1/assets/${id}`)).json()) as Asset
  const other = ((await (await page.request.get('/v1/assets?type=alpon_x4&page_size=1')).json()) as { items: Asset[] }).items[0]!
  for (const each of [asset, other]) {
    await open(`/assets?search=${each.serial}`)
    await page.getByRole('checkbox', { name: `Select ${each.name}`, exact: true }).check()
    const bar = page.getByRole('region', { name: 'Selected rows' })
    await bar.getByRole('button', { name: 'More' }).press('Enter')
    await page.getByRole('menuitem', { name: 'Configure CORE devices' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Configure CORE devices?' })
    await dialog.getByRole('textbox', { name: 'Check internet every' }).fill(wanted)
    if (each === other) {
      await expect(dialog).toContainText('No CORE device1')
      await expect(dialog.getByRole('button', { name: 'Configure CORE devices' })).toHaveAttribute('aria-disabled', 'true')
      continue
    }
    await expect(dialog).toContainText('Will be sent the change1')
    await expectAccessible()
    await dialog.getByRole('button', { name: 'Configure 1 device' }).press('Enter')
    await expect(dialog).toBeHidden()
  }
  await open(`/assets/${asset.id}/core`)
  const row = page.getByRole('region', { name: 'Configuration' }).getByRole('listitem').filter({ hasText: 'Check internet every' })
  await expect(row).toContainText(`wanted ${wanted}`)
})

test('a file changes each asset in its own way; what it could not do comes first with its line; all is undone', async ({
  page,
  open,
  expectAccessible,
}) => {
  const [first, second, third] = (await openWithSims(page, 3)).assets as [Asset, Asset, Asset]
  await open('/assets')
  await page.getByRole('button', { name: 'Change by file' }).click()
  const rows = [
    'asset,name,network_group',
    `${first.serial},Pump 7,1 GB`,
    `${second.sim!.iccid},,100 mb`,
    `${third.id},,default`,
    'nothing,,',
    `${third.id},,x`,
  ]
  const file = { name: 'changes.csv', mimeType: 'text/csv', buffer: Buffer.from(rows.join('\n')) }
  await page.locator('input[type=file]').setInputFiles(file)
  await page.getByRole('dialog').getByRole('button', { name: 'Change assets' }).click()
  const done = page.getByRole('dialog', { name: 'Changed 2 assets' })
  await done.getByText('Which assets were not changed').click()
  await expect(done.getByRole('listitem')).toContainText([
    /Line 5nothing.*No such asset/,
    /Line 6.*There is no network group "x"/,
    /Line 4.*already/,
  ])
  await expectAccessible()
  await done.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('dialog', { name: 'Undone: 2 assets' })).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click()
  await expect(page.getByRole('table')).toContainText(first.name)
})

test('a file that terminates SIMs asks for the word before anything is changed', async ({ page, open, expectAccessible }) => {
  const [asset] = (await openWithSims(page, 1)).assets as [Asset]
  await open('/assets')
  await page.getByRole('button', { name: 'Change by file' }).click()
  const rows = ['asset,new_sim,old_sim', `${asset.serial},no-such-sim,terminated`]
  await page.locator('input[type=file]').setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from(rows.join('\n')) })
  const dialog = page.getByRole('dialog')
  const start = dialog.getByRole('button', { name: 'Change assets' })
  await start.click()
  const typed = dialog.getByRole('textbox', { name: 'Type “terminate” to go on' })
  await expect(typed).toBeVisible()
  await expect(start).toHaveAttribute('aria-disabled', 'true')
  await expectAccessible()
  await typed.fill('terminate')
  await typed.press('Enter')
  await dialog.getByText('Which assets were not changed').click()
  await expect(dialog.getByRole('listitem')).toContainText(/Line 2/)
})
