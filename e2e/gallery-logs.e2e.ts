import { expect, test } from './gallery-fixtures.ts'

test('a stream follows its last line until one scrolls up; then it counts what is new', async ({ open, page }) => {
  const part = await open('logs', 'Stream')
  const log = part.getByRole('log', { name: 'Device log' })
  const more = part.getByRole('button', { name: 'Three new lines' })
  await expect(log.getByText('14:31:59')).toBeInViewport()
  await more.click()
  await expect(log.getByText('14:32:02')).toBeInViewport()
  await log.focus()
  await page.keyboard.press('Home')
  await expect(log.getByText('14:31:00')).toBeInViewport()
  await more.click()
  await expect(part.getByRole('button', { name: '3 new lines' })).toBeVisible()
  await expect(log.getByText('14:31:00')).toBeInViewport()
  await part.getByRole('button', { name: '3 new lines' }).press('Enter')
  await expect(log.getByText('14:32:05')).toBeInViewport()
})

test('a stream is searched, and its long lines broken', async ({ open }) => {
  const part = await open('logs', 'Stream')
  const log = part.getByRole('log')
  await part.getByRole('button', { name: 'Wrap long lines' }).press('Space')
  await expect.poll(() => log.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0)
  await part.getByRole('searchbox').fill('WATCHDOG')
  await expect(log.getByText('modem: reset by watchdog').first()).toBeVisible()
  await expect(log.getByText('mqtt: connected')).toHaveCount(0)
  await part.getByRole('searchbox').fill('nowhere')
  await expect(log).toHaveText('Nothing matches “nowhere”')
})

test('JSON is walked by arrow keys', async ({ open, page }) => {
  const tree = (await open('logs', 'JSON')).getByRole('tree', { name: 'Asset' })
  await expect(tree.getByRole('treeitem', { name: /iccid/ })).toBeVisible()
  await tree.getByRole('treeitem').first().focus()
  for (let press = 0; press < 4; press++) await page.keyboard.press('ArrowDown')
  const sim = tree.getByRole('treeitem', { name: /^sim/ })
  await expect(sim).toBeFocused()
  await page.keyboard.press('ArrowLeft')
  await expect(sim).toHaveAttribute('aria-expanded', 'false')
  await expect(tree.getByRole('treeitem', { name: /iccid/ })).toHaveCount(0)
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await expect(tree.getByRole('treeitem', { name: /iccid/ })).toBeFocused()
  await page.keyboard.press('ArrowLeft')
  await expect(sim).toBeFocused()
  await page.keyboard.press('End')
  await expect(tree.getByRole('treeitem', { name: 'position: null' })).toBeFocused()
})

test('files are chosen by keyboard or dropped; what cannot be taken says why', async ({ open, page }) => {
  const part = await open('more-inputs', 'File drop')
  const drop = part.getByRole('button', { name: /^Inventory/ })
  const choose = async (name: string, size: number) => {
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), drop.press('Enter')])
    await chooser.setFiles({ name, mimeType: 'text/plain', buffer: Buffer.alloc(size) })
  }
  await choose('stock.pdf', 10)
  await expect(drop).toHaveAccessibleDescription('stock.pdf is not one of .csv, text/csv.')
  await choose('stock.csv', 20_000)
  await expect(drop).toHaveAccessibleDescription('stock.csv has 20 KB, at most 10 KB can be taken.')
  await choose('stock.csv', 2_480)
  await expect(part.getByRole('list', { name: 'Inventory, chosen' })).toContainText('stock.csv2.48 KB')
  await part.getByRole('button', { name: 'Remove stock.csv' }).first().press('Enter')
  await expect(part.getByRole('list', { name: 'Inventory, chosen' })).toHaveCount(0)
  await drop.dispatchEvent('drop', {
    dataTransfer: await page.evaluateHandle(
      '(() => { const t = new DataTransfer(); t.items.add(new File(["a,b"], "dropped.csv")); return t })()'
    ),
  })
  await expect(part.getByText('dropped.csv')).toBeVisible()
})

test('names and values: Enter adds a row, lines pasted become rows, problems stand under their row', async ({ open, page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const part = (await open('more-inputs', 'Names and values')).getByRole('group', { name: 'Environment' })
  await part.getByLabel('Value 2').focus()
  await page.keyboard.press('Enter')
  await expect(part.getByLabel('Variable 3')).toBeFocused()
  await page.keyboard.type('2FAST')
  await expect(part.getByLabel('Variable 3')).toHaveAccessibleDescription('Letters, digits and _, not a digit first')
  await part.getByRole('button', { name: 'Remove 2FAST' }).press('Enter')
  await part.getByRole('button', { name: 'Add variable' }).press('Enter')
  await expect(part.getByLabel('Variable 3')).toBeFocused()
  await page.evaluate('navigator.clipboard.writeText("# settings\\nAPN=iot.example\\nPORT=\\"8883\\"\\n")')
  await page.keyboard.press('ControlOrMeta+v')
  await expect(part.getByLabel('Variable 4')).toHaveValue('PORT')
  await expect(part.getByLabel('Value 4')).toHaveValue('8883')
})
