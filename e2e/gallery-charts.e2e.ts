import { readFileSync } from 'node:fs'
import { expect, test } from './gallery-fixtures.ts'

const tip = '.chart-tip'

test('a point says its time and its numbers, under the pointer', async ({ open, page }) => {
  const bars = await open('charts', 'Stacked bars')
  const canvas = bars.getByRole('img')
  await canvas.hover({ position: { x: 400, y: 100 } })
  await expect(bars.locator(tip)).toContainText(/\d+ Nov 2026In pools[\d.]+ GBPay-as-you-go[\d.]+ MBTotal[\d.]+ GBOctober/)
  await page.mouse.move(0, 0)
  await expect(bars.locator(tip)).toHaveCount(0)
})

test('arrow keys go from point to point and are read out; + and - zoom; Escape takes it back', async ({ open, page }) => {
  const bars = await open('charts', 'Stacked bars')
  const points = bars.getByRole('slider', { name: 'Points of Data per day' })
  await bars.locator('canvas').first().waitFor() // before it is drawn there are no points
  await points.focus()
  await page.keyboard.press('ArrowRight')
  await expect(points).toHaveAttribute(
    'aria-valuetext',
    /^1 Nov 2026: In pools [\d.]+ GB, Pay-as-you-go [\d.]+ MB, Total [\d.]+ GB, October/
  )
  await page.keyboard.press('End')
  await expect(points).toHaveAttribute('aria-valuetext', /^30 Nov 2026/)
  await page.keyboard.press('ArrowLeft')
  await expect(bars.locator(tip)).toContainText('29 Nov 2026')
  await page.keyboard.press('+')
  await expect(bars.getByRole('button', { name: 'Show all' })).toBeVisible()
  await page.keyboard.press('Home')
  await expect(points).toHaveAttribute('aria-valuetext', /^16 Nov 2026/)
  await page.keyboard.press('Escape')
  await expect(points).toHaveAttribute('aria-valuetext', 'No point')
  await page.keyboard.press('Escape')
  await expect(bars.getByRole('button', { name: 'Show all' })).toHaveCount(0)
})

test('a stretch dragged over is all that is shown, until it is taken back', async ({ open, page }) => {
  const bars = await open('charts', 'Stacked bars')
  const box = (await bars.getByRole('img').boundingBox())!
  await page.mouse.move(box.x + 300, box.y + 80)
  await page.mouse.down()
  await page.mouse.move(box.x + 450, box.y + 80, { steps: 5 })
  await page.mouse.up()
  await expect(bars.getByRole('button', { name: 'Show all' })).toBeVisible()
  const points = bars.getByRole('slider')
  await points.focus()
  await page.keyboard.press('Home')
  await expect(points).not.toHaveAttribute('aria-valuetext', /^1 Nov/)
  await bars.getByRole('button', { name: 'Show all' }).click()
  await points.focus()
  await page.keyboard.press('Home')
  await expect(points).toHaveAttribute('aria-valuetext', /^1 Nov/)
})

test('the legend takes series out; the last one brings all back', async ({ open, page }) => {
  const bars = await open('charts', 'Stacked bars')
  const points = bars.getByRole('slider')
  const legend = bars.getByRole('list', { name: 'Series' })
  const pool = legend.getByRole('button', { name: /In pools/ })
  await pool.focus()
  await page.keyboard.press('Space')
  await expect(pool).toHaveAttribute('aria-pressed', 'false')
  await points.focus()
  await page.keyboard.press('Home')
  await expect(points).not.toHaveAttribute('aria-valuetext', /In pools|Total/)
  await legend.getByRole('button', { name: /Pay-as-you-go/ }).press('Enter')
  await expect(pool).toHaveAttribute('aria-pressed', 'true')
})

test('the same numbers stand in a table, which can be scrolled by keyboard', async ({ open }) => {
  const bars = await open('charts', 'Stacked bars')
  await bars.getByRole('button', { name: 'Show as a table' }).press('Enter')
  const table = bars.getByRole('region', { name: 'Data per day, as a table' })
  await expect(table.getByRole('row')).toHaveCount(31)
  await expect(table.getByRole('row').nth(1)).toContainText(/1 Nov 2026[\d.]+ GB[\d.]+ MB[\d.]+ GB/)
  await expect(table).toHaveAttribute('tabindex', '0')
  await bars.getByRole('button', { name: 'Show as a chart' }).press('Enter')
  await expect(bars.getByRole('img')).toBeVisible()
})

test('numbers are kept as CSV, the drawing as PNG, by keyboard', async ({ open, page }) => {
  const bars = await open('charts', 'Stacked bars')
  const save = async (item: string) => {
    await bars.getByRole('button', { name: 'Save the numbers' }).press('Enter')
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: item }).press('Enter')])
    return { name: download.suggestedFilename(), content: readFileSync(await download.path()) }
  }
  const csv = await save('Numbers (CSV)')
  expect(csv.name).toBe('data-per-day.csv')
  const lines = csv.content.toString().trim().split('\r\n')
  expect(lines[0]).toBe('Time,In pools,Pay-as-you-go,October')
  expect(lines).toHaveLength(31)
  expect(lines[1]).toMatch(/^2026-11-01T00:00:00.000Z,\d+,\d+,\d+$/)
  await expect(bars.locator('canvas')).toBeVisible()
  const png = await save('Picture (PNG)')
  expect(png.name).toBe('data-per-day.png')
  expect(png.content.subarray(1, 4).toString()).toBe('PNG')
  expect(png.content.length).toBeGreaterThan(4000)
})

test('a new number moves the drawing in place: the canvas stays, and what is pointed at stays open', async ({ open, page }) => {
  const live = await open('charts', 'Live')
  const points = live.getByRole('slider')
  await live.locator('canvas').evaluate((canvas) => (canvas.dataset.same = 'yes'))
  await points.focus()
  await page.keyboard.press('Home')
  const before = await points.getAttribute('aria-valuetext')
  // A press would take the focus along.
  await live.getByRole('button', { name: 'A new number' }).evaluate((button: HTMLElement) => button.click())
  await expect(points).not.toHaveAttribute('aria-valuetext', before!)
  await expect(live.locator('canvas')).toHaveAttribute('data-same', 'yes')
  await expect(live.locator(tip)).toContainText('1 Nov 2026, 1:00 AM UTC')
})

test('the drawing follows the theme and the width it has', async ({ open, page }) => {
  const bars = await open('charts', 'Stacked bars')
  const canvas = bars.locator('canvas')
  const pixel = () =>
    canvas.evaluate((element: HTMLCanvasElement) =>
      element
        .getContext('2d')!
        .getImageData(0, 0, element.width, element.height)
        .data.reduce((sum, value) => (sum * 31 + value) % 1_000_003, 0)
    )
  const light = await pixel()
  await page.evaluate("document.documentElement.dataset.theme = 'dark'")
  await expect.poll(pixel).not.toBe(light)
  await page.setViewportSize({ width: 500, height: 700 })
  await expect.poll(async () => (await canvas.boundingBox())!.width).toBeLessThan(460)
})

test('a donut says its parts in a table, and lights the one pointed at', async ({ open }) => {
  const donut = (await open('charts', 'Donut')).getByRole('figure', { name: 'Data by type of asset' })
  await expect(donut.getByRole('row').nth(1)).toContainText(/ALPON X5 AI21.4 GB41 %/)
  await expect(donut).toContainText('51.7 GB')
  await donut.getByRole('rowheader', { name: 'CORE Device' }).hover()
  await expect(donut.locator('path').first()).toHaveAttribute('opacity', '0.35')
})

test('sparklines are named; nothing known is a dash', async ({ open }) => {
  const sparks = await open('charts', 'Sparklines')
  await expect(sparks.getByRole('img', { name: 'Rising' })).toBeVisible()
  await expect(sparks.getByText('—')).toBeVisible()
})
