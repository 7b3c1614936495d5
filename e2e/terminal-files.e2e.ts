import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from './fixtures.ts'
import { runDevice } from './terminal-device.ts'

test('a file sent to a device through its terminal and fetched again, each with its checksum; what is refused says why', async ({
  page,
  signIn,
  open,
  expectAccessible,
}) => {
  test.setTimeout(240_000)
  const folder = mkdtempSync(join(tmpdir(), 'files-e2e-'))
  const source = randomBytes(6_000_000)
  const sha256 = createHash('sha256').update(source).digest('hex')
  await signIn('owner')
  await using device = await runDevice(page, 4)
  await open(`/terminal?asset=${device.id}`)
  await expect(page.getByText('Connected', { exact: true })).toBeVisible({ timeout: 75_000 })
  await page.getByRole('button', { name: 'Files', exact: true }).click()
  const sheet = page.getByRole('dialog', { name: 'Files' })
  await sheet.locator('input[type=file]').setInputFiles({ name: 'firmware.bin', mimeType: 'application/octet-stream', buffer: source })
  await sheet.getByLabel('To').fill(`${folder}/`)
  await sheet.getByRole('button', { name: 'Send', exact: true }).click()
  const lines = sheet.getByRole('list', { name: 'Files of this window' }).getByRole('listitem')
  await expect(lines.first()).toContainText(`Sent to ${folder}/firmware.bin`, { timeout: 60_000 })
  await expect(lines.first()).toContainText(sha256)
  expect(readFileSync(join(folder, 'firmware.bin')).equals(source)).toBe(true)

  await sheet.locator('input[type=file]').setInputFiles({ name: 'firmware.bin', mimeType: 'application/octet-stream', buffer: source })
  await sheet.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(lines.first()).toContainText('There is a file of this name already')
  await expectAccessible()

  await sheet.getByRole('button', { name: 'Fetch a file' }).click()
  await sheet.getByLabel('From').fill(`${folder}/firmware.bin`)
  const [download] = await Promise.all([page.waitForEvent('download'), sheet.getByRole('button', { name: 'Fetch', exact: true }).click()])
  expect(download.suggestedFilename()).toBe('firmware.bin')
  expect(readFileSync((await download.path())!).equals(source)).toBe(true)
  await expect(lines.first()).toContainText(`Fetched from ${folder}/firmware.bin`)
  await page.setViewportSize({ width: 360, height: 740 })
  await expectAccessible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'End', exact: true }).click()
  await open('/activities')
  await expect(page.getByText(`Sent ${folder}/firmware.bin to ${device.name}`)).toBeVisible()
  rmSync(folder, { recursive: true, force: true })
})
