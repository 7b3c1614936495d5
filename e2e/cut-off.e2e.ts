import { findCutOff, findSilent } from './cut-off.ts'
import { expect, test } from './fixtures.ts'

test('what is cut off is found: by a box, beyond a button, beyond the window; what is scrolled to, has dots or is for screen readers is not', async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 800 })
  await page.goto('about:blank')
  await page.setContent(`
    <style>div, button { width: 60px; white-space: nowrap }</style>
    <div style="overflow: hidden">Hidden by its box</div>
    <div style="overflow: clip"><b>Hidden by the box around it</b></div>
    <button>Longer than the button</button>
    <p style="position: absolute; left: 340px; white-space: nowrap">Beyond the window</p>
    <div style="overflow: auto">Can be scrolled to</div>
    <div style="overflow: hidden; text-overflow: ellipsis">Has dots at its end</div>
    <div style="position: absolute; width: 1px; overflow: hidden; clip-path: inset(50%)">For screen readers</div>
    <div style="overflow: hidden; visibility: hidden">Is not shown at all</div>
    <div>Lies outside of its box, and is seen</div>
    <div style="overflow: hidden">Fits</div>`)
  expect(await findCutOff(page)).toEqual([
    'Hidden by its box',
    'Hidden by the box around it',
    'Longer than the button',
    'Beyond the window',
  ])
})

test('a button that is off without a reason is found, and none that says one, works, or is a field', async ({ page }) => {
  await page.goto('about:blank')
  await page.setContent(`
    <p id="why">You need a permission</p>
    <button disabled>Off</button>
    <button aria-disabled="true" aria-label="Only an icon" title="Only an icon"></button>
    <span role="tab" aria-disabled="true">A tab</span>
    <button aria-disabled="true" aria-describedby="why">Says why</button>
    <button disabled title="It is the first">Says why in its title</button>
    <button disabled aria-busy="true">At work</button>
    <button disabled class="field">A field</button>
    <button>On</button>`)
  expect(await findSilent(page)).toEqual(['Off', 'Only an icon', 'A tab'])
})
