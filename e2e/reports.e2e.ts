import { readFile } from 'node:fs/promises'
import { expect, test } from './fixtures.ts'
import { openAccount } from './new-account.ts'

test('a report is asked for, made and downloaded; one is scheduled, paused and deleted', async ({
  page,
  signIn,
  open,
  expectAccessible,
}) => {
  await signIn('owner')
  const name = `Fleet ${crypto.randomUUID().slice(0, 8)}`
  await open('/account/reports')
  await page.getByRole('button', { name: 'Create report' }).first().click()
  const create = page.getByRole('dialog', { name: 'Create report' })
  // An owner may have all of them made, those of money as well.
  await create.getByRole('button', { name: /^Report / }).click()
  await expect(page.getByRole('option')).toHaveCount(7)
  for (const option of await page.getByRole('option').all()) await expect(option).toBeEnabled()
  await page.getByRole('option', { name: /^SIM inventory/ }).click()
  await create.getByRole('textbox', { name: 'Name' }).fill(name)
  await create.getByRole('textbox', { name: 'Only assets that match' }).fill('status:active')
  await expectAccessible()
  await create.getByRole('button', { name: 'Create report' }).click()
  const row = page.getByRole('row', { name: new RegExp(name) })
  await expect(row).toContainText('Ready', { timeout: 30_000 })
  await expect(row).toContainText(/\d rows/)
  // Its name fetches it, and so does its menu.
  await Promise.all([page.waitForEvent('download'), row.getByRole('link', { name }).click()])
  await row.getByRole('button', { name: `Actions for ${name}` }).click()
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: 'Download' }).click()])
  const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\n')
  expect(lines.length).toBeGreaterThan(10)
  expect(lines[0]).toContain(',iccid,')

  await page.getByRole('button', { name: 'Schedule report' }).click()
  const schedule = page.getByRole('dialog', { name: 'Schedule report' })
  await schedule.getByRole('textbox', { name: 'Name' }).fill(`${name} weekly`)
  await schedule.getByRole('textbox', { name: 'Mail a link to' }).fill('not an address')
  await schedule.getByRole('button', { name: 'Schedule report' }).click()
  await expect(schedule.getByRole('textbox', { name: 'Mail a link to' })).toHaveAccessibleDescription(/address/i)
  await schedule.getByRole('textbox', { name: 'Mail a link to' }).fill('finance@example.test')
  await schedule.getByRole('button', { name: 'Schedule report' }).click()
  const scheduled = page.getByRole('region', { name: 'Scheduled' }).getByRole('row', { name: new RegExp(`${name} weekly`) })
  await expect(scheduled).toContainText('finance@example.test')
  for (const [action, state] of [
    ['Pause', 'Paused'],
    ['Resume', 'Active'],
  ] as const) {
    await scheduled.getByRole('button', { name: /^Actions for/ }).click()
    await page.getByRole('menuitem', { name: action }).click()
    await expect(scheduled).toContainText(state)
  }
  await expectAccessible()
  await scheduled.getByRole('button', { name: /^Actions for/ }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete schedule' }).click()
  await expect(scheduled).toHaveCount(0)

  await row.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete report' }).click()
  await expect(row).toHaveCount(0)
})

test('an account without reports says what one is, and fits 360 px', async ({ page, open, expectAccessible }) => {
  await openAccount(page, { email: `${crypto.randomUUID()}@example.test`, password: 'correct horse', team_name: 'Reports' })
  await page.setViewportSize({ width: 360, height: 740 })
  await open('/account/reports')
  await expect(page.getByText('No data found').first()).toBeVisible()
  await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(360)
  await expectAccessible()
})
