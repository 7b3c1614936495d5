import { dialog, enter, table } from './backoffice-page.ts'
import { expect, test } from './fixtures.ts'

/** Of a network of its own each time, so that a second try finds nothing of the first. */
const own = () => {
  const n = 100 + (Date.now() % 150)
  return { name: (what: string) => `${what}-${n}`, address: (host: number) => `198.18.${n}.${host}` }
}

test('a gateway is added, its secret shown once, and switched off', async ({ page, signIn, open }) => {
  const network = own()
  const [name, address, second] = [network.name('pgw-test'), network.address(1), network.address(2)]
  await signIn('staff')
  await enter(page)
  await open('/masa/gateways')
  await expect(table(page, 'Gateways').getByRole('row', { name: /pgw-ams-1/ })).toContainText('Reporting')
  await page.getByRole('button', { name: 'Add gateway' }).click()
  const add = dialog(page, 'Add a gateway')
  await add.getByRole('textbox', { name: 'Name' }).fill(name)
  await add.getByRole('textbox', { name: 'Source IP address' }).fill('not an address')
  await add.getByRole('checkbox', { name: /^Legacy/ }).check()
  await expect(add).toContainText('CVE-2024-3596')
  await add.getByRole('button', { name: 'Add gateway' }).click()
  await expect(add).toContainText('Enter an IP address')
  await add.getByRole('textbox', { name: 'Source IP address' }).fill(address)
  await add.getByRole('button', { name: 'Add gateway' }).click()
  const shown = dialog(page, `The secret of ${name}`)
  await expect(shown.getByText(/^[\w-]{32}$/)).toBeVisible()
  await shown.getByRole('button', { name: 'I have saved it' }).click()
  const row = table(page, 'Gateways').getByRole('row', { name })
  await expect(row).toContainText('Never seen')
  await expect(page.getByRole('main')).toContainText(`${name} may send requests without Message-Authenticator`)
  await row.getByRole('link', { name, exact: true }).click()
  const sheet = dialog(page, name)
  await sheet.getByRole('button', { name: `Actions for ${address}` }).click()
  await expect(page.getByRole('menuitem', { name: 'Remove' })).toHaveAttribute('aria-disabled', 'true')
  await page.keyboard.press('Escape')
  await sheet.getByRole('button', { name: 'Add address' }).click()
  const other = dialog(page, `Add an address to ${name}`)
  await other.getByRole('textbox', { name: 'Source IP address' }).fill(second)
  await other.getByRole('button', { name: 'Add address' }).click()
  await dialog(page, `The secret of ${name}`).getByRole('button', { name: 'I have saved it' }).click()
  await expect(table(page, `Addresses of ${name}`)).toContainText(second)
  await sheet.getByRole('button', { name: `Actions for ${address}` }).click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  await dialog(page, `Remove ${address}?`).getByRole('button', { name: 'Remove' }).click()
  await expect(table(page, `Addresses of ${name}`)).not.toContainText(address)
  // What is open beside the list is in the address: a link opens it, and the back button closes it.
  await page.reload()
  await expect(sheet).toBeVisible()
  await page.goBack()
  await expect(sheet).toBeHidden()
  await expect(page.getByRole('heading', { level: 1, name: 'Gateways' })).toBeVisible()
  await page.goForward()
  await sheet.getByRole('button', { name: 'Close' }).click()
  await row.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: 'Switch off' }).click()
  await dialog(page, `Switch ${name} off?`).getByRole('button', { name: 'Switch off' }).click()
  await expect(row).toContainText('Off')
  await row.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  await dialog(page, `Remove ${name}?`).getByRole('button', { name: 'Remove' }).click()
  await expect(row).toBeHidden()
  await page.goBack()
  await expect(dialog(page, 'Gateway not found')).toContainText('It was removed')
})

test('two gateways are joined; who was refused stands beside them', async ({ page, signIn, open, expectAccessible }) => {
  await signIn('staff')
  const headers = await enter(page)
  const network = own()
  const [half1, half2] = [network.name('half-1'), network.name('half-2')]
  for (const [name, address] of [
    [half1, network.address(11)],
    [half2, network.address(12)],
  ]) {
    const data = { name, address }
    expect((await page.request.post('/v1/backoffice/gateways', { headers, data })).status()).toBe(200)
  }
  await open('/masa/gateways')
  const row = table(page, 'Gateways').getByRole('row', { name: half1 })
  await row.getByRole('button', { name: `Actions for ${half1}` }).click()
  await page.getByRole('menuitem', { name: 'Join with another gateway' }).click()
  const join = dialog(page, `Join ${half1} with another gateway`)
  await join.getByRole('button', { name: 'Join them' }).click()
  await expect(join).toContainText('Choose the other gateway')
  // The one that reported more is offered first, and stays unless staff say otherwise.
  const choices = join.getByRole('radio')
  await join.getByLabel('The other gateway').click()
  await page.getByRole('option', { name: /^pgw-ams-1/ }).click()
  await expect(choices.first()).toHaveAccessibleName(/^pgw-ams-1 /)
  await expect(choices.first()).toBeChecked()
  await expect(join).toContainText(`${half1} is gone`)
  await join.getByLabel('The other gateway').click()
  await page.getByRole('option', { name: `${half2}, ${network.address(12)}` }).click()
  await expect(choices.first()).toHaveAccessibleName(new RegExp(`^${half1} `))
  await choices.nth(1).check()
  await expect(join).toContainText(`${half1} is gone`)
  await expectAccessible()
  await join.getByRole('button', { name: 'Join them' }).click()
  await expect(table(page, 'Gateways').getByRole('row', { name: half2 })).toContainText('2 addresses')
  await expect(row).toBeHidden()
  await expectAccessible()
  await page.getByRole('tab', { name: 'Refused senders' }).click()
  await expect(page).toHaveURL(/tab=refused/)
  await expect(page.getByRole('main')).toContainText('A sender whose RADIUS packets come from an unknown address')
  await expectAccessible()
})
