import type { Column } from './Table.tsx'

/** In a table at most so wide, columns of each `drop` are hidden, in pixels; below the last it is a list (table.css, table-list.css). */
const hiddenUpTo = [1140, 1000, 900, 760, 700, 640]
/** What a column without a width needs at least, in pixels. */
const flexibleLeast = 220

type Sized = Pick<Column<never>, 'width' | 'drop'>

/** What columns need, in pixels, with `beside` for what stands before and after them. */
export const neededWidth = (columns: readonly Sized[], beside: number): number =>
  columns.reduce((sum, { width }) => sum + (width ?? flexibleLeast), beside)

/**
 * The `drop` of each column as far as the table needs it: one that has room in a narrower table stays there, and without any `drop` it stays in
 * every table. So a table of few columns keeps them all where a wide one must let some go.
 */
export function fitDrops(columns: readonly Sized[], beside: number): (number | undefined)[] {
  return columns.map(({ drop }) => {
    if (drop === undefined) return undefined
    const needed = neededWidth(
      columns.filter((other) => (other.drop ?? hiddenUpTo.length) >= drop),
      beside
    )
    const fitting = hiddenUpTo.findLastIndex((width) => width >= needed)
    const latest = Math.max(drop, fitting)
    return latest === hiddenUpTo.length - 1 ? undefined : latest
  })
}
