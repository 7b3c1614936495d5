const [outer, inner] = [49, 35]
const round = (value: number) => Math.round(value * 100) / 100
const place = (radius: number, turn: number) =>
  `${round(radius * Math.sin(turn * 2 * Math.PI))} ${round(-radius * Math.cos(turn * 2 * Math.PI))}`

/** The arcs of a donut around 0, from the top clockwise, each with a hairline to the next. An empty path for what is nothing. */
export function donutArcs(values: readonly number[]): string[] {
  const whole = values.reduce((sum, value) => sum + Math.max(0, value), 0)
  let begun = 0
  return values.map((value) => {
    if (!(value > 0) || whole === 0) return ''
    const part = value / whole
    const [from, to] = [begun, begun + part]
    begun = to
    // A whole turn ends where it begins and would be nothing: drawn as two halves.
    if (part > 0.9999) return ring
    const gap = Math.min(0.004, part / 4)
    const [a, b] = [from + gap / 2, to - gap / 2]
    const large = b - a > 0.5 ? 1 : 0
    return `M${place(outer, a)}A${outer} ${outer} 0 ${large} 1 ${place(outer, b)}L${place(inner, b)}A${inner} ${inner} 0 ${large} 0 ${place(inner, a)}Z`
  })
}

const circle = (radius: number, sweep: 0 | 1) =>
  `M0 ${-radius}A${radius} ${radius} 0 0 ${sweep} 0 ${radius}A${radius} ${radius} 0 0 ${sweep} 0 ${-radius}Z`
const ring = circle(outer, 1) + circle(inner, 0)
