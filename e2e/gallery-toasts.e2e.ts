import { expect, test } from './gallery-fixtures.ts'

test('spec §9: a toast stays 5000 ms', async ({ open, freeze, page }) => {
  const part = await open('toasts', 'Toasts')
  await freeze()
  await part.getByRole('button', { name: 'Success' }).click()
  const toasts = page.getByRole('region', { name: 'Notifications' })
  await page.clock.runFor(4980)
  await expect(toasts).toContainText('The limit is 1 GB now.')
  await page.clock.runFor(40)
  await expect(toasts).toHaveCount(0)
})

test('spec §4: with a timeout of 0 it stays until it is dismissed', async ({ open, freeze, page }) => {
  const part = await open('toasts', 'Toasts')
  await freeze()
  await part.getByRole('button', { name: 'Stays' }).click()
  const toasts = page.getByRole('region', { name: 'Notifications' })
  await page.clock.runFor(600_000)
  await expect(toasts).toContainText('Until it is dismissed.')
  await toasts.getByRole('button', { name: 'Dismiss' }).focus()
  await page.keyboard.press('Enter')
  await expect(toasts).toHaveCount(0)
})

test('a pointer over it, or the focus in it, stops its time', async ({ open, freeze, page }) => {
  const part = await open('toasts', 'Toasts')
  await freeze()
  const toasts = page.getByRole('region', { name: 'Notifications' })
  await part.getByRole('button', { name: 'Success' }).click()
  await toasts.getByText('The limit is 1 GB now.').hover()
  await page.clock.runFor(20_000)
  await expect(toasts).toBeVisible()
  await page.mouse.move(0, 0)
  await toasts.getByRole('button', { name: 'Dismiss' }).focus()
  await page.clock.runFor(20_000)
  await expect(toasts).toBeVisible()
  await part.getByRole('button', { name: 'Success' }).focus()
  await page.clock.runFor(5050)
  await expect(toasts).toHaveCount(0)
})

test('success, info and error are stacked and announced, an error at once', async ({ open, page }) => {
  const part = await open('toasts', 'Toasts')
  for (const name of ['Success', 'Info', 'Error']) await part.getByRole('button', { name, exact: true }).click()
  const toasts = page.getByRole('region', { name: 'Notifications' })
  await expect(toasts.locator('.toast')).toHaveCount(3)
  const tops = await Promise.all([0, 1, 2].map(async (at) => (await toasts.locator('.toast').nth(at).boundingBox())!.y))
  expect(tops).toEqual([...tops].sort((a, b) => a - b))
  await expect(page.getByRole('alert').filter({ hasText: 'Limit not changed' })).toHaveText(
    'Limit not changed: The group was edited by m.vries a moment ago.'
  )
  await part.getByRole('button', { name: 'Two seconds' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Gone in two seconds.' })).toHaveCount(1)
})

test('a message is HTML, without anything that acts', async ({ open, page }) => {
  const part = await open('toasts', 'Toasts')
  await part.getByRole('button', { name: 'With markup' }).click()
  const toast = page.locator('.toast')
  await expect(toast.locator('b').nth(1)).toHaveText('Bold')
  await expect(toast.locator('img, script')).toHaveCount(0)
  await expect(toast.getByText('linked')).not.toHaveAttribute('href', /javascript/)
  await expect(page).not.toHaveTitle('broken')
  await part.getByRole('button', { name: 'With a name in it' }).click()
  await expect(page.locator('.toast').last()).toContainText('Renamed to <b>loud</b>.')
})

test('it comes above a dialog that is open', async ({ open, page }) => {
  await open('toasts', 'Toasts')
  await page.getByRole('button', { name: 'Stays' }).click()
  await expect(page.getByRole('region', { name: 'Notifications' })).toHaveJSProperty('popover', 'manual')
})
