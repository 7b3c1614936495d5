import { expect, test } from './fixtures.ts'
import { findSimulated, runDevice } from './terminal-device.ts'

test('a shell in a window: typed, broken off and gone on with, ended; then played from its recording', async ({
  page,
  signIn,
  open,
  expectAccessible,
}) => {
  test.setTimeout(240_000)
  const refused: string[] = []
  page.on('console', (message) => message.text().includes('Content Security Policy') && refused.push(message.text()))
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
  // What the profile of whoever runs the agent does before its first prompt takes its time.
  await expect(screen).toContainText('hello-42', { timeout: 75_000 })
  await page.keyboard.type(String.raw`printf '\033[38;2;255;100;0morange\033[0m\n'` + '\n')
  await expect(screen.locator('span', { hasText: /^orange$/ })).toHaveCSS('color', 'rgb(255, 100, 0)')
  expect(refused).toEqual([])
  await expectAccessible()

  // On a phone: an arrow says what the program asked for.
  const keys = page.getByRole('toolbar', { name: 'Keys' })
  await page.setViewportSize({ width: 360, height: 740 })
  await page.keyboard.type(String.raw`printf '\033[?1h'; echo asks-$((40+2)); cat` + '\n')
  await expect(screen).toContainText('asks-42')
  await keys.getByRole('button', { name: 'Up' }).click()
  await expect(screen).toContainText('^[OA')
  await keys.getByRole('button', { name: 'Ctrl' }).click()
  await keys.getByRole('button', { name: 'Ctrl C' }).click()
  await page.keyboard.type(String.raw`printf '\033[?1l'; echo asks-$((1+1)); cat` + '\n')
  await expect(screen).toContainText('asks-2')
  await keys.getByRole('button', { name: 'Up' }).click()
  await expect(screen).toContainText('^[[A')
  await keys.getByRole('button', { name: 'Ctrl' }).click()
  await keys.getByRole('button', { name: 'Ctrl C' }).click()
  await page.setViewportSize({ width: 1280, height: 720 })

  await page.getByRole('button', { name: '1 takes part' }).click()
  await expect(page.getByRole('complementary', { name: 'Session' })).toContainText(/owner@demo.test.*you: /)

  // Somebody at a smaller window watches, gets the keyboard, and the shell gets the size of their window; once they are gone it comes back.
  const answer = await page.request.get(`/v1/terminal-sessions?asset=${device.id}`)
  const { items } = (await answer.json()) as { items: { id: string }[] }
  const second = await page.context().newPage()
  await second.setViewportSize({ width: 800, height: 420 })
  await second.goto(`/#/terminal?session=${items[0]!.id}`)
  const rowsOf = (window: typeof page) => window.locator('.xterm-rows > div').count()
  const rows = await rowsOf(page)
  await expect.poll(() => rowsOf(second)).toBe(rows)
  await page.getByRole('button', { name: 'Hand over' }).click()
  await expect.poll(() => rowsOf(second)).toBeLessThan(rows)
  await second.getByRole('textbox', { name: 'Terminal input' }).focus()
  await second.keyboard.type('echo size-$(stty size)\n')
  await expect(second.locator('.xterm-rows')).toContainText(`size-${await rowsOf(second)} `, { timeout: 15_000 })
  await second.close()
  await expect(page.getByRole('listitem').filter({ hasText: 'you: ' })).toContainText('types', { timeout: 30_000 })

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
  await page.getByRole('region', { name: 'The session ended' }).getByRole('link', { name: 'Play the recording' }).click()
  await expect(page.getByText(/Recording of owner@demo.test/)).toBeVisible()
  await page.goBack()
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
  await expect(page.getByText(`Ended the terminal of owner@demo.test on ${device.name}`).first()).toBeVisible()
})

test('the window without a device says where one is chosen', async ({ page, signIn, open, expectAccessible }) => {
  await signIn('owner')
  await open('/terminal')
  await expect(page.getByRole('heading', { name: 'No device is chosen' })).toBeVisible()
  await expectAccessible()
  await page.getByRole('link', { name: 'Choose an asset' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Assets' })).toBeVisible()
})

test('a device that does not answer: the step that failed, and why', async ({ page, signIn, open }) => {
  test.setTimeout(60_000)
  await signIn('owner')
  await open('/terminal?asset=nothing')
  const card = page.getByRole('region', { name: 'The terminal could not be opened' })
  await expect(card).toBeVisible()
  await expect(card.getByRole('button', { name: 'Try again' })).toBeVisible()
})

test('an access code: set at the device, asked for by its terminal, and removed', async ({ page, signIn, open, expectAccessible }) => {
  test.setTimeout(180_000)
  await signIn('owner')
  await using device = await runDevice(page, 5)
  await open(`/assets/${device.id}/device`)
  const panel = page.getByRole('region', { name: 'Terminal access code' })
  await panel.getByRole('button', { name: 'Set a code' }).click()
  const form = page.getByRole('dialog', { name: `Access code of ${device.name}` })
  await form.getByLabel('Code', { exact: true }).fill('open sesame')
  await expectAccessible()
  await form.getByRole('button', { name: 'Set code' }).click()
  await expect(panel).toContainText('Every terminal on this device asks for its code. Set by owner@demo.test')

  await page.getByRole('button', { name: 'Open terminal' }).click()
  const card = page.getByRole('region', { name: 'Access code' })
  const code = card.getByLabel('Code', { exact: true })
  await code.fill('guessed')
  await card.getByRole('button', { name: 'Open terminal' }).click()
  await expect(card).toContainText('This is not the access code of the device')
  await expectAccessible()
  await code.fill('open sesame')
  await code.press('Enter')
  await expect(page.getByText('Connected', { exact: true })).toBeVisible({ timeout: 75_000 })
  await page.getByRole('button', { name: 'End', exact: true }).click()
  await open(`/assets/${device.id}/device`)
  await panel.getByRole('button', { name: 'Remove the code' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect(panel).toContainText('No code is asked for.')
})

test('a simulated device of the demo answers in its terminal, and shows the log of a container', async ({ page, signIn, open }) => {
  test.setTimeout(180_000)
  await signIn('owner')
  const found = await findSimulated(page)
  await open(`/terminal?asset=${found.id}`)
  await expect(page.getByText('Connected', { exact: true })).toBeVisible({ timeout: 30_000 })
  const screen = page.locator('.xterm-rows')
  await expect(screen).toContainText('This device is simulated')
  await page.keyboard.type(`docker logs ${found.container}\n`)
  await expect(screen).toContainText('cycle')
  await page.keyboard.type('exit\n')
  await expect(page.getByRole('region', { name: 'The session ended' })).toBeVisible()

  await open(`/assets/${found.id}/application`)
  await page.getByRole('button', { name: `More for ${found.container}` }).click()
  await page.getByRole('menuitem', { name: 'Read log' }).click()
  const log = page.getByRole('dialog', { name: `Log of ${found.container}` })
  await expect(log).toContainText(/cycle \d+/)
  await log.getByRole('button', { name: 'Follow' }).click()
  await expect(log.getByRole('button', { name: 'Pause' })).toBeVisible()
  await expect(log).toContainText(/cycle \d+/)
})

test('a simulated CORE device of the demo answers in its terminal, too', async ({ page, signIn, open }) => {
  test.setTimeout(120_000)
  await signIn('owner')
  const find = () =>
    page.evaluate(async () => {
      const list = (await (await fetch('/v1/assets?type=core&page_size=100')).json()) as { items: { id: string }[] }
      for (const asset of list.items) {
        const { device } = (await (await fetch(`/v1/assets/${asset.id}/device`)).json()) as { device: { presence: string } | null }
        if (device?.presence === 'online') return asset.id
      }
      return undefined
    })
  await expect.poll(find, { message: 'a simulated CORE device is online', timeout: 60_000 }).toBeDefined()
  await open(`/core-terminal?asset=${await find()}`)
  await expect(page.getByText('Connected', { exact: true })).toBeVisible({ timeout: 40_000 })
  const screen = page.locator('.xterm-rows')
  await expect(screen).toContainText('This device is simulated')
  await page.keyboard.type('whoami\n')
  await expect(screen).toContainText(/whoami\s*sixfab/)
  await page.keyboard.type('exit\n')
  await expect(page.getByRole('region', { name: 'The session ended' })).toBeVisible({ timeout: 20_000 })
})
