import { expect, test } from './gallery-fixtures.ts'

test('what is wrong and what to know are tied to their field', async ({ open }) => {
  const text = await open('fields', 'Text')
  await expect(text.getByLabel('Serial number or ICCID')).toHaveAccessibleDescription('16 of 19 digits.')
  await expect(text.getByLabel('Serial number or ICCID')).toHaveAttribute('aria-invalid', 'true')
  await expect(text.getByLabel('Name')).toHaveAccessibleDescription('Shown everywhere in place of the ICCID.')
  await expect(text.getByLabel('Set by the package')).toBeDisabled()
})

test('spec §5: text, password, email, number', async ({ open, page }) => {
  const text = await open('fields', 'Text')
  for (const [label, type] of [
    ['Name', 'text'],
    ['Email', 'email'],
    ['Count', 'number'],
  ] as const)
    expect((await text.getByLabel(label, { exact: true }).getAttribute('type')) ?? 'text').toBe(type)
  const password = text.getByLabel('Password', { exact: true })
  await expect(password).toHaveAttribute('type', 'password')
  await password.focus()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(password).toHaveAttribute('type', 'text')
})

test.describe('spec §5: the number input', () => {
  test('takes digits and one decimal point, and no other key', async ({ open, page }) => {
    const limit = (await open('fields', 'Number')).getByLabel('Monthly limit')
    await limit.fill('')
    await limit.focus()
    await page.keyboard.type('-1a2.e3.4 5x,')
    await expect(limit).toHaveValue('12.34')
  })

  test('backspace, delete, arrows and tab work', async ({ open, page }) => {
    const number = await open('fields', 'Number')
    const limit = number.getByLabel('Monthly limit')
    await limit.fill('1234')
    await limit.focus()
    await page.keyboard.press('End')
    await page.keyboard.press('Backspace')
    await expect(limit).toHaveValue('123')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Delete')
    await expect(limit).toHaveValue('12')
    await page.keyboard.press('Tab')
    await expect(number.getByLabel('Price')).toBeFocused()
  })

  test('copy, paste and select all work; only an optionally negative number can be pasted', async ({ open, page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const number = await open('fields', 'Number')
    const price = number.getByLabel('Price')
    const paste = async (text: string) => {
      await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`)
      await price.focus()
      await page.keyboard.press('ControlOrMeta+a')
      await page.keyboard.press('ControlOrMeta+v')
    }
    for (const refused of ['12 EUR', '1e5', '--1', '1.2.3', '1,5']) {
      await paste(refused)
      await expect(price, refused).toHaveValue('0.25')
    }
    await paste('-3.5')
    await expect(price).toHaveValue('-3.5')
    await paste(' 42 ')
    await expect(price).toHaveValue('42')
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.press('ControlOrMeta+c')
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('42')
  })

  test('keeps at most 2 decimals unless said otherwise', async ({ open, page }) => {
    const number = await open('fields', 'Number')
    const limit = number.getByLabel('Monthly limit')
    await limit.fill('')
    await limit.focus()
    await page.keyboard.type('1.239')
    await expect(limit).toHaveValue('1.23')
    await number.getByLabel('Price').fill('')
    await number.getByLabel('Price').focus()
    await page.keyboard.type('0.123456')
    await expect(number.getByLabel('Price')).toHaveValue('0.1234')
    const whole = number.getByLabel('SIMs')
    await whole.focus()
    await page.keyboard.type('1.5')
    await expect(whole).toHaveValue('15')
  })

  test('is clamped to its limits when it is left, and by Enter', async ({ open, page }) => {
    const number = await open('fields', 'Number')
    const limit = number.getByLabel('Monthly limit')
    await limit.fill('2400')
    await expect(number.getByRole('status', { name: 'Limit is' })).toHaveText('2400')
    await limit.blur()
    await expect(limit).toHaveValue('2000')
    await expect(number.getByRole('status', { name: 'Limit is' })).toHaveText('2000')
    await limit.fill('9999')
    await page.keyboard.press('Enter')
    await expect(limit).toHaveValue('2000')
  })

  test('Up and Down step it, within its limits', async ({ open, page }) => {
    const limit = (await open('fields', 'Number')).getByLabel('Monthly limit')
    await limit.fill('1999.5')
    await limit.focus()
    await page.keyboard.press('ArrowUp')
    await expect(limit).toHaveValue('2000')
    await page.keyboard.press('ArrowDown')
    await expect(limit).toHaveValue('1999')
  })
})

test('a slash goes to the search from anywhere, Escape empties it', async ({ open, page }) => {
  const search = await open('fields', 'Search')
  await page.keyboard.press('/')
  await expect(search.getByRole('searchbox')).toBeFocused()
  await page.keyboard.type('reefer')
  await expect(search.getByRole('status')).toHaveText('reefer')
  await page.keyboard.press('Escape')
  await expect(search.getByRole('status')).toHaveText('')
})

test.describe('the date picker', () => {
  test('spec §5, §9: offers -20 to +50 years, weeks from Sunday', async ({ open, page }) => {
    const dates = await open('fields', 'Dates')
    await dates.getByRole('button', { name: /Renews on/ }).click()
    const calendar = page.getByRole('dialog', { name: 'Renews on' })
    const years = await calendar.getByRole('combobox', { name: 'Year' }).getByRole('option').allInnerTexts()
    expect([years[0], years.at(-1), years.length]).toEqual(['2006', '2076', 71])
    await expect(calendar.getByRole('columnheader').first()).toHaveAttribute('abbr', 'Sunday')
  })

  test('is walked by arrow keys, Page Up and Down, Home and End, and chosen by Enter', async ({ open, page }) => {
    const dates = await open('fields', 'Dates')
    const field = dates.getByRole('button', { name: /Renews on/ })
    await field.focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('button', { name: 'Tuesday 1 Dec 2026' })).toBeFocused()
    await page.keyboard.press('ArrowDown')
    await expect(page.getByRole('button', { name: 'Tuesday 8 Dec 2026' })).toBeFocused()
    await page.keyboard.press('Home')
    await expect(page.getByRole('button', { name: 'Sunday 6 Dec 2026' })).toBeFocused()
    await page.keyboard.press('PageDown')
    await expect(page.getByRole('button', { name: 'Wednesday 6 Jan 2027' })).toBeFocused()
    await page.keyboard.press('Shift+PageDown')
    await expect(page.getByRole('button', { name: 'Thursday 6 Jan 2028' })).toBeFocused()
    await page.keyboard.press('Shift+PageUp')
    await expect(page.getByRole('button', { name: 'Wednesday 6 Jan 2027' })).toBeFocused()
    // The lists of months and years stand before the days.
    const before = ['Next month', 'Previous month', 'Year', 'Month']
    for (const name of before) {
      await page.keyboard.press('Shift+Tab')
      await expect(page.getByRole('dialog', { name: 'Renews on' }).getByLabel(name, { exact: true })).toBeFocused()
    }
    await page.keyboard.type('Mar')
    await expect(page.getByRole('grid', { name: 'March 2027' })).toBeVisible()
    await page.keyboard.press('Tab')
    await page.keyboard.type('2030')
    await expect(page.getByRole('grid', { name: 'March 2030' })).toBeVisible()
    for (const name of ['Previous month', 'Next month']) {
      await page.keyboard.press('Tab')
      await expect(page.getByRole('button', { name })).toBeFocused()
    }
    await page.keyboard.press('Enter')
    await expect(page.getByRole('grid', { name: 'April 2030' })).toBeVisible()
    await page.keyboard.press('Tab')
    await expect(page.getByRole('button', { name: 'Saturday 6 Apr 2030' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(field).toHaveAccessibleName('Renews on: 6 Apr 2030')
    await expect(field).toBeFocused()
  })

  test('does not leave its years, and closes when Tab leaves it', async ({ open, page }) => {
    const dates = await open('fields', 'Dates')
    await dates.getByRole('button', { name: /Renews on/ }).focus()
    await page.keyboard.press('Enter')
    const calendar = page.getByRole('dialog', { name: 'Renews on' })
    await expect(calendar.getByRole('button', { name: 'Tuesday 1 Dec 2026' })).toBeFocused()
    for (let press = 0; press < 22; press++) await page.keyboard.press('Shift+PageUp')
    await expect(calendar.getByRole('button', { name: 'Sunday 1 Jan 2006' })).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(calendar).toHaveCount(0)
    await expect(dates.getByRole('button', { name: /Ends on/ })).toBeFocused()
    await expect(dates.getByRole('button', { name: /Began on/ })).toBeDisabled()
  })

  test('refuses what is outside, and can be emptied', async ({ open, page }) => {
    const dates = await open('fields', 'Dates')
    await dates.getByRole('button', { name: /Ends on/ }).click()
    const outside = page.getByRole('button', { name: 'Monday 30 Nov 2026' })
    await expect(outside).toHaveAttribute('aria-disabled', 'true')
    await page.getByRole('button', { name: 'Friday 20 Nov 2026' }).click()
    await expect(dates.getByRole('button', { name: 'Ends on: 20 Nov 2026' })).toBeVisible()
    await dates.getByRole('button', { name: 'Ends on: 20 Nov 2026' }).press('Tab')
    await expect(dates.getByRole('button', { name: 'Clear Ends on' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(dates.getByRole('button', { name: 'Ends on: Choose a day' })).toBeFocused()
  })
})

test('spec §5: the date-time input goes to the second, with limits', async ({ open, page }) => {
  const dates = await open('fields', 'Dates')
  const at = dates.getByLabel('Runs at')
  await expect(at).toHaveAttribute('step', '1')
  await at.focus()
  await page.keyboard.press('ArrowUp')
  await expect(at).toHaveValue('2026-12-21T14:31:48')
  await at.fill('2026-12-03T08:15:30')
  const limited = dates.getByLabel('Not before December')
  await expect(limited).toHaveValue('2026-12-03T08:15:30')
  await expect(limited).not.toHaveAttribute('aria-invalid', 'true')
  await at.fill('2026-11-03T08:15:30')
  await expect(limited).toHaveAccessibleDescription('Not before 2026-12-01, 00:00:00')
  await expect(limited).toHaveAttribute('min', '2026-12-01T00:00:00')
})
