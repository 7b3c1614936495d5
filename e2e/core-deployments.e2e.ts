import { expect, test } from './fixtures.ts'
import { openAccount } from './new-account.ts'

test('a deployment is made, its token is shown once, and devices that ask with it are listed', async ({
  page,
  signIn,
  open,
  expectAccessible,
}) => {
  await signIn('owner')
  const name = `Weirs ${crypto.randomUUID().slice(0, 8)}`
  await open('/core-deployments')
  await page.getByRole('button', { name: 'New deployment' }).click()
  const create = page.getByRole('dialog', { name: 'New deployment' })
  await create.getByRole('button', { name: 'Create deployment' }).click()
  await expect(create.getByRole('textbox', { name: 'Name' })).toHaveAccessibleDescription(/Enter a name/)
  await create.getByRole('textbox', { name: 'Name' }).fill(name)
  await expectAccessible()
  await create.getByRole('button', { name: 'Create deployment' }).click()
  const once = page.getByRole('dialog', { name: `The token of ${name}` })
  const token = (await once.getByTestId('secret').textContent())!.trim()
  expect(token).toMatch(/^mhd_\w{43}$/)
  await expect(once.getByLabel('install line', { exact: true })).toContainText(`-- -t ${token}`)
  await expectAccessible()
  await once.getByRole('button', { name: 'I have saved it' }).click()

  await page.getByRole('link', { name }).click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await expect(page.getByText('No data found').first()).toBeVisible()
  // As a device asks: no content type, and a SIM that is not in stock. The open screen shows it by itself.
  const asked = await page.request.post('/v1/core/deploy', {
    data: Buffer.from(JSON.stringify({ deployment_token: token, iccid: '8944500000000000000' })),
  })
  expect(asked.status()).toBe(400)
  const row = page.getByRole('row', { name: /8944500000000000000/ })
  await expect(row).toContainText('Refused')
  await expect(row).toContainText('There is no SIM with this ICCID in stock')
  await expectAccessible()

  const actions = page.getByRole('button', { name: 'Actions', exact: true })
  await actions.click()
  await page.getByRole('menuitem', { name: 'Pause' }).click()
  await expect(page.getByText('New devices wait')).toBeVisible()
  await actions.click()
  await page.getByRole('menuitem', { name: 'Rotate token' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate token' }).click()
  await expect(page.getByTestId('secret')).not.toHaveText(token)
  await page.getByRole('button', { name: 'I have saved it' }).click()
  await expect(page.getByText('The previous token')).toContainText(`mhd_…${token.slice(-4)}`)
  await actions.click()
  await page.getByRole('menuitem', { name: 'Revoke' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await expect(page.getByText('Revoked', { exact: true })).toBeVisible()
  await actions.click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete deployment' }).click()
  await expect(page).toHaveURL(/core-deployments$/)
  await expect(page.getByRole('row', { name: new RegExp(name) })).toHaveCount(0)
})

test('an account without deployments says what one is; both screens fit 360 px', async ({ page, open, expectAccessible }) => {
  await openAccount(page, { email: `${crypto.randomUUID()}@example.test`, password: 'correct horse', team_name: 'Deployments' })
  await page.setViewportSize({ width: 360, height: 740 })
  await open('/core-deployments')
  await expect(page.getByText('No data found').first()).toBeVisible()
  await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(360)
  await expectAccessible()
  const { id } = (await (await page.request.post('/v1/core/deployments', { data: { name: 'Narrow' } })).json()) as { id: string }
  await open(`/core-deployments/${id}`)
  await expect(page.getByRole('heading', { name: 'What your network must bring' })).toBeVisible()
  await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(360)
  await expectAccessible()
  await open('/core-deployments/nowhere')
  await expect(page.getByText('CORE deployment not found').first()).toBeVisible()
})
