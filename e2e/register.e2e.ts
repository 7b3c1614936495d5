import { expect, test } from './fixtures.ts'

test('a serial number is registered, named and tagged, and its asset opens', async ({ page, signIn, open, expectAccessible }) => {
  await signIn('owner')
  await open('/assets')
  await page.getByRole('button', { name: 'Register asset' }).click()
  const dialog = page.getByRole('dialog', { name: 'Register asset' })
  await dialog.getByRole('button', { name: 'Register' }).click()
  await expect(dialog).toContainText('Enter a serial number or an ICCID')
  await dialog.getByRole('textbox', { name: 'Serial number or ICCID' }).fill(' mh-demo-4 ')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('crane-4')
  await dialog.getByRole('button', { name: 'Tags' }).click()
  await page.getByRole('option', { name: 'vision' }).click()
  await page.keyboard.press('Escape')
  await expectAccessible()
  await dialog.getByRole('button', { name: 'Register' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'crane-4' })).toBeVisible()
  await expect(page.getByRole('main')).toContainText('vision')
  await expect(page.getByRole('heading', { name: 'Ready: free until its test allowance is used up' })).toBeVisible()
  await expect(page.getByRole('main')).toContainText('power the ALPON on')
})

test('the code on a box leads through the sign-in to its registration', async ({ page }) => {
  await page.goto('/#/r/MH-DEMO-2')
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await page.getByRole('textbox', { name: 'E-mail' }).fill('owner@demo.test')
  await page.getByLabel('Password', { exact: true }).fill('masthead-demo')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Register asset' })
  await expect(dialog.getByRole('textbox', { name: 'Serial number or ICCID' })).toHaveValue('MH-DEMO-2')
  await dialog.getByRole('button', { name: 'Register' }).click()
  await expect(page).toHaveURL(/\/assets\/ast_/)
  await expect(page.getByRole('main')).toContainText('MH-DEMO-2')
})

test('back from what was registered is the list, not its registration again', async ({ page, signIn, open }) => {
  await signIn('owner')
  await open('/assets')
  await open('/r/MH-DEMO-5')
  await page.getByRole('dialog', { name: 'Register asset' }).getByRole('button', { name: 'Register' }).click()
  await expect(page).toHaveURL(/\/assets\/ast_/)
  await page.goBack()
  await expect(page).toHaveURL(/#\/assets$/)
  await expect(page.getByRole('dialog')).toBeHidden()
})

test('leaving the registration leaves the list', async ({ page, signIn, open }) => {
  await signIn('owner')
  await open('/r/MH-DEMO-3')
  await page.getByRole('dialog', { name: 'Register asset' }).getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(page).toHaveURL(/#\/assets$/)
})

test('what is unknown, reserved or yours already is said in words, and nothing typed is lost', async ({ page, signIn, open }) => {
  await signIn('owner')
  await open('/r/NO-SUCH-1')
  const dialog = page.getByRole('dialog', { name: 'Register asset' })
  const token = dialog.getByRole('textbox', { name: 'Serial number or ICCID' })
  const register = dialog.getByRole('button', { name: 'Register' })
  await register.click()
  await expect(dialog.getByRole('alert')).toHaveText(
    /^This serial number or ICCID is not known\. Compare it with the label, digit by digit\.Request req_\w+$/
  )
  await expect(token).toHaveValue('NO-SUCH-1')
  await token.fill('MH-DEMO-RESERVED')
  await register.click()
  await expect(dialog.getByRole('alert')).toContainText('Ask your supplier to release it')
  const { items } = (await (await page.request.get('/v1/assets?search=buoy-baltic-01')).json()) as { items: { sim: { iccid: string } }[] }
  await token.fill(items[0]!.sim.iccid)
  await register.click()
  await expect(dialog.getByRole('alert')).toContainText('This asset is already in your account')
  await dialog.getByRole('link', { name: 'Open it' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'buoy-baltic-01' })).toBeVisible()
  await expect(page.getByRole('dialog')).toBeHidden()
})

test('what belongs to another account is refused without saying whose it is', async ({ page, signIn, open }) => {
  await signIn('owner')
  const { items } = (await (await page.request.get('/v1/assets?search=buoy-baltic-01')).json()) as { items: { serial: string }[] }
  await signIn('empty')
  await open(`/r/${items[0]!.serial}`)
  const dialog = page.getByRole('dialog', { name: 'Register asset' })
  await dialog.getByRole('button', { name: 'Register' }).click()
  await expect(dialog.getByRole('alert')).toContainText('It belongs to another account')
  await expect(dialog).not.toContainText(/owner|Acme/)
})

test('who may not register is led away from the code on a box', async ({ page, signIn }) => {
  await signIn('operator')
  await page.request.post('/v1/auth/switch_account', { data: { team_member_email: 'owner@demo.test' } })
  await page.goto('/#/r/MH-DEMO-1')
  await expect(page.getByRole('heading', { level: 1, name: 'Your team' })).toBeVisible()
})
