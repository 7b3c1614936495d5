/** How far two sets of figures lie apart by their ranks (Mann–Whitney's U as standard deviations): within ±3.3 they are of one distribution but once in a thousand. */
export function rankDistance(one: readonly number[], other: readonly number[]): number {
  const all = [...one.map((value) => ({ value, first: true })), ...other.map((value) => ({ value, first: false }))].toSorted(
    (a, b) => a.value - b.value
  )
  let sum = 0
  for (let from = 0; from < all.length;) {
    let to = from
    while (to < all.length && all[to]!.value === all[from]!.value) to++
    // Those of one value share their ranks.
    const rank = (from + 1 + to) / 2
    for (let at = from; at < to; at++) if (all[at]!.first) sum += rank
    from = to
  }
  const [n, m] = [one.length, other.length]
  const u = sum - (n * (n + 1)) / 2
  return Number(((u - (n * m) / 2) / Math.sqrt((n * m * (n + m + 1)) / 12)).toFixed(2))
}
