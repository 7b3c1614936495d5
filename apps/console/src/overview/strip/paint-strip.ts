import { stateOf, states, type Hours, type Layout, type View } from './strip-lines.ts'

const dash = 4
/** As on the page: pale, amber in dashes, ink, red. Told apart in grey, too. */
const paints = { usual: '--ok-line', silent: '--warn-mark', refused: '--fg', blocked: '--bad-mark', background: '--bg' } as const

/** Draws what is laid out. `colorOf` knows the colours of the theme. */
export function paintStrip(
  canvas: HTMLCanvasElement,
  {
    view,
    layout,
    at,
    width,
    height,
    colorOf,
  }: { view: View; layout: Layout; at: Hours['at']; width: number; height: number; colorOf: (paint: string) => string }
) {
  const ratio = devicePixelRatio || 1
  if (canvas.width !== Math.round(width * ratio)) canvas.width = Math.round(width * ratio)
  if (canvas.height !== Math.round(height * ratio)) canvas.height = Math.round(height * ratio)
  const ink = canvas.getContext('2d')!
  ink.setTransform(ratio, 0, 0, ratio, 0, 0)
  ink.clearRect(0, 0, width, height)
  const colors = [paints.usual, paints.silent, paints.refused, paints.blocked].map(colorOf)
  const background = colorOf(paints.background)
  const x = (hour: number) => Math.round(((hour - view.t0) / (view.t1 - view.t0)) * width)
  for (const row of layout.rows) {
    const high = row.height > 3 && row.fold === 0 ? row.height - 1 : row.height
    ink.fillStyle = colors[0]!
    ink.fillRect(0, row.y, width, high)
    if (row.fold > 0) continue
    for (let hour = view.t0; hour < view.t1;) {
      const state = stateOf(row, at, hour)
      let end = hour + 1
      while (end < view.t1 && stateOf(row, at, end) === state) end++
      const [from, to] = [x(hour), x(end)]
      hour = end
      if (state === states.u) continue
      ink.fillStyle = background
      ink.fillRect(from, row.y, to - from, high)
      if (state === states.n) continue
      ink.fillStyle = colors[state]!
      if (state === states.s) for (let left = from; left < to; left += dash) ink.fillRect(left, row.y, Math.min(dash / 2, to - left), high)
      else ink.fillRect(from, row.y, to - from, high)
    }
  }
}
