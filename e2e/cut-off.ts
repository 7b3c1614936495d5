import type { Page } from '@playwright/test'

/**
 * Words that somebody at this width does not see whole: something lays its edge over them, or they stand beyond that of their own button or of the
 * window. What can be scrolled to is seen, and what is shortened on purpose has dots.
 */
const cutOff = `(() => {
  const isCut = (words, parent) => {
    const isBeyond = ({ left, right }) => words.left < left - 1 || words.right > right + 1
    for (let box = parent; box; box = box.parentElement) {
      const { overflowX, textOverflow, clipPath } = getComputedStyle(box)
      // For a screen reader alone.
      if (clipPath === 'inset(50%)') return false
      if (textOverflow === 'ellipsis' || overflowX === 'auto' || overflowX === 'scroll') return false
      if ((overflowX !== 'visible' || box.matches('button, [role=tab]')) && isBeyond(box.getBoundingClientRect())) return true
    }
    return isBeyond({ left: 0, right: innerWidth })
  }
  const found = []
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const parent = text.parentElement
    const isShown = parent.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !parent.closest('[inert], .leaflet-container')
    const range = document.createRange()
    range.selectNodeContents(text)
    const words = range.getBoundingClientRect()
    if (text.data.trim() && isShown && words.width > 0 && isCut(words, parent)) found.push(text.data.trim())
  }
  return found
})()`

/** What is cut off on the page at its width, in the order of its words. */
export const findCutOff = (page: Page) => page.evaluate<string[]>(cutOff)

/** Names of buttons that cannot be pressed and do not say why. What is under way says so by itself, and a field is not pressed to do something. */
const silent = `[...document.querySelectorAll('button:not(.field), [role=button], [role=tab], [role=link]')]
  .filter((one) => (one.disabled || one.ariaDisabled === 'true') && one.ariaBusy !== 'true' && one.checkVisibility({ visibilityProperty: true }))
  .map((one) => ({
    name: (one.ariaLabel || one.textContent).trim(),
    said: [one.title, ...(one.getAttribute('aria-describedby') ?? '').split(' ').map((id) => document.getElementById(id)?.textContent ?? '')].join('').trim(),
  }))
  .filter(({ name, said }) => said === '' || said === name)
  .map(({ name }) => name)`

/** The buttons of the page that are off without a reason. */
export const findSilent = (page: Page) => page.evaluate<string[]>(silent)
