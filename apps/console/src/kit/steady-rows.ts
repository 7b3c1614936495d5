/**
 * Rows in the places they had: a list that is kept up to date must not move what is being read. What was shown stays, in its order and with its new
 * content; what would come between or above is counted (`fresh`) and waits until it is asked for. Rows that were only pushed beyond the end of the
 * page by those stay too, as they were; others that are gone are gone, and what follows on the page fills its end.
 */
export function steadyRows<Row>(
  before: readonly Row[],
  answer: readonly Row[],
  rowId: (row: Row) => string
): { rows: Row[]; fresh: number } {
  if (before.length === 0) return { rows: [...answer], fresh: 0 }
  const now = new Map(answer.map((row) => [rowId(row), row]))
  const had = new Set(before.map(rowId))
  const lastKnown = answer.findLastIndex((row) => had.has(rowId(row)))
  const noneLeft = lastKnown === -1
  const after = noneLeft ? [] : answer.slice(lastKnown + 1)
  const fresh = answer.filter((row, at) => !had.has(rowId(row)) && (noneLeft || at < lastKnown)).length
  // Each row that came above pushed one beyond the end, unless there was room for what follows.
  let pushed = 0
  for (let at = before.length - 1; after.length === 0 && at >= 0 && pushed < fresh && !now.has(rowId(before[at]!)); at--) pushed++
  const stayed = before.flatMap((row, at) => now.get(rowId(row)) ?? (at >= before.length - pushed ? [row] : []))
  return { rows: [...stayed, ...after], fresh }
}
