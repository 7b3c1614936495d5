import { expect, test } from './fixtures.ts'

test('what happened, day by day', async ({ page, signIn, open, expectAccessible }) => {
  await signIn('owner')
  await open('/activities')
  const feed = page.getByRole('region', { name: 'Activities', exact: true })
  await expect(feed.getByRole('heading', { level: 2 }).first()).toBeVisible()
  await expect(feed.getByRole('listitem')).toHaveCount(25)
  await expect(feed.getByRole('listitem').first().getByRole('time')).toHaveText(/^\d{1,2}:\d\d [AP]M$/)
  await expect(page.getByText(/^Showing 1-25 of \d+$/)).toBeVisible()
  await expectAccessible()
})

test('a sentence leads to its asset', async ({ page, signIn, open }) => {
  await signIn('owner')
  await open('/activities?category=assets')
  const row = page.getByRole('listitem').filter({ hasText: 'Registered' }).first()
  await row.getByRole('link').click()
  await expect(page).toHaveURL(/#\/assets\/ast_/)
})

test('filters are in the address, and can be taken off', async ({ page, signIn, open }) => {
  const feed = page.getByRole('region', { name: 'Activities', exact: true }).getByRole('listitem')
  await signIn('owner')
  await open('/activities')
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  const filters = page.getByRole('dialog', { name: 'Filters' })
  await filters.getByRole('button', { name: 'Category' }).click()
  await filters.getByRole('option', { name: 'Tags' }).click()
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(/category=tags/)
  await expect(feed.filter({ hasNotText: /tag/i })).toHaveCount(0)
  await page.getByRole('button', { name: 'Only by operator@demo.test' }).first().click()
  await expect(page).toHaveURL(/actor=operator(@|%40)demo\.test/)
  await page.reload()
  await expect(feed.filter({ hasNotText: 'operator@demo.test' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Remove filter Performed by' }).click()
  await expect(page).not.toHaveURL(/actor/)
  await page.getByRole('button', { name: 'Clear', exact: true }).click()
  await expect(page).toHaveURL(/#\/activities$/)
})

test('days without activity say so, and lead back', async ({ page, signIn, open }) => {
  await signIn('owner')
  await open('/activities?from=2010-01-01&to=2010-01-02')
  await expect(page.getByText('No activities to list.')).toBeVisible()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(page.getByText(/^Showing 1-25 of/)).toBeVisible()
})

test('what happens now comes on top', async ({ page, signIn, open }) => {
  await signIn('owner')
  await open('/activities')
  await expect(page.getByRole('status').filter({ hasText: 'Live' })).toBeVisible()
  const name = `now-${Date.now()}`
  const answer = await page.request.post('/v1/tags', { data: { name, color: 'teal' } })
  expect(answer.ok(), await answer.text()).toBe(true)
  await expect(page.getByRole('listitem').filter({ hasText: `Created tag ${name}` })).toBeVisible()
  await expect(page.getByRole('heading', { level: 2, name: /^Today, / })).toBeVisible()
})

test('one activity with before and after, and its entry in the chain', async ({ page, signIn, open, expectAccessible }) => {
  await signIn('owner')
  await open('/activities?category=assets')
  const details = page.getByRole('button', { name: 'Details: Renamed reefer-truck-new to reefer-truck-0120' })
  const sheet = page.getByRole('dialog', { name: 'Activity' })
  // Anywhere on the row does as well.
  await page.getByRole('listitem').filter({ has: details }).getByRole('time').click()
  await expect(sheet).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(sheet).toBeHidden()
  await details.click()
  await expect(sheet.getByRole('row', { name: 'Name reefer-truck-new reefer-truck-0120' })).toBeVisible()
  await expect(sheet.getByRole('button', { name: /^Copy entry of the hash chain \d+:[0-9a-f]{64}/ })).toBeVisible()
  await expectAccessible()
  await page.reload()
  await sheet.getByRole('button', { name: 'Only this asset' }).click()
  await expect(page).toHaveURL(/asset_id=ast_/)
  await expect(page.getByRole('listitem').filter({ hasText: 'reefer-truck-0120' }).first()).toBeVisible()
  await page.getByRole('button', { name: 'Remove filter Asset' }).click()
  await expect(page).not.toHaveURL(/asset_id/)
})

test('what is listed comes as a file, and the chain’s newest entry can be noted', async ({ page, signIn, open }) => {
  await signIn('owner')
  await open('/activities?category=tags')
  await expect(page.getByText(/^[\d,]+ activities in the hash chain/)).toBeVisible()
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Export' }).click()
  const file = await download
  expect(file.suggestedFilename()).toBe('activities.csv')
  const lines = (await (await file.createReadStream()).toArray()).join('').trimEnd().split('\r\n')
  expect(lines[0]).toMatch(/^at,category,action,sentence,/)
  expect(lines.slice(1).filter((line) => !line.includes(',tags,'))).toEqual([])
})

test('fits 360 px', async ({ page, signIn, open }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await signIn('owner')
  await open('/activities')
  await expect(page.getByRole('listitem').first()).toBeVisible()
  expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true)
})
