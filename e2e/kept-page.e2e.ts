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
