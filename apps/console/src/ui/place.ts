export type Side = 'bottom' | 'top' | 'right'
export type Align = 'start' | 'end' | 'center'

type Box = { left: number; top: number; width: number; height: number }

/** Where a popup goes beside its anchor so that it stays in the window: turned over when there is no room, pushed in from the edges. All in pixels. */
export function placeBeside(
  anchor: Box,
  popup: { width: number; height: number },
  window: { width: number; height: number },
  { side, align, gap = 6 }: { side: Side; align: Align; gap?: number }
): { left: number; top: number } {
  const edge = 8
  const within = (value: number, size: number, room: number) => Math.max(edge, Math.min(value, room - size - edge))
  if (side === 'right') {
    const right = anchor.left + anchor.width + gap
    const left = right + popup.width + edge <= window.width ? right : anchor.left - popup.width - gap
    return {
      left: within(left, popup.width, window.width),
      top: within(anchor.top + (anchor.height - popup.height) / 2, popup.height, window.height),
    }
  }
  const below = anchor.top + anchor.height + gap
  const above = anchor.top - popup.height - gap
  const fitsBelow = below + popup.height + edge <= window.height
  const fitsAbove = above >= edge
  const top = side === 'bottom' ? (fitsBelow || !fitsAbove ? below : above) : fitsAbove || !fitsBelow ? above : below
  const left = {
    start: anchor.left,
    end: anchor.left + anchor.width - popup.width,
    center: anchor.left + (anchor.width - popup.width) / 2,
  }[align]
  return { left: within(left, popup.width, window.width), top: within(top, popup.height, window.height) }
}

/** Puts an open popup beside its anchor and keeps it there while anything scrolls; returns how to stop. While it can be scrolled on it has `data-more`. */
export function keepBeside(anchor: Element, popup: HTMLElement, options: { side: Side; align: Align; gap?: number }): () => void {
  const put = () => {
    const { left, top } = placeBeside(
      anchor.getBoundingClientRect(),
      { width: popup.offsetWidth, height: popup.offsetHeight },
      { width: innerWidth, height: innerHeight },
      options
    )
    popup.style.left = `${left}px`
    popup.style.top = `${top}px`
    popup.dataset.placed = ''
    popup.toggleAttribute('data-more', popup.scrollTop + popup.clientHeight < popup.scrollHeight - 1)
  }
  put()
  const resized = new ResizeObserver(put)
  resized.observe(popup)
  addEventListener('scroll', put, { capture: true, passive: true })
  addEventListener('resize', put)
  return () => {
    resized.disconnect()
    removeEventListener('scroll', put, { capture: true })
    removeEventListener('resize', put)
    delete popup.dataset.placed
  }
}
