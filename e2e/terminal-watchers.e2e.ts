import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { openAccount } from './new-account.ts'
import { runDevice } from './terminal-device.ts'

const post = async (page: Page, path: string, data: object) => {
  const answer = await page.request.post(`/v1/${path}`, { data })
  expect(answer.status(), await answer.text()).toBe(200)
  return (await answer.json()) as Record<string, string>
}

test('a colleague who watches is asked for the access code that is set meanwhile, and watches on with it', async ({
  page,
  signIn,
  open,
  browser,
}) => {
  test.setTimeout(180_000)
  await signIn('owner')
  await using device = await runDevice(page, 6)
  const context = await browser.newContext({ baseURL: new URL(page.url()).origin })
  const watcher = await context.newPage()
  const email = `watcher-${crypto.randomUUID().slice(0, 8)}@example.test`
  await openAccount(watcher, { email, password: 'correct horse battery', team_name: 'Watchers' })
  const granted = { email, permissions: ['assets.view', 'terminal.open'] }
  expect((await page.request.patch('/v1/tenancy/invitation', { data: granted })).status()).toBe(200)
  const { url } = await post(page, 'tenancy/invitation_link', { email })
  await post(watcher, 'tenancy/approve_invitation', { inviter_email: 'owner@demo.test', proof: url!.split('proof=')[1] })
  await post(watcher, 'auth/switch_account', { team_member_email: 'owner@demo.test' })

  await open(`/terminal?asset=${device.id}`)
  await expect(page.getByText('Connected', { exact: true })).toBeVisible({ timeout: 75_000 })
  const { items } = (await (await page.request.get(`/v1/terminal-sessions?asset=${device.id}`)).json()) as { items: { id: string }[] }
  await watcher.goto(`/#/terminal?session=${items[0]!.id}`)
  await expect(watcher.getByText('Connected', { exact: true })).toBeVisible({ timeout: 30_000 })
  await expect(page.getByRole('button', { name: '2 take part' })).toBeVisible()

  const code = 'open sesame'
  expect((await page.request.put(`/v1/assets/${device.id}/terminal-code`, { data: { code } })).status()).toBe(200)
  const card = watcher.getByRole('region', { name: 'Access code' })
  await expect(card).toContainText('Whoever watches a terminal of this device needs its code, too.')
  await expect(page.getByRole('button', { name: '1 takes part' })).toBeVisible()
  await expect(watcher.getByText('Waits for the code')).toBeVisible()
  const field = card.getByLabel('Code', { exact: true })
  await field.fill('guessed')
  await card.getByRole('button', { name: 'Watch' }).click()
  await expect(card).toContainText('This is not the access code of the device')
  await field.fill(code)
  await card.getByRole('button', { name: 'Watch' }).click()
  await expect(watcher.getByText('Connected', { exact: true })).toBeVisible({ timeout: 30_000 })
  await expect(card).toHaveCount(0)

  // Where there is little room, who is here stands below the bar, which is two rows high there.
  await watcher.setViewportSize({ width: 360, height: 740 })
  await watcher.getByRole('button', { name: '2 take part' }).click()
  const side = (await watcher.getByRole('complementary', { name: 'Session' }).boundingBox())!
  const bar = (await watcher.locator('.terminal-bar').boundingBox())!
  expect(side.y).toBeGreaterThanOrEqual(bar.y + bar.height)

  // Who opened the session was asked for nothing.
  await page.getByRole('textbox', { name: 'Terminal input' }).focus()
  await page.keyboard.type('echo seen-$((40+2))\n')
  for (const each of [page, watcher]) await expect(each.locator('.xterm-rows')).toContainText('seen-42', { timeout: 75_000 })
  await page.getByRole('button', { name: 'End', exact: true }).click()
  await expect(watcher.getByRole('region', { name: 'The session ended' })).toContainText('It was ended by owner@demo.test')
  await open('/terminals')
  await expect(page.getByRole('row', { name: new RegExp(device.name) }).first()).toContainText(`${email} watched`)
  await page.request.delete(`/v1/assets/${device.id}/terminal-code`)
  await page.request.delete(`/v1/tenancy/team_member/${email}`)
  await context.close()
})
