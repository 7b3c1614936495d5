import { expect, test } from './gallery-fixtures.ts'

test('spec §9: three sizes and seven colours', async ({ open }) => {
  const buttons = await open('buttons', 'Buttons')
  const colors = ['Add to pool', 'Register asset', 'Export', 'Activate', 'Terminate SIM', 'Pay by card', 'Add credits']
  for (const words of colors) {
    const heights = await Promise.all(
      [0, 1, 2].map(async (at) => (await buttons.getByRole('button', { name: words, exact: true }).nth(at).boundingBox())!.height)
    )
    expect(heights, words).toEqual([28, 32, 40])
  }
  const grounds = await Promise.all(
    colors.map((words) =>
      buttons
        .getByRole('button', { name: words, exact: true })
        .first()
        .evaluate((button) => getComputedStyle(button).backgroundColor)
    )
  )
  expect(new Set(grounds).size).toBe(7)
})

test('spec §9: the primary colour is #4ae387', async ({ open }) => {
  const buttons = await open('buttons', 'Buttons')
  await expect(buttons.getByRole('button', { name: 'Register asset' }).first()).toHaveCSS('background-color', 'rgb(74, 227, 135)')
})

test('Enter and Space press a button; one that is on its way is not pressed again', async ({ open, page }) => {
  const buttons = await open('buttons', 'Buttons')
  const count = buttons.getByRole('button', { name: 'Count' })
  const presses = buttons.getByRole('status', { name: 'Presses' })
  await count.focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Space')
  await expect(presses).toHaveText('2')
  await buttons.getByRole('button', { name: 'Toggle loading' }).click()
  await expect(count).toHaveAttribute('aria-busy', 'true')
  await count.focus()
  await page.keyboard.press('Enter')
  await expect(presses).toHaveText('2')
})

test('a disabled button with a reason can be reached, and says why', async ({ open, page }) => {
  const buttons = await open('buttons', 'Buttons')
  const off = buttons.getByRole('button', { name: 'Deactivate' }).last()
  await buttons.getByRole('button', { name: 'Deactivate' }).first().focus()
  await page.keyboard.press('Tab')
  await expect(off).toBeFocused()
  await expect(off).toHaveAccessibleDescription('The SIM is not active')
  await expect(page.getByRole('tooltip')).toHaveText('The SIM is not active')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('tooltip')).toHaveCount(0)
})

test('an icon button is named, and a hover shows its name', async ({ open, page }) => {
  const icons = await open('buttons', 'Icon buttons')
  await icons.getByRole('button', { name: 'Remove' }).hover()
  await expect(page.getByRole('tooltip')).toHaveText('Remove')
})

test('a link button is a link; what leads nowhere now says why', async ({ open, page }) => {
  const links = await open('buttons', 'Link buttons')
  await expect(links.getByRole('link', { name: 'All assets' })).toHaveAttribute('href', '#/buttons')
  const outside = links.getByRole('link', { name: 'Community' })
  await expect(outside).toHaveAttribute('target', '_blank')
  await expect(outside).toHaveAttribute('rel', 'noreferrer')
  const off = links.getByRole('link', { name: 'Open terminal' })
  await off.focus()
  await expect(off).toHaveAttribute('aria-disabled', 'true')
  await expect(off).toHaveAccessibleDescription('The device is offline')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/#\/buttons$/)
})

test('spec §8, §9: copying says "Copied to clipboard", title Success, for 2000 ms, when there is a handler', async ({
  open,
  freeze,
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const copy = await open('buttons', 'Copy')
  await freeze()
  await copy.getByRole('button', { name: 'Copy ICCID', exact: true }).focus()
  await page.keyboard.press('Enter')
  const toasts = page.getByRole('region', { name: 'Notifications' })
  await expect(toasts).toContainText('SuccessCopied to clipboard')
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe('8931082017004430677')
  await page.clock.runFor(1990)
  await expect(toasts).toContainText('Copied to clipboard')
  await page.clock.runFor(20)
  await expect(toasts).toHaveCount(0)
  await copy.getByRole('button', { name: 'Copy quietly' }).click()
  await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe('quiet')
  await expect(toasts).toHaveCount(0)
})

test('an identifier copies whole, however it is cut', async ({ open, page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const copy = await open('buttons', 'Copy')
  await copy.getByRole('button', { name: /EID/ }).focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe('89049032000000000000000000004471')
})

test('play, pause and restart are named after the thing', async ({ open, page }) => {
  const run = await open('buttons', 'Runnable')
  for (const [name, done] of [
    ['Start modem-agent', 'play'],
    ['Pause modem-agent', 'pause'],
    ['Restart modem-agent', 'restart'],
  ] as const) {
    await run.getByRole('button', { name, exact: true }).focus()
    await page.keyboard.press('Enter')
    await expect(run.getByRole('status', { name: 'Done' })).toHaveText(done)
  }
  await expect(run.getByRole('button', { name: 'Start mqtt-bridge', exact: true })).toHaveAccessibleDescription('It runs already')
})
