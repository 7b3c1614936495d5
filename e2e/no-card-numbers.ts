import { expect, type Page } from '@playwright/test'
import { cardNumbers } from '../tools/find-card-numbers.ts'

/** Card numbers that tests type, in full, also with spaces. */
const looksLikeNumber = (text: string) => cardNumbers.test(text.replaceAll(/[ +-]|%20/g, ''))

/** Collects what goes to our origin from now on. `expectNone`: no card number went there, is in the page or kept by it; scripts are ours and the provider's. */
export function watchCardNumbers(page: Page) {
  const sent: { url: string; body: string }[] = []
  page.on('request', (request) => sent.push({ url: request.url(), body: request.postData() ?? '' }))
  return {
    async expectNone() {
      const { origin } = new URL(page.url())
      const ours = sent.filter(({ url }) => url.startsWith(`${origin}/`))
      expect(ours.length).toBeGreaterThan(0)
      expect(ours.filter(({ url, body }) => looksLikeNumber(url) || looksLikeNumber(body))).toEqual([])
      // What is typed does reach the provider: the watch sees bodies.
      expect(sent.some(({ url, body }) => !url.startsWith(`${origin}/`) && looksLikeNumber(body))).toBe(true)
      const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]))
      expect(looksLikeNumber(kept)).toBe(false)
      expect(looksLikeNumber(await page.content())).toBe(false)
      const scripts = await page.evaluate(() => [...document.scripts].map(({ src }) => src).filter((src) => src !== ''))
      expect(new Set(scripts.filter((src) => !src.startsWith(`${origin}/`)).map((src) => new URL(src).pathname))).toEqual(new Set(['/v3/']))
    },
  }
}
