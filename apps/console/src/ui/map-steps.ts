/**
 * Where a measure is divided into at most `count` steps of colour, so that about as many countries stand in each: the lowest value of each
 * step. Where there are no more values than steps, each has its own. Values of nothing have no step.
 */
export function stepsOf(values: readonly number[], count = 5): number[] {
  const sorted = values.filter((value) => value > 0).toSorted((a, b) => a - b)
  const different = [...new Set(sorted)]
  if (different.length <= count) return different
  const lowest = Array.from({ length: Math.min(count, sorted.length) }, (_, step) => sorted[Math.floor((step * sorted.length) / count)]!)
  return [...new Set(lowest)]
}

/** Which step a value stands in, from 0; -1 below all. */
export const stepOf = (value: number, steps: readonly number[]) => (value > 0 ? steps.findLastIndex((lowest) => value >= lowest) : -1)
