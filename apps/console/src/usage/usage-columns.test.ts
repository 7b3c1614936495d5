import { expect, test } from 'vitest'
import { fitDrops } from '../ui/fit-columns.ts'
import { usageColumns } from './usage-columns.tsx'

const narrower = [1140, 1000, 900, 760]

test('with all its columns the table by SIM lets so many go that the name of an asset has its room', () => {
  const columns = usageColumns('sim', { wholeMonth: true, largest: 1, hasLate: true, hasBilled: true })
  const drops = fitDrops(columns as never, 0)
  // Just before the next column leaves there is least room.
  for (const [nth, least] of narrower.entries()) {
    const shown = columns.filter((_, column) => (drops[column] ?? Infinity) >= nth)
    const room = least + 1 - shown.reduce((sum, { width }) => sum + (width ?? 0), 0)
    expect(room, `wider than ${least}`).toBeGreaterThanOrEqual(150)
  }
})
