type Values = readonly (number | null)[]

const round = (value: number) => Math.round(value * 100) / 100

/** The intervals of points without a gap. */
function unbroken(values: Values): number[][] {
  const found: number[][] = []
  values.forEach((value, at) => {
    if (value === null || value === undefined) return
    if (found.at(-1)?.at(-1) === at - 1) found.at(-1)!.push(at)
    else found.push([at])
  })
  return found
}

/** The paths of a sparkline in a square of 100: its line, the area below it, its last point. Zero is its foot unless it goes below. */
export function sparkShape(values: Values): { line: string; area: string; last: string | null } {
  const known = values.filter((value): value is number => typeof value === 'number')
  if (known.length === 0) return { line: '', area: '', last: null }
  const low = Math.min(0, ...known)
  const high = Math.max(...known, low + 1e-9)
  const at = (place: number) =>
    `${round(values.length < 2 ? 100 : (100 * place) / (values.length - 1))} ${round(100 - (100 * ((values[place] ?? 0) - low)) / (high - low))}`
  const parts = unbroken(values)
  return {
    line: parts.map((part) => (part.length > 1 ? `M${part.map(at).join('L')}` : `M${at(part[0]!)}h0`)).join(''),
    area: parts
      .map((part) => `M${part.map(at).join('L')}L${at(part.at(-1)!).split(' ')[0]} 100L${at(part[0]!).split(' ')[0]} 100Z`)
      .join(''),
    last: at(parts.at(-1)!.at(-1)!),
  }
}
