import { readFileSync } from 'node:fs'
import { expect, test } from './fixtures.ts'

test('usage over time and by SIM, with how fresh it is', async ({ page, signIn, open, expectAccessible }) => {
  await signIn('owner')
  await open('/usage/total')
  await expect(page.getByRole('figure', { name: /^Data per day by SIM/ })).toBeVisible()
  const table = page.getByRole('table', { name: 'Usage by SIM' })
  await expect(table.getByRole('row')).toHaveCount(11)
  const headers = (await table.getByRole('columnheader').allTextContents()).filter((each) => each !== 'Reported late')
  expect(headers).toEqual(['Asset', 'Upload', 'Download', 'Total', 'Share', 'Billed', 'Of its limit'])
  await expect(page.getByText(/^Showing 1-10 of \d+$/)).toBeVisible()
  await expect(
    page.getByText(/^These figures are complete until \d\d?:\d\d [AP]M UTC( on [^.]+)?\. Reports may still arrive up to 48 h late\.$/)
  ).toBeVisible()
  await expectAccessible()
})

test('data by country and operator, and the SIMs that used none', async ({ page, signIn, open, expectAccessible }) => {
  await signIn('owner')
  await open('/usage/total?period=today')
  // The map comes when its place is seen.
  await page.getByRole('figure', { name: /^Data per hour/ }).evaluate((chart) => chart.scrollIntoView({ block: 'start' }))
  await expect(page.getByRole('figure', { name: 'Data by country' })).toBeVisible()
  const operators = page.getByRole('table', { name: 'Data by operator' })
  await expect(operators.getByRole('row')).toHaveCount(7)
  await page.getByRole('button', { name: /^All \d+$/ }).click()
  await expect(operators.getByRole('row').nth(7)).toBeVisible()
  await page.getByRole('button', { name: 'see which' }).click()
  await expect(page.getByRole('table', { name: 'Active SIMs without data' })).toBeInViewport()
  await expectAccessible()
})

test('days that changed after they were over are shown, and which SIMs', async ({ page, signIn, open, expectAccessible }) => {
  await signIn('owner')
  await open('/usage/total?period=30d')
  const days = page.getByRole('table', { name: 'Days with usage that was reported late' })
  await expect(days.getByRole('row')).toHaveCount(3)
  await expect(page.getByRole('table', { name: 'Usage by SIM' }).getByRole('columnheader', { name: 'Reported late' })).toBeVisible()
  await expect(page.getByRole('figure', { name: /^Data per day/ }).getByText(/\d{4}: .* reported late$/)).toHaveCount(2)
  await expectAccessible()
})

test('every choice is in the address', async ({ page, signIn, open }) => {
  await signIn('owner')
  await open('/usage/total')
  await page.getByRole('group', { name: 'Period' }).getByRole('button', { name: 'Last month' }).click()
  await page.getByRole('button', { name: 'Group by' }).click()
  await page.getByRole('option', { name: 'By country' }).click()
  await page.getByRole('searchbox').fill('germ')
  const table = page.getByRole('table', { name: 'Usage by Country' })
  await expect(table.getByRole('row')).toHaveCount(2)
  await expect(table.getByRole('cell', { name: 'Germany' })).toBeVisible()
  await expect(page).toHaveURL(/period=last_month/)
  await expect(page).toHaveURL(/group_by=country/)
  await expect(page).toHaveURL(/search=germ/)
  await page.reload()
  await expect(table.getByRole('row')).toHaveCount(2)
  await page.getByRole('searchbox').fill('atlantis')
  await expect(page.getByText('No data found')).toBeVisible()
  await page.getByRole('button', { name: 'Clear the search' }).click()
  await expect(page.getByText(/^Showing 1-10 of/)).toBeVisible()
})

test('two choices one after the other are both in the address, however slow the machine', async ({ page, signIn, open }) => {
  await signIn('owner')
  await open('/assets')
  await expect(page.getByText(/^Showing 1-10 of/)).toBeVisible()
  const [sort, next] = await Promise.all([
    page.getByRole('columnheader', { name: 'Usage this month' }).getByRole('button').elementHandle(),
    page.getByRole('button', { name: 'Next page' }).elementHandle(),
  ])
  // The second comes before the first is drawn.
  await page.evaluate(
    ([first, second]) => {
      first!.click()
      queueMicrotask(() => second!.click())
    },
    [sort, next] as { click(): void }[]
  )
  await expect(page).toHaveURL(/sort=-?usage/)
  await expect(page).toHaveURL(/page=2/)
})

test('days are chosen in a calendar, by pointer and by keyboard', async ({ page, signIn, open }) => {
  await signIn('owner')
  await open('/usage/total?period=custom&from=2026-03-02&to=2026-03-04')
  await page.getByRole('button', { name: 'From: 2 Mar 2026' }).click()
  const calendar = page.getByRole('dialog', { name: 'From' })
  await expect(calendar.getByRole('columnheader').first()).toHaveText('Su')
  await calendar.getByRole('button', { name: /Tuesday 3 Mar 2026/ }).click()
  await expect(page).toHaveURL(/from=2026-03-03/)
  await page.getByRole('button', { name: 'To: 4 Mar 2026' }).press('Enter')
  await expect(page.getByRole('dialog', { name: 'To' }).getByRole('button', { name: /Wednesday 4 Mar 2026/ })).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/to=2026-03-12/)
  await expect(page.getByText('3 – 12 Mar 2026, UTC')).toBeVisible()
  await page.getByRole('button', { name: 'Granularity' }).click()
  await page.getByRole('option', { name: 'Per hour' }).click()
  await expect(page.getByRole('heading', { name: 'Data per hour' })).toBeVisible()
})

test('hours are not offered for a year', async ({ page, signIn, open }) => {
  await signIn('owner')
  await open('/usage/total?period=12m&interval=hour')
  await expect(page.getByRole('heading', { name: 'Data per month' })).toBeVisible()
  await page.getByRole('button', { name: 'Granularity' }).click()
  await expect(page.getByRole('option', { name: /Per hour/ })).toHaveAttribute('aria-disabled', 'true')
})

test('the CSV has every row of the table', async ({ page, signIn, open }) => {
  await signIn('owner')
  await open('/usage/total?period=last_month')
  const shown = await page.getByText(/^Showing 1-10 of \d+$/).innerText()
  const total = Number(shown.split(' ').at(-1))
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'CSV' }).click()
  const file = await download
  expect(file.suggestedFilename()).toMatch(/^usage-by-sim-\d{4}-\d\d-01-to-\d{4}-\d\d-\d\d\.csv$/)
  const lines = readFileSync(await file.path(), 'utf8')
    .trim()
    .split('\r\n')
  expect(lines[0]).toBe('group,label,iccid,bytes_up,bytes_down,bytes,share,sims,countries,sessions,billed_bytes')
  expect(lines).toHaveLength(total + 1)
})

test('page by page, back and forth', async ({ page, signIn, open }) => {
  await signIn('owner')
  await open('/usage/total?period=last_month')
  const first = await page.getByRole('table').getByRole('row').nth(1).innerText()
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect(page.getByText(/^Showing 11-20 of/)).toBeVisible()
  await expect(page.getByRole('table').getByRole('row').nth(1)).not.toHaveText(first)
  await page.goBack()
  await expect(page.getByText(/^Showing 1-10 of/)).toBeVisible()
})

test('an account without usage says so', async ({ page, signIn, open }) => {
  await signIn('empty')
  await open('/usage/total')
  // Operators come when they are visible.
  await expect(page.getByText('No data found').last()).toBeVisible()
  await expect(page.getByText('No data in this period')).toBeVisible()
})

test('fits 360 px, as a list', async ({ page, signIn, open, expectAccessible }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await signIn('owner')
  await open('/usage/total')
  await expect(page.getByRole('table', { name: 'Usage by SIM' }).getByRole('row').first()).toBeVisible()
  // What comes when it is looked at: nothing of it is cut, nor pushes the page.
  const operators = page.getByRole('table', { name: 'Data by operator' })
  await page.getByRole('searchbox').last().scrollIntoViewIfNeeded()
  await expect(operators.getByRole('row').nth(1)).toBeVisible()
  const cut = (words: Element[]) => words.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).map((one) => one.textContent)
  expect(await operators.locator('.truncate').evaluateAll(cut)).toEqual([])
  await page.evaluate('window.scrollTo(0, document.body.scrollHeight)')
  await page.getByRole('heading', { name: 'Sessions without data' }).scrollIntoViewIfNeeded()
  await expect(page.locator('table[aria-label="SIMs by sessions without data"]')).toBeAttached()
  expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true)
  await expectAccessible()
})
