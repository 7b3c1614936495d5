import { expect, test } from './gallery-fixtures.ts'

test('spec §9: a map opens at [25, 0], zoom 2', async ({ open }) => {
  const map = (await open('map', 'Markers')).getByRole('application', { name: 'Where they are' })
  await expect(map).toHaveAttribute('data-zoom', '2')
  await expect(map).toHaveAttribute('data-center', '25.00,0.00')
})

test('spec §3: markers by their label; pairs with a missing value are skipped', async ({ open }) => {
  const part = await open('map', 'Markers')
  await part.getByRole('button', { name: 'Show as a list' }).click()
  const list = part.getByRole('region', { name: 'Where they are, as a list' })
  await expect(list.getByRole('button')).toHaveCount(13)
  await expect(list).not.toContainText('never-seen')
  await expect(list).not.toContainText('half-known')
  await expect(list.getByRole('row', { name: /kiosk-santiago/ })).toContainText('33.4500° S, 70.6700° W')
})

test('spec §9: it flies to a marker at zoom 14 in 5 seconds', async ({ open, freeze, page }) => {
  await open('map', 'Markers')
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await page.reload()
  const part = page.getByRole('region', { name: 'Markers', exact: true })
  const map = part.getByRole('application')
  await expect(map).toHaveAttribute('data-zoom', '2')
  await freeze()
  await part.getByRole('button', { name: 'meter-nairobi' }).click()
  await expect(part.getByRole('status', { name: 'Selected' })).toHaveText('meter-nairobi')
  await page.clock.runFor(4900)
  await expect(map).toHaveAttribute('data-zoom', '2')
  await page.clock.runFor(300)
  await expect(map).toHaveAttribute('data-zoom', '14')
  await expect(map).toHaveAttribute('data-center', '-1.29,36.82')
})

test('clusters open by keyboard; one place with several markers lists them', async ({ open, page }) => {
  const part = await open('map', 'Markers')
  const map = part.getByRole('application')
  await part.getByRole('button', { name: /^6 markers around/ }).focus()
  await page.keyboard.press('Enter')
  await expect(map).not.toHaveAttribute('data-zoom', '2')
  await part.getByRole('button', { name: 'Show the world' }).click()
  await part.getByRole('button', { name: '2 markers around kiosk-tokyo' }).focus()
  await page.keyboard.press('Space')
  await part.getByRole('button', { name: 'kiosk-tokyo-2' }).press('Enter')
  await expect(part.getByRole('status', { name: 'Selected' })).toHaveText('kiosk-tokyo-2')
  await expect(map).toHaveAttribute('data-zoom', '14')
})

test('the map itself is moved and zoomed by keys and buttons', async ({ open, page }) => {
  const part = await open('map', 'Markers')
  const map = part.getByRole('application')
  await map.focus()
  await page.keyboard.press('+')
  await expect(map).toHaveAttribute('data-zoom', '3')
  await page.keyboard.press('ArrowUp')
  await expect(map).not.toHaveAttribute('data-center', '25.00,0.00')
  await part.getByRole('button', { name: 'Zoom out' }).press('Enter')
  await expect(map).toHaveAttribute('data-zoom', '2')
  await part.getByRole('button', { name: 'Show the world' }).press('Enter')
  await expect(map).toHaveAttribute('data-center', '25.00,0.00')
})

test('a marker chosen in the list is flown to on the map', async ({ open }) => {
  const part = await open('map', 'Markers')
  await part.getByRole('button', { name: 'Show as a list' }).press('Enter')
  await part.getByRole('button', { name: 'buoy-suva' }).press('Enter')
  await expect(part.getByRole('application')).toHaveAttribute('data-center', '-18.14,178.44')
})

test('no land stretches from one side of the map to the other', async ({ open }) => {
  const map = (await open('map', 'Markers')).getByRole('application')
  await expect(map.locator('path').first()).toBeAttached()
  // A whole turn at zoom 2 is 1024 px; a path that was not cut would be as wide. Antarctica is.
  const wide = await map.locator('path.map-country').evaluateAll(
    (paths) =>
      paths.filter((path) =>
        (path.getAttribute('d') ?? '').split('M').some((ring) => {
          const xs = ring.split('L').map((point) => parseFloat(point))
          return xs.some((x, at) => at > 0 && Math.abs(x - xs[at - 1]!) > 500)
        })
      ).length
  )
  expect(wide).toBeLessThanOrEqual(3)
})

test('countries are shaded by their measure, said on hover and in the list', async ({ open, page }) => {
  const part = await open('map', 'Countries by a measure')
  await expect(part.locator('.map-country[data-step="5"]').first()).toBeAttached()
  const before = await part
    .locator('.map-country[data-step="5"]')
    .first()
    .evaluate((path) => getComputedStyle(path).fill)
  await page.evaluate("document.documentElement.dataset.theme = 'dark'")
  expect(
    await part
      .locator('.map-country[data-step="5"]')
      .first()
      .evaluate((path) => getComputedStyle(path).fill)
  ).not.toBe(before)
  // The middle of the map is in Libya, of which nothing is known; its east in Russia.
  const map = (await part.getByRole('application').boundingBox())!
  await part.locator('.map-country[data-step="5"]').nth(1).hover({ force: true })
  await expect(part.getByRole('tooltip')).toContainText(/: [\d.]+ GB$/)
  await page.mouse.move(map.x - 5, map.y)
  await expect(part.getByRole('tooltip')).toHaveCount(0)
  await part.getByRole('button', { name: 'Show as a list' }).click()
  await expect(part.getByRole('row').nth(1)).toContainText('United States21.5 GB')
})

test('tiles of a server that was named lie under the markers, with whose they are; without one there are none', async ({ open, page }) => {
  const part = await open('map', 'Tiles of one’s own')
  await expect(part.locator('img.leaflet-tile-loaded').first()).toBeVisible()
  expect(
    await part
      .locator('img.leaflet-tile')
      .evaluateAll((tiles) => tiles.every((tile) => (tile as HTMLImageElement).referrerPolicy === 'origin'))
  ).toBe(true)
  await expect(part.locator('.leaflet-control-attribution')).toHaveText('© The gallery <own tiles>')
  await expect(part.getByRole('button', { name: 'meter-nairobi' })).toBeVisible()
  // Our own land would hide them.
  await expect(part.locator('.map-country').first()).toHaveCSS('fill', 'none')
  await expect(
    page.getByRole('region', { name: 'Markers', exact: true }).locator('img.leaflet-tile, .leaflet-control-attribution')
  ).toHaveCount(0)
})

test('a map whose window was resized just before it goes says nothing afterwards', async ({ open, freeze, page }) => {
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  const map = (await open('map', 'Markers')).getByRole('application', { name: 'Where they are' })
  await expect(map).toHaveAttribute('data-zoom', '2')
  await freeze()
  await page.setViewportSize({ width: 700, height: 700 })
  await page.clock.runFor(100)
  await page.evaluate(() => (location.hash = '#/toasts'))
  await expect(map).toBeHidden()
  await page.clock.runFor(1000)
  expect(errors).toEqual([])
})
