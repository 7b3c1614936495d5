import { expect, test } from './fixtures.ts'

test('the palette leads to screens, actions and assets, by keyboard alone', async ({ page, signIn, open, expectAccessible }) => {
  const scripts: string[] = []
  page.on('request', (request) => scripts.push(request.url()))
  await signIn('owner')
  await open('/activities')
  expect(scripts.filter((url) => url.includes('Palette'))).toEqual([])
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog', { name: 'Command palette' })
  const input = palette.getByRole('combobox')
  await expect(input).toBeFocused()
  expect(scripts.filter((url) => url.includes('Palette'))).not.toEqual([])
  await expectAccessible()
  await input.fill('total usa')
  await expect(palette.getByRole('option')).toHaveText(['Total Data UsageCellular'])
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Total Cellular Data Usage' })).toBeVisible()
  await expect(palette).toBeHidden()
  // An asset, found by the API.
  const { items } = (await (await page.request.get('/v1/assets?page_size=1')).json()) as { items: { name: string; serial: string }[] }
  const [asset] = items
  await page.keyboard.press('Meta+k')
  await input.fill(asset!.serial)
  await palette.getByRole('group', { name: 'Assets' }).getByRole('option', { name: asset!.name }).waitFor()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: asset!.name })).toBeVisible()
  // The press that chooses does not press the button that opened it once more.
  await page.getByRole('button', { name: 'Find anything' }).press('Enter')
  await input.fill('overview')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Hello' })).toBeVisible()
  await expect(palette).toBeHidden()
  // An action.
  await page.keyboard.press('Control+k')
  await input.fill('dark')
  await page.keyboard.press('Enter')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await page.keyboard.press('Control+k')
  await input.fill('nothing like this')
  await expect(palette.getByRole('status')).toHaveText('Nothing matches “nothing like this”')
  await page.keyboard.press('Escape')
  await expect(palette).toBeHidden()
})

test('what is typed before the palette is there goes to the palette', async ({ page, signIn, open }) => {
  await signIn('owner')
  await open('/assets')
  const search = page.getByRole('main').getByRole('searchbox').first()
  await search.focus()
  const typed = Promise.withResolvers<void>()
  await page.route(/Palette/, async (route) => {
    await typed.promise
    await route.continue()
  })
  await page.keyboard.press('Control+k')
  await page.keyboard.type('activ')
  typed.resolve()
  const input = page.getByRole('dialog', { name: 'Command palette' }).getByRole('combobox')
  await expect(input).toHaveValue('activ')
  await page.keyboard.type('ities')
  await expect(input).toHaveValue('activities')
  await expect(search).toHaveValue('')
  // It begins anew the next time.
  await page.keyboard.press('Escape')
  await expect(search).toBeFocused()
  await page.keyboard.press('Control+k')
  await expect(input).toHaveValue('')
})

test('? lists the keys, and / goes to the search', async ({ page, signIn, open, expectAccessible }) => {
  await signIn('owner')
  await open('/')
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
  await expectAccessible()
  await page.keyboard.press('Escape')
  // A screen without a search of its own: everywhere.
  await page.keyboard.press('/')
  await expect(page.getByRole('dialog', { name: 'Command palette' })).toBeVisible()
  await page.keyboard.press('Escape')
  await open('/assets')
  const search = page.getByRole('main').getByRole('searchbox').first()
  await search.waitFor()
  await page.keyboard.press('/')
  await expect(search).toBeFocused()
  await page.keyboard.type('a?/')
  await expect(search).toHaveValue('a?/')
})
