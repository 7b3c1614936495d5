import { readFileSync } from 'node:fs'
import { expect, test } from './gallery-fixtures.ts'

test.describe('table', () => {
  test('spec §9: ten rows a page, "Showing x-y of total"', async ({ open, page }) => {
    const part = await open('tables', 'Table')
    const table = part.getByRole('table', { name: 'Assets' })
    await expect(table.getByRole('row')).toHaveCount(11)
    await expect(part.getByText('Showing 1-10 of 47')).toBeVisible()
    for (let turn = 0; turn < 4; turn++) {
      await part.getByRole('button', { name: 'Next page' }).focus()
      await page.keyboard.press('Enter')
    }
    await expect(part.getByText('Showing 41-47 of 47')).toBeVisible()
    await expect(part.getByRole('button', { name: 'Next page' })).toBeDisabled()
  })

  test('spec §8: nothing there reads "No data found"', async ({ open }) => {
    await expect((await open('tables', 'Nothing there')).getByText('No data found')).toBeVisible()
  })

  test('is sorted by its heads, which say so', async ({ open, page }) => {
    const part = await open('tables', 'Table')
    const usage = part.getByRole('columnheader', { name: 'Usage' })
    await usage.getByRole('button').focus()
    await page.keyboard.press('Enter')
    await expect(usage).toHaveAttribute('aria-sort', 'descending')
    await page.keyboard.press('Enter')
    await expect(usage).toHaveAttribute('aria-sort', 'ascending')
  })

  test('ticks stay from page to page; all that match can be taken, by keyboard alone', async ({ open, page }) => {
    const part = await open('tables', 'Table')
    const bar = page.getByRole('region', { name: 'Selected rows' })
    await part.getByRole('checkbox', { name: /^Select buoy-kiel-0007/ }).press('Space')
    await expect(bar).toContainText('1 selected')
    await part.getByRole('button', { name: 'Next page' }).press('Enter')
    await expect(part.getByText('Showing 11-20 of 47')).toBeVisible()
    await expect(bar).toContainText('1 selected')
    await part.getByRole('checkbox', { name: 'Select all on this page' }).press('Space')
    await expect(bar).toContainText('11 selected')
    await bar.getByRole('button', { name: 'Select all 47 that match' }).press('Enter')
    await expect(bar).toContainText('All 47 selected')
    await part.getByRole('button', { name: 'Previous page' }).press('Enter')
    await expect(part.getByRole('checkbox', { name: /^Select cam-gantry-0004/ })).toBeChecked()
    await part.getByRole('checkbox', { name: /^Select cam-gantry-0004/ }).press('Space')
    await expect(bar).toContainText('46 selected')
    await bar.getByRole('button', { name: 'Clear the selection' }).press('Enter')
    await expect(bar).toHaveCount(0)
  })

  test('columns are chosen by keyboard', async ({ open, page }) => {
    const part = await open('tables', 'Table')
    await part.getByRole('button', { name: 'Columns' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('checkbox', { name: 'SIM status' }).focus()
    await page.keyboard.press('Space')
    await page.keyboard.press('Escape')
    await expect(part.getByRole('columnheader', { name: 'SIM status' })).toHaveCount(0)
  })

  test('a row has its actions; a press on it opens it, one on what is in it does not', async ({ open, page }) => {
    const part = await open('tables', 'Table')
    const opened = part.getByRole('status', { name: 'Opened' })
    await part.getByRole('button', { name: 'Actions for buoy-kiel-0007' }).focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('menu')).toBeVisible()
    await expect(opened).toHaveText('')
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await expect(opened).toHaveText('buoy-kiel-0007, deactivated')
    await part.getByText('buoy-kiel-0014').click()
    await expect(opened).toHaveText('buoy-kiel-0014')
  })

  test('its head stays visible', async ({ open, page }) => {
    const part = await open('tables', 'Table')
    await expect(part.getByRole('columnheader', { name: 'Usage' })).toHaveCSS('position', 'sticky')
    await page.setViewportSize({ width: 960, height: 400 })
    await part.getByText('cam-gantry-0025').scrollIntoViewIfNeeded()
    await page.mouse.wheel(0, 120)
    await expect(part.getByRole('columnheader', { name: 'Usage' })).toBeInViewport()
  })

  test('is kept as CSV, whole', async ({ open, page }) => {
    const part = await open('tables', 'Table')
    const [download] = await Promise.all([page.waitForEvent('download'), part.getByRole('button', { name: 'CSV' }).press('Enter')])
    const lines = readFileSync(await download.path(), 'utf8')
      .trim()
      .split('\r\n')
    expect(lines).toHaveLength(48)
    expect(lines[0]).toBe('Asset,SIM status,Country,Usage')
    expect(lines[1]).toMatch(/^buoy-kiel-0007,\w+,[A-Z]{2},\d+$/)
  })

  test('on its way it says so, and as a list it is still a table', async ({ open }) => {
    const whole = await open('tables')
    await expect(whole.getByRole('table', { name: 'Assets on their way' })).toHaveAttribute('aria-busy', 'true')
    await expect(whole.getByRole('table', { name: 'Assets as a list' }).getByRole('row')).toHaveCount(2)
  })
})

test.describe('the windowed table', () => {
  test('has 100,000 rows, draws few, and none anew when its scrollbar is dragged; at rest they stand in order', async ({ open }) => {
    const grid = (await open('windowed')).getByRole('grid', { name: 'All assets' })
    await expect(grid).toHaveAttribute('aria-rowcount', '100001')
    const rows = grid.locator('.windowed-row')
    expect(await rows.count()).toBeLessThan(60)
    await rows.evaluateAll((all) => all.forEach((row) => row.setAttribute('data-kept', '')))
    await grid.evaluate((element) => (element.scrollTop = 1_800_000))
    await expect(grid.getByRole('row', { name: /-50005 / })).toBeInViewport()
    expect(await grid.locator('[data-kept]').count()).toBeGreaterThan(12)
    const places = () => rows.evaluateAll((all) => all.map((row) => Number(row.getAttribute('aria-rowindex'))))
    await expect.poll(async () => (await places()).every((place, at, all) => at === 0 || place === all[at - 1]! + 1)).toBe(true)
  })

  test('is one stop, walked by keys to its end and back, ticked by Space, opened by Enter', async ({ open, page }) => {
    const part = await open('windowed')
    const grid = part.getByRole('grid', { name: 'All assets' })
    await grid.focus()
    await page.keyboard.press('End')
    const last = grid.getByRole('row', { name: /-100000/ })
    await expect(last).toBeInViewport()
    expect(await grid.getAttribute('aria-activedescendant')).toBe(await last.getAttribute('id'))
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Space')
    await expect(grid.getByRole('row', { name: /-99999/ })).toHaveAttribute('aria-selected', 'true')
    await page.keyboard.press('Enter')
    await expect(part.getByRole('status', { name: 'Opened' })).toHaveText(/-99999$/)
    await page.keyboard.press('Home')
    await page.keyboard.press('PageDown')
    await expect(grid.getByRole('row', { name: /-0012 / })).toBeInViewport()
    await expect(grid.locator('[data-current]')).toHaveCount(1)
  })

  test('is sorted by its heads', async ({ open, page }) => {
    const grid = (await open('windowed')).getByRole('grid', { name: 'All assets' })
    await grid.getByRole('button', { name: 'Usage' }).focus()
    await page.keyboard.press('Enter')
    await expect(grid.getByRole('columnheader', { name: 'Usage' })).toHaveAttribute('aria-sort', 'descending')
    await expect(grid.getByRole('row').nth(1)).toContainText('1.2 GB')
  })
})
