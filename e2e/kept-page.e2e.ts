import { expect, test } from './fixtures.ts'

// In one worker, one after the other: the second has the page of the first.

const media = `['(prefers-color-scheme: dark)', '(prefers-reduced-motion: reduce)', '(forced-colors: active)', 'print'].filter((query) => matchMedia(query).matches)`

test('a test may look at its page in other colours', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce', forcedColors: 'active', media: 'print' })
  expect(await page.evaluate(media)).toHaveLength(4)
})

test('the next one begins without them', async ({ page }) => {
  expect(await page.evaluate(media)).toEqual([])
})

/** What the system's colours are, and what is left of one that a page gives itself. */
const ofSystem = `(() => {
  const piece = document.body.appendChild(document.createElement('p'))
  piece.style.backgroundColor = 'rgb(1, 2, 3)'
  const named = ['Canvas', 'CanvasText', 'LinkText', 'ButtonFace', 'ButtonBorder', 'Highlight', 'GrayText'].map((name) => {
    piece.style.color = name
    return name + ' ' + getComputedStyle(piece).color
  })
  const own = getComputedStyle(piece).backgroundColor
  piece.remove()
  return [own, ...named]
})()`

// Two pages are looked at at once in every-screen.e2e.ts.
test('a page keeps the colours of the system that it was given while another gives its own back', async ({ page, context }) => {
  const plain = await page.evaluate(ofSystem)
  const other = await context.newPage()
  for (const one of [page, other]) await one.emulateMedia({ forcedColors: 'active', colorScheme: 'light' })
  const forced = await page.evaluate(ofSystem)
  expect(forced).not.toEqual(plain)
  await other.emulateMedia({ forcedColors: null, colorScheme: 'dark' })
  await other.evaluate('new Promise((resolve) => requestAnimationFrame(resolve))')
  expect(await page.evaluate(ofSystem)).toEqual(forced)
})
