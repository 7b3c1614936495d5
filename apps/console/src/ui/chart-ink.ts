import uPlot from 'uplot'
import { momentPlace, placeWords, type PaintedChart } from './chart-shape.ts'

// What CSS sets for the rest of the page and a canvas must be given.

/** A canvas takes its colours at run time: `var(--chart-1)` or `--fg` as it is where the plot stands. */
export const paintAt = (place: Element) => {
  const style = getComputedStyle(place)
  return (paint: string) => style.getPropertyValue(paint.replace(/^var\((.*)\)$/, '$1')).trim()
}

/** The type of axes and marks, at so many device pixels to one. */
export const canvasFont = (ratio: number) => `${11 * ratio}px "Inter Variable", system-ui, sans-serif`

/** Stripes of a colour, for what is only expected. */
function hatched(color: string, background: string): CanvasPattern | string {
  const step = 5 * devicePixelRatio
  const tile = document.createElement('canvas')
  tile.width = tile.height = step
  const ink = tile.getContext('2d')!
  // On a background of its own: what is behind would shine through.
  ink.fillStyle = background
  ink.fillRect(0, 0, step, step)
  ink.strokeStyle = color
  ink.lineWidth = 1.5 * devicePixelRatio
  ink.beginPath()
  for (const shift of [-step, 0, step]) {
    ink.moveTo(shift, step)
    ink.lineTo(shift + step, 0)
  }
  ink.stroke()
  return ink.createPattern(tile, 'repeat') ?? color
}

/** A fill that is hatched from where the forecast begins. */
export function forecastFill(known: string, background: string, forecastFrom: number | undefined) {
  if (forecastFrom === undefined) return known
  return (plot: uPlot) => {
    const { left, width } = plot.bbox
    const edge = plot.valToPos(forecastFrom - 0.5, 'x', true)
    // Two fills in one path: drawn side by side on a tile as wide as the plot.
    const tile = document.createElement('canvas')
    tile.width = Math.max(1, Math.ceil(left + width))
    tile.height = Math.max(1, Math.ceil(plot.bbox.top + plot.bbox.height))
    const ink = tile.getContext('2d')!
    ink.fillStyle = known
    ink.fillRect(0, 0, edge, tile.height)
    ink.fillStyle = hatched(known, background)
    ink.fillRect(edge, 0, tile.width, tile.height)
    return ink.createPattern(tile, 'no-repeat') ?? known
  }
}

/** Lines across the plot with their words: a limit, an alert. */
export function drawMarks(plot: uPlot, { marks = [] }: PaintedChart, paint: (name: string) => string) {
  const { ctx, bbox } = plot
  const dot = devicePixelRatio
  ctx.save()
  ctx.textAlign = 'left'
  ctx.font = canvasFont(dot)
  for (const { label, value, tone } of marks) {
    const y = Math.round(plot.valToPos(value, 'y', true)) + 0.5
    ctx.strokeStyle = paint(`--${tone}-mark`)
    ctx.lineWidth = dot * (tone === 'bad' ? 1.5 : 1)
    ctx.setLineDash(tone === 'bad' ? [] : [3 * dot, 3 * dot])
    ctx.beginPath()
    ctx.moveTo(bbox.left, y)
    ctx.lineTo(bbox.left + bbox.width, y)
    ctx.stroke()
    // Words over bars need a background of their own.
    const above = y - bbox.top > 18 * dot
    const width = ctx.measureText(label).width + 8 * dot
    ctx.fillStyle = paint('--bg')
    ctx.globalAlpha = 0.85
    ctx.fillRect(bbox.left + 2 * dot, above ? y - 17 * dot : y + 2 * dot, width, 14 * dot)
    ctx.globalAlpha = 1
    ctx.fillStyle = paint(`--${tone}-fg`)
    ctx.textBaseline = 'middle'
    ctx.fillText(label, bbox.left + 6 * dot, above ? y - 9.5 * dot : y + 9.5 * dot)
  }
  ctx.restore()
}

/** Lines down the plot with their words: when something happened. */
export function drawMoments(plot: uPlot, chart: PaintedChart, paint: (name: string) => string) {
  const { ctx, bbox } = plot
  const dot = devicePixelRatio
  ctx.save()
  ctx.font = canvasFont(dot)
  ctx.textAlign = 'left'
  ctx.textBaseline = 'middle'
  const edges = { left: bbox.left, right: bbox.left + bbox.width }
  const moments = (chart.moments ?? []).flatMap(({ label, at, tone }) => {
    const place = momentPlace(chart, at)
    const x = place === null ? NaN : Math.round(plot.valToPos(place, 'x', true)) + 0.5
    return x >= edges.left && x <= edges.right ? [{ label, tone, x, width: ctx.measureText(label).width + 8 * dot }] : []
  })
  for (const { tone, x } of moments) {
    ctx.strokeStyle = paint(`--${tone}-mark`)
    ctx.lineWidth = dot * 1.5
    ctx.beginPath()
    ctx.moveTo(x, bbox.top)
    ctx.lineTo(x, bbox.top + bbox.height)
    ctx.stroke()
  }
  // Words without a place are left out: the line says enough, and the list for screen readers all.
  for (const [nth, left] of placeWords(moments, edges, 2 * dot).entries()) {
    if (left === null) continue
    const { label, tone, width } = moments[nth]!
    ctx.fillStyle = paint('--bg')
    ctx.globalAlpha = 0.85
    ctx.fillRect(left, bbox.top, width, 14 * dot)
    ctx.globalAlpha = 1
    ctx.fillStyle = paint(`--${tone}-fg`)
    ctx.fillText(label, left + 4 * dot, bbox.top + 7.5 * dot)
  }
  ctx.restore()
}

/** A line that is whole up to a point and dashed after it. */
export function dashedFrom(forecastFrom: number): uPlot.Series.PathBuilder {
  return (plot, index, first, last) => {
    const linear = uPlot.paths.linear!()
    const whole = linear(plot, index, first, Math.min(last, forecastFrom))
    if (last <= forecastFrom || !whole?.stroke) return whole
    const values = plot.data[index]!
    const path = whole.stroke as Path2D
    const at = (place: number) => [plot.valToPos(place, 'x', true), plot.valToPos(values[place]!, 'y', true)] as const
    for (let place = forecastFrom; place < last; place++) {
      if (typeof values[place] !== 'number' || typeof values[place + 1] !== 'number') continue
      const [[x, y], [toX, toY]] = [at(place), at(place + 1)]
      const length = Math.hypot(toX - x, toY - y)
      const dash = 4 * devicePixelRatio
      for (let done = 0; done < length; done += 2 * dash) {
        const [from, to] = [done / length, Math.min(1, (done + dash) / length)]
        path.moveTo(x + (toX - x) * from, y + (toY - y) * from)
        path.lineTo(x + (toX - x) * to, y + (toY - y) * to)
      }
    }
    return whole
  }
}
