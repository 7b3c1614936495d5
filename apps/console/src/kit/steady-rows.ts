/**
 * Rows in the places they had: a list that is kept up to date must not move what is being read. Rows that were there stay
 * where they were, new ones take the places that became free, in their order.
 */
export function steadyRows<Row>(before: readonly string[], rows: readonly Row[], rowId: (row: Row) => string): Row[] {
  const left = new Map(rows.map((row) => [rowId(row), row]))
  const places: (Row | undefined)[] = before.slice(0, rows.length).map((id) => {
    const row = left.get(id)
    left.delete(id)
    return row
  })
  const fresh = left.values()
  return Array.from({ length: rows.length }, (_, at) => places[at] ?? fresh.next().value!)
}
