import { expect, test } from './gallery-fixtures.ts'

test('tabs are opened by arrow keys; what cannot be opened is passed over', async ({ open, page }) => {
  const part = await open('navigation', 'Tabs')
  const tab = (name: string) => part.getByRole('tab', { name })
  await tab('Overview').focus()
  await page.keyboard.press('ArrowRight')
  await expect(tab('Device')).toHaveAttribute('aria-selected', 'true')
  await expect(part.getByRole('tabpanel', { name: 'Device' })).toBeVisible()
  await page.keyboard.press('End')
  await expect(tab('Application')).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(tab('Overview')).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(tab('Overview')).not.toBeFocused()
})

test('an accordion opens one at a time, or several', async ({ open, page }) => {
  const part = await open('navigation', 'Accordion')
  const question = (name: string) => part.getByRole('button', { name })
  await question('What is a SIM block?').focus()
  await page.keyboard.press('Enter')
  await expect(part.getByText('The system took its service')).toBeVisible()
  await question('When does a pool run out?').focus()
  await page.keyboard.press('Space')
  await expect(part.getByText('The system took its service')).toBeHidden()
  await expect(question('When does a pool run out?')).toHaveAttribute('aria-expanded', 'true')
  await question('Several open').click()
  await question('At once').click()
  await expect(part.getByText('The first.')).toBeVisible()
  await expect(part.getByText('The second.')).toBeVisible()
  await expect(part.getByRole('heading', { level: 4, name: 'Several open' })).toBeVisible()
})

test('breadcrumbs lead back and say where one is', async ({ open }) => {
  const crumbs = (await open('navigation', 'Breadcrumbs')).getByRole('navigation', { name: 'Breadcrumbs' }).first()
  await expect(crumbs.getByRole('link')).toHaveText(['Assets', 'Reefers EU'])
  await expect(crumbs.getByText('reefer-truck-0148')).toHaveAttribute('aria-current', 'page')
})

test('pages are buttons, the current one says so', async ({ open, page }) => {
  const pages = (await open('navigation', 'Pagination')).getByRole('navigation', { name: 'Pages of assets' })
  await expect(pages.getByRole('button', { name: /^Page/ })).toHaveText(['1', '6', '7', '8', '24'])
  await pages.getByRole('button', { name: 'Page 24' }).focus()
  await page.keyboard.press('Enter')
  await expect(pages.getByRole('button', { name: 'Page 24' })).toHaveAttribute('aria-current', 'page')
  await expect(pages.getByRole('button', { name: 'Next page' })).toBeDisabled()
})

test('spec §9: progress bars are 6, 10 and 15 px', async ({ open }) => {
  const part = await open('progress', 'Progress')
  for (const size of [6, 10, 15]) {
    const bar = part.getByRole('progressbar', { name: `Used, ${size} px`, exact: true })
    expect((await bar.boundingBox())!.height).toBe(size)
    await expect(bar).toHaveAttribute('aria-valuenow', '42')
  }
  await expect(part.getByRole('progressbar', { name: 'Used, 6 px, over' })).toHaveAttribute('aria-valuetext', '116 %')
})

test('a stepper says which step is now; what is done leads back, by keyboard', async ({ open }) => {
  const part = await open('progress', 'Stepper')
  const steps = part.getByRole('list', { name: 'Register an asset' })
  await expect(steps.getByRole('listitem').nth(2)).toHaveAttribute('aria-current', 'step')
  await expect(steps.getByRole('listitem').nth(0)).toContainText('Serial number, done')
  await steps.getByRole('button', { name: /Name and tags/ }).press('Enter')
  await expect(steps.getByRole('listitem').nth(1)).toHaveAttribute('aria-current', 'step')
})

test('a payment card: brand, last four, MM/YY', async ({ open }) => {
  const part = await open('panels', 'Payment card')
  await expect(part).toContainText(/Visa ••••ending in 4242Expires 04\/29/)
  await expect(part).toContainText('Expired 10/26')
})

test('a filter is taken off by keyboard', async ({ open, page }) => {
  const filters = await open('states', 'Filters')
  await filters.getByRole('button', { name: 'Remove filter Tag' }).focus()
  await page.keyboard.press('Enter')
  await expect(filters.getByText('cold-chain')).toHaveCount(0)
  await expect(filters.getByRole('button')).toHaveCount(2)
})
