import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { startAgent } from '@masthead/agent/agent'
import { openEngine } from '@masthead/agent/engine/engine'
import { realPlaces } from '@masthead/agent/host/vitals'
import { expect, test } from './fixtures.ts'

/** A device of the account that runs a real agent. */
async function runDevice(page: Page) {
  const post = async (path: string, data?: object) => {
    const answer = await page.request.post(`/v1/${path}`, data ? { data } : {})
    expect(answer.ok(), await answer.text()).toBe(true)
    return (await answer.json()) as Record<string, string> & { mqtt_port: number }
  }
  const list = await page.request.get('/v1/assets?type=alpon_x4&page_size=2&sort=-name')
  const { items } = (await list.json()) as { items: { id: string; name: string }[] }
  const { id, name } = items[1]!
  const { code } = await post(`assets/${id}/alpon/claim-code`)
  const { device_id, token, mqtt_port } = await post('devices/enrol', { code, host_name: 'truck' })
  const folder = mkdtempSync(join(tmpdir(), 'terminal-e2e-'))
  const agent = startAgent({
    login: { server: new URL(page.url()).origin, url: `mqtt://127.0.0.1:${mqtt_port}`, device_id: device_id!, token: token! },
    engine: openEngine('/nowhere'),
    places: realPlaces,
    notesPath: join(folder, 'notes.json'),
    say: () => {},
    reboot: () => {},
  })
  return {
    id,
    name,
    agent,
    async [Symbol.asyncDispose]() {
      await agent.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

test('a shell in a window: typed, broken off and gone on with, ended; then played from its recording', async ({
  page,
  signIn,
  open,
  expectAccessible,
}) => {
  test.setTimeout(120_000)
  await signIn('owner')
  await using device = await runDevice(page)
  await open(`/assets/${device.id}/device`)
  await page.getByRole('button', { name: 'Open terminal' }).click()
  await expect(page.getByRole('heading', { name: device.name })).toBeVisible()
  await expect(page.getByText('Connected', { exact: true })).toBeVisible({ timeout: 30_000 })
  await expect(page.getByText('Recording', { exact: true })).toBeVisible()
  await expect(page.locator('header.navbar')).toHaveCount(0)
  const screen = page.locator('.xterm-rows')
  await page.keyboard.type('echo hello-$((40+2))\n')
  await expect(screen).toContainText('hello-42')
  await expectAccessible()

  await page.getByRole('button', { name: '1 takes part' }).click()
  await expect(page.getByRole('complementary', { name: 'Session' })).toContainText('owner@demo.test, you')

  device.agent.terminals.breakOff()
  await page.getByRole('textbox', { name: 'Terminal input' }).focus()
  await expect(async () => {
    await page.keyboard.type('echo again-$((1+1))\n')
    await expect(screen).toContainText('again-2', { timeout: 1000 })
  }).toPass({ timeout: 20_000 })

  await page.evaluate(() => {
    const pasted = new DataTransfer()
    pasted.setData('text/plain', 'echo one\nrm -rf ./nothing-here\n')
    document
      .querySelector('.xterm-helper-textarea')!
      .dispatchEvent(new ClipboardEvent('paste', { clipboardData: pasted, bubbles: true, cancelable: true }))
  })
  const question = page.getByRole('dialog', { name: 'Paste 2 lines?' })
  await expect(question).toContainText('Line 2 deletes or overwrites files.')
  await question.getByRole('button', { name: 'Cancel' }).click()

  await page.getByRole('button', { name: 'End', exact: true }).click()
  await expect(page.getByRole('region', { name: 'The session ended' })).toContainText('It was ended by owner@demo.test')
  await page.getByRole('region', { name: 'The session ended' }).getByRole('link', { name: 'Back to the asset' }).click()

  const sessions = page.getByRole('list', { name: 'Terminal sessions' })
  await expect(sessions.getByRole('listitem').first()).toContainText('It was ended')
  await sessions.getByRole('link', { name: 'Play' }).first().click()
  await expect(page.getByText(/Recording of owner@demo.test/)).toBeVisible()
  await page.getByRole('button', { name: '8×' }).click()
  await expect(screen).toContainText('again-2', { timeout: 30_000 })
  await page.getByRole('searchbox', { name: 'Find in the recording' }).fill('hello-42')
  await page.getByRole('button', { name: 'Next match' }).click()
  await expect(page.getByText('1 of 1 matches')).toBeVisible()
  await expectAccessible()

  await open('/activities')
  await expect(page.getByText(`Opened a terminal on ${device.name}`)).toBeVisible()
})

test('a device that does not answer: the step that failed, and why', async ({ page, signIn, open }) => {
  test.setTimeout(60_000)
  await signIn('owner')
  await open('/terminal?asset=nothing')
  const card = page.getByRole('region', { name: 'The terminal could not be opened' })
  await expect(card).toBeVisible()
  await expect(card.getByRole('button', { name: 'Try again' })).toBeVisible()
})
