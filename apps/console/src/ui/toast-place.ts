type Box = { left: number; top: number; right: number; bottom: number }
type Size = { width: number; height: number }

const gap = 16
/** Below the bar at the top. */
const top = 60

/**
 * Where toasts of this size cover the fewest controls, best none: at an edge of the window, the usual corner first. Whoever wants to press what
 * lies below would hold the pointer over the toast, and so keep it.
 */
export function toastPlace(size: Size, view: Size, controls: readonly Box[]): { left: number; top: number } {
  const right = Math.max(gap, view.width - size.width - gap)
  const lefts = [right, gap, Math.max(gap, (view.width - size.width) / 2), Math.max(gap, view.width / 4)]
  const bottom = Math.max(gap, view.height - size.height - gap)
  // Edges first, then from the bottom up.
  const tops = [bottom, top, ...Array.from({ length: Math.max(0, Math.floor((bottom - top) / gap)) }, (_, step) => bottom - step * gap)]
  const places = tops.flatMap((y) => lefts.map((x) => ({ left: x, top: y })))
  const covered = ({ left, top: y }: { left: number; top: number }) =>
    controls.filter((box) => box.left < left + size.width && box.right > left && box.top < y + size.height && box.bottom > y).length
  let best = places[0]!
  let least = covered(best)
  for (const place of places.slice(1)) {
    const count = covered(place)
    if (count < least) [best, least] = [place, count]
  }
  return best
}

const controls = 'a[href], button, input, select, textarea, summary, [role=button], [role=tab], [role=slider]'

/** The boxes of what can be pressed now: of the dialog that is open, else of the page. */
export function controlBoxes(except: Element): DOMRect[] {
  const dialog = [...document.querySelectorAll('dialog[open]')].at(-1)
  return [...(dialog ?? document).querySelectorAll(controls)]
    .filter((one) => !except.contains(one) && one.checkVisibility())
    .map((one) => one.getBoundingClientRect())
    .filter(({ width, height }) => width > 0 && height > 0)
}
