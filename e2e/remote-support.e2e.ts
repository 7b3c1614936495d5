import type { Page } from '@playwright/test'
import { expectAccessible as sound } from './accessible.ts'
import { enter } from './backoffice-page.ts'
import { expect, signInAs, test } from './fixtures.ts'
import { openAccount } from './new-account.ts'
import { runDevice } from './terminal-device.ts'

test('support asks for a terminal, the customer allows it, watches along, ends it, and plays the recording', async ({
  page,
  signIn,
  open,
  expectAccessible,
  browser,
}) => {
  test.setTimeout(240_000)
  await signIn('owner')
  await using device = await runDevice(page, 2)

  const context = await browser.newContext({ baseURL: new URL(page.url()).origin })
  const desk = await context.newPage()
  await desk.goto('/')
  await signInAs(desk, 'staff@demo.test', 'masthead-demo')
  await enter(desk)
  await desk.goto(`/#/masa/assets/${device.id}/alpon`)
  await desk.getByRole('button', { name: 'Ask for its terminal' }).click()
  const form = desk.getByRole('dialog', { name: 'Ask for the terminal of a device' })
  await expect(form.getByRole('textbox', { name: 'Device' })).toHaveValue(device.id)
  const reason = `Ticket ${crypto.randomUUID().slice(0, 6)}: the uploader crashes`
  await form.getByRole('textbox', { name: 'Reason' }).fill(reason)
  await sound(desk)
  await form.getByRole('button', { name: 'Ask the customer' }).click()
  const row = desk.getByRole('row', { name: new RegExp(reason) })
  await expect(row).toContainText('Asked')

  await open('/terminals/support')
  const card = page.getByRole('region', { name: `staff@demo.test, ${device.name}` })
  await expect(card).toContainText(reason)
  await expectAccessible()
  await card.getByRole('button', { name: 'Allow' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Allow' }).click()
  await expect(card).toContainText('may use the terminal')

  await expect(row).toContainText('Allowed')
  await row.getByRole('button', { name: /^Actions for/ }).click()
  await desk.getByRole('menuitem', { name: 'Open terminal' }).click()
  await expect(desk.getByText('Connected', { exact: true })).toBeVisible({ timeout: 30_000 })
  await desk.keyboard.type('echo looked-$((40+2))\n')
  await expect(desk.locator('.xterm-rows')).toContainText('looked-42', { timeout: 75_000 })

  await open('/')
  const ribbon = page.getByRole('status').filter({ hasText: 'of support is connected to' })
  await expect(ribbon).toContainText(`staff@demo.test of support is connected to ${device.name}, until`)
  await expectAccessible()
  await page.setViewportSize({ width: 360, height: 740 })
  await expectAccessible()
  await page.setViewportSize({ width: 1280, height: 800 })
  await ribbon.getByRole('button', { name: 'End', exact: true }).click()
  await page.getByRole('dialog', { name: 'End the access of staff@demo.test?' }).getByRole('button', { name: 'Cancel' }).click()
  await expect(ribbon.getByRole('link', { name: 'Watch' })).toHaveAttribute('href', /terminal\?session=/)
  await open('/terminals/support')
  await card.getByRole('link', { name: 'Watch along' }).click()
  await expect(page.locator('.xterm-rows')).toContainText('looked-42', { timeout: 20_000 })
  await page.getByRole('button', { name: '2 take part' }).click()
  await expect(page.getByRole('complementary', { name: 'Session' })).toContainText('staff@demo.test')
  await open('/terminals/support')
  await card.getByRole('button', { name: 'End access now' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'End access' }).click()
  await expect(desk.getByRole('region', { name: 'The session ended' })).toContainText('The access of support was over')
  await expect(card).toHaveCount(0)
  await expect(ribbon).toHaveCount(0)
  const earlier = page.getByRole('row', { name: new RegExp(reason) })
  await expect(earlier).toContainText('Ended by the customer')
  await earlier.getByRole('button', { name: /^Actions for/ }).click()
  await page.getByRole('menuitem', { name: 'Play the recording' }).click()
  await expect(page.getByText(/Recording of staff@demo.test/)).toBeVisible()

  await open('/terminals')
  const session = page.getByRole('row', { name: new RegExp(device.name) }).first()
  await expect(session).toContainText('support, as it was allowed')
  await expectAccessible()
  await open('/activities')
  await expect(page.getByText(`Ended the access of staff@demo.test of support to ${device.name}`)).toBeVisible()
  await desk.goto('/#/masa')
  await expect(desk.getByRole('region', { name: 'Remote support' })).toContainText(reason)
  await context.close()
})

test('a second person of support takes part with the first, with an access of their own, and gets the keyboard', async ({
  page,
  signIn,
  open,
  browser,
}) => {
  test.setTimeout(240_000)
  await signIn('owner')
  await using device = await runDevice(page, 7)
  const desks = await Promise.all([1, 2].map(async () => (await browser.newContext({ baseURL: new URL(page.url()).origin })).newPage()))
  const [first, second] = desks as [Page, Page]
  for (const desk of desks) await desk.goto('/healthz')
  const [email, password] = [`second-${crypto.randomUUID().slice(0, 8)}@example.test`, 'a long way round the harbour']
  await openAccount(second, { email, password, team_name: 'Second line' })
  await signInAs(first, 'staff@demo.test')
  const headers = await enter(first)
  const made = { permissions: ['backoffice', 'manage_support'], reason: 'Joins the second line' }
  expect((await first.request.patch(`/v1/backoffice/accounts/${email}/staff`, { headers, data: made })).status()).toBe(200)
  const asks = async (desk: Page, as: Record<string, string>, reason: string) => {
    const answer = await desk.request.post(`/v1/backoffice/assets/${device.id}/support`, { headers: as, data: { reason, minutes: 60 } })
    expect(answer.status(), await answer.text()).toBe(200)
    const { id } = (await answer.json()) as { id: string }
    expect((await page.request.post(`/v1/support-access/${id}/allow`, { data: { minutes: 60 } })).status()).toBe(200)
    return id
  }
  const reason = `Ticket ${crypto.randomUUID().slice(0, 6)}: the second look`
  await asks(first, headers, 'The first look')
  await asks(second, await enter(second, { password }), reason)

  const actions = (desk: Page, words: string) =>
    desk.getByRole('row', { name: new RegExp(words) }).getByRole('button', { name: /^Actions for/ })
  await first.goto('/#/alpon-remote-support')
  await actions(first, `${device.name}.*The first look`).click()
  await first.getByRole('menuitem', { name: 'Open terminal' }).click()
  await expect(first.getByText('Connected', { exact: true })).toBeVisible({ timeout: 75_000 })
  await second.goto('/#/alpon-remote-support')
  await actions(second, reason).click()
  await second.getByRole('menuitem', { name: 'Take part with staff@demo.test' }).click()
  await expect(second.getByText('Connected', { exact: true })).toBeVisible({ timeout: 30_000 })
  await first.getByRole('textbox', { name: 'Terminal input' }).focus()
  await first.keyboard.type('echo first-$((40+2))\n')
  await expect(second.locator('.xterm-rows')).toContainText('first-42', { timeout: 75_000 })

  await first.getByRole('button', { name: '2 take part' }).click()
  await first.getByRole('listitem').filter({ hasText: email }).getByRole('button', { name: 'Hand over' }).click()
  await second.getByRole('textbox', { name: 'Terminal input' }).focus()
  await second.keyboard.type('echo second-$((40+2))\n')
  await expect(first.locator('.xterm-rows')).toContainText('second-42', { timeout: 30_000 })

  // The customer sees both, and ends the part of one.
  await open('/terminals/support')
  await page
    .getByRole('region', { name: `${email}, ${device.name}` })
    .getByRole('button', { name: 'End access now' })
    .click()
  await page.getByRole('dialog').getByRole('button', { name: 'End access' }).click()
  await expect(first.getByRole('button', { name: '1 takes part' })).toBeVisible({ timeout: 10_000 })
  await expect(second.getByText('Connected', { exact: true })).toHaveCount(0)
  await page
    .getByRole('region', { name: `staff@demo.test, ${device.name}` })
    .getByRole('button', { name: 'End access now' })
    .click()
  await page.getByRole('dialog').getByRole('button', { name: 'End access' }).click()
  await expect(first.getByRole('region', { name: 'The session ended' })).toContainText('The access of support was over')
  for (const desk of desks) await desk.context().close()
})

test('standing consent is given and withdrawn; an account without terminals says what one is, at 360 px', async ({
  page,
  open,
  expectAccessible,
}) => {
  await openAccount(page, { email: `${crypto.randomUUID()}@example.test`, password: 'correct horse', team_name: 'Support' })
  await page.setViewportSize({ width: 360, height: 740 })
  await open('/terminals/support')
  await expect(page.getByText('Support asks each time.')).toBeVisible()
  for (const [button, confirm, words] of [
    ['Give standing consent', 'Give consent', 'Support does not have to ask.'],
    ['Withdraw consent', 'Withdraw', 'Support asks each time.'],
  ] as const) {
    await page.getByRole('button', { name: button }).click()
    await page.getByRole('dialog').getByRole('button', { name: confirm, exact: true }).click()
    await expect(page.getByText(words)).toBeVisible()
  }
  await expect(page.getByText('No data found')).toBeVisible()
  await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(360)
  await expectAccessible()
  await open('/terminals')
  await expect(page.getByText('No data found')).toBeVisible()
  await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(360)
  await expectAccessible()
})
