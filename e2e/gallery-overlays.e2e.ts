import { expect, test } from './gallery-fixtures.ts'

test.describe('modal', () => {
  test('keeps the focus inside, closes by Escape, and gives the focus back', async ({ open, page }) => {
    const modals = await open('overlays', 'Modal')
    const opener = modals.getByRole('button', { name: 'center', exact: true })
    await opener.focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Activate 3 SIMs' })
    await expect(dialog.getByLabel('Note')).toBeFocused()
    for (let press = 0; press < 8; press++) await page.keyboard.press('Tab')
    expect(
      await page.evaluate("document.activeElement === document.body || document.querySelector('dialog').contains(document.activeElement)")
    ).toBe(true)
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    await expect(opener).toBeFocused()
  })

  test('spec §9: center, top-center, bottom-center', async ({ open, page }) => {
    const modals = await open('overlays', 'Modal')
    const middles: number[] = []
    for (const position of ['top-center', 'center', 'bottom-center']) {
      await modals.getByRole('button', { name: position, exact: true }).click()
      const box = (await page.getByRole('dialog').boundingBox())!
      expect(Math.abs(box.x + box.width / 2 - 480)).toBeLessThan(10)
      middles.push(box.y)
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toHaveCount(0)
    }
    expect(middles).toEqual([...middles].sort((a, b) => a - b))
    expect(new Set(middles).size).toBe(3)
  })

  test('spec §9: blurred, opaque, transparent', async ({ open, page }) => {
    const modals = await open('overlays', 'Modal')
    const looks: Record<string, string> = {}
    for (const backdrop of ['blurred', 'opaque', 'transparent']) {
      await modals.getByRole('button', { name: backdrop, exact: true }).click()
      looks[backdrop] = await page.getByRole('dialog').evaluate((element) => {
        const { backgroundColor, backdropFilter } = getComputedStyle(element, '::backdrop')
        return `${backgroundColor} ${backdropFilter}`
      })
      await page.keyboard.press('Escape')
    }
    expect(looks).toMatchObject({ blurred: expect.stringContaining('blur'), transparent: 'rgba(0, 0, 0, 0) none' })
    expect(looks.opaque).not.toContain('blur')
    expect(looks.opaque).not.toContain('rgba(0, 0, 0, 0)')
  })

  test('spec §4: a press beside it closes it, but not while loading nor when it must be answered', async ({ open, page }) => {
    const modals = await open('overlays', 'Modal')
    const dialog = page.getByRole('dialog')
    await modals.getByRole('button', { name: 'center', exact: true }).click()
    await page.mouse.click(20, 20)
    await expect(dialog).toHaveCount(0)

    await modals.getByRole('button', { name: 'While loading' }).click()
    await page.mouse.click(20, 20)
    await page.keyboard.press('Escape')
    await expect(dialog).toBeVisible()
    await expect(dialog.getByRole('button', { name: 'Close' })).toBeDisabled()
    await page.getByTestId('settle').evaluate((button: HTMLElement) => button.click())

    await modals.getByRole('button', { name: 'Must be answered' }).click()
    await page.mouse.click(20, 20)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await expect(dialog).toBeVisible()
    await expect(dialog.getByRole('button', { name: 'Close' })).toHaveCount(0)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(dialog).toHaveCount(0)
  })

  test('the focus is on the first field, also where one chooses from a list', async ({ open, page }) => {
    const modals = await open('overlays', 'Modal')
    await modals.getByRole('button', { name: 'A choice first' }).click()
    await expect(page.getByRole('dialog').getByRole('button', { name: /Network group/ })).toBeFocused()
  })

  test('Escape closes first what floats above it', async ({ open, page }) => {
    const modals = await open('overlays', 'Modal')
    await modals.getByRole('button', { name: 'center', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Activate 3 SIMs' })
    await dialog.getByRole('button', { name: /Network group/ }).click()
    await expect(page.getByRole('listbox')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('listbox')).toHaveCount(0)
    await expect(dialog).toBeVisible()
  })
})

test.describe('confirm', () => {
  test('Enter confirms a plain one, Escape takes it back', async ({ open, page }) => {
    const confirms = await open('overlays', 'Confirm')
    await confirms.getByRole('button', { name: 'Plain' }).click()
    await expect(page.getByRole('dialog').getByRole('button', { name: 'Activate' })).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(confirms.getByRole('status')).toHaveText('')
    await confirms.getByRole('button', { name: 'Plain' }).click()
    await page.keyboard.press('Enter')
    await expect(confirms.getByRole('status')).toHaveText('plain')
  })

  test('Enter leaves a dangerous one undone', async ({ open, page }) => {
    const confirms = await open('overlays', 'Confirm')
    await confirms.getByRole('button', { name: 'Failed' }).click()
    await expect(page.getByRole('dialog').getByRole('button', { name: 'Cancel' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog')).toBeHidden()
    await expect(confirms.getByRole('status')).toHaveText('')
  })

  test('a typed one wants the very word', async ({ open, page }) => {
    const confirms = await open('overlays', 'Confirm')
    await confirms.getByRole('button', { name: 'Typed' }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByLabel('Type “reefer-truck-0148” to go on')).toBeFocused()
    await page.keyboard.type('reefer-truck')
    await page.keyboard.press('Enter')
    await expect(dialog.getByRole('button', { name: 'Terminate for good' })).toHaveAttribute('aria-disabled', 'true')
    await page.keyboard.type('-0148')
    await page.keyboard.press('Enter')
    await expect(confirms.getByRole('status')).toHaveText('typed')
  })

  test('why it failed is said inside, at once', async ({ open, page }) => {
    const confirms = await open('overlays', 'Confirm')
    await confirms.getByRole('button', { name: 'Failed' }).click()
    await expect(page.getByRole('dialog').getByRole('alert')).toHaveText(/^The SIM was terminated a moment ago\.Request req_\w+$/)
  })
})

test('a side sheet stands at its edge and closes like a dialog', async ({ open, page }) => {
  const sheets = await open('overlays', 'Side sheet')
  for (const [side, x] of [
    ['Right', 520],
    ['Left', 0],
  ] as const) {
    await sheets.getByRole('button', { name: side }).focus()
    await page.keyboard.press('Enter')
    const sheet = page.getByRole('dialog', { name: 'reefer-truck-0148' })
    const box = (await sheet.boundingBox())!
    expect([Math.round(box.x), Math.round(box.height)]).toEqual([x, 720])
    await page.keyboard.press('Escape')
    await expect(sheet).toHaveCount(0)
    await expect(sheets.getByRole('button', { name: side })).toBeFocused()
  }
})

test('a menu is walked by keys and letters, and passes over nothing in silence', async ({ open, page }) => {
  const menus = await open('overlays', 'Menu')
  const button = menus.getByRole('button', { name: 'Actions' })
  await button.focus()
  await page.keyboard.press('Enter')
  const menu = page.getByRole('menu', { name: 'Actions' })
  await expect(menu.getByRole('menuitem', { name: /Open terminal/ })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(menu).toBeVisible()
  await page.keyboard.press('End')
  await expect(menu.getByRole('menuitem', { name: 'Deactivate SIM' })).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('s')
  await page.keyboard.press('Enter')
  await expect(menus.getByRole('status')).toHaveText('limit')
  await expect(button).toBeFocused()
  await menus.getByRole('button', { name: '10 rows' }).click()
  await expect(page.getByRole('menuitemradio', { name: '10 rows' })).toHaveAttribute('aria-checked', 'true')
})

test('a menu that can be scrolled on fades at its lower edge, in either theme', async ({ open, page }) => {
  const button = (await open('overlays', 'Menu')).getByRole('button', { name: 'Actions' })
  const popup = page.locator('.floating:popover-open')
  /** Whether it fades into its own ground. */
  const fades = () =>
    popup.evaluate((menu) => getComputedStyle(menu, '::after').backgroundImage.includes(getComputedStyle(menu).backgroundColor))
  await button.click()
  await expect(page.getByRole('menuitem', { name: 'Deactivate SIM' })).toBeVisible()
  expect(await fades()).toBe(false)
  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 1280, height: 150 })
  await button.click()
  for (const theme of ['light', 'dark']) {
    await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`)
    await expect.poll(fades, theme).toBe(true)
  }
  // It goes down to the edge itself, and leaves no line of what goes on below it.
  const [bottom, padding] = await popup.evaluate((menu) => [getComputedStyle(menu, '::after').bottom, getComputedStyle(menu).paddingBottom])
  expect(bottom).toBe(`-${padding}`)
  await popup.evaluate((menu) => menu.scrollTo(0, menu.scrollHeight))
  await expect.poll(fades).toBe(false)
  await popup.evaluate((menu) => menu.scrollTo(0, 0))
  await expect.poll(fades).toBe(true)
  await page.setViewportSize({ width: 1280, height: 720 })
  await expect.poll(fades).toBe(false)
})

test('a popover takes the focus and gives it back', async ({ open, page }) => {
  const part = await open('overlays', 'Popover')
  const button = part.getByRole('button', { name: 'Columns' })
  await button.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Columns' }).getByRole('checkbox', { name: 'Type' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(button).toBeFocused()
})

test('a tooltip comes by hover after a moment, by keyboard at once, and leaves by Escape', async ({ open, freeze, shown, page }) => {
  const part = await open('overlays', 'Tooltip')
  await freeze()
  await part.getByRole('button', { name: '4 min ago' }).hover()
  await page.clock.runFor(290)
  await expect(page.getByRole('tooltip')).toHaveCount(0)
  await page.clock.runFor(20)
  await shown()
  await expect(page.getByRole('tooltip')).toHaveText('Sat 21 Nov 2026, 2:31:48 PM UTC')
  await page.mouse.move(0, 0)
  await expect(page.getByRole('tooltip')).toHaveCount(0)
  await part.getByRole('button', { name: '4 min ago' }).focus()
  await page.keyboard.press('Tab')
  await shown()
  await expect(page.getByRole('tooltip')).toHaveText('At the right')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('tooltip')).toHaveCount(0)
})
