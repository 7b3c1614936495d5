import type { MonthCost } from '@masthead/contract/billing/cost'
import { micros } from '@masthead/contract/billing/money'
import { expect, test } from 'vitest'
import { zoneParts } from './zone-parts.ts'

const month = (costs: Record<string, number>): Pick<MonthCost, 'zones'> => ({
  zones: Object.entries(costs).map(([name, amount]) => ({ zone: name.slice(0, 1), name, micros: micros(amount) })),
})

test('the zones that cost most, over all months, and the others together', () => {
  const months = [month({ Europe: 5, Asia: 1 }), month({ Asia: 9, Ships: 2, Africa: 1, Europe: 1 })]
  expect(zoneParts(months, 2)).toEqual([
    { name: 'Asia', values: [1, 9] },
    { name: 'Europe', values: [5, 1] },
    { name: '2 other zones', values: [0, 3], isRest: true },
  ])
  expect(zoneParts(months, 3).map(({ name }) => name)).toEqual(['Asia', 'Europe', 'Ships', 'Africa'])
  expect(zoneParts([{ zones: null }, { zones: null }], 3)).toEqual([])
})
