import type { MonthCost } from '@masthead/contract/billing/cost'

/** What pay as you go cost in a zone, in each of some months. */
export type ZonePart = { name: string; values: number[]; isRest?: true }

/** The zones that cost most in these months, and the others together where that is more than one. None where it is not told apart by zone. */
export function zoneParts(months: readonly Pick<MonthCost, 'zones'>[], most: number): ZonePart[] {
  const parts = new Map<string, number[]>()
  for (const [n, { zones }] of months.entries())
    for (const { zone, name, micros } of zones ?? []) {
      const values = parts.get(name || zone) ?? months.map(() => 0)
      values[n]! += micros
      parts.set(name || zone, values)
    }
  const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0)
  const inOrder = [...parts].map(([name, values]) => ({ name, values })).toSorted((a, b) => sum(b.values) - sum(a.values))
  if (inOrder.length <= most + 1) return inOrder
  const others = inOrder.slice(most)
  const rest = { name: `${others.length} other zones`, values: months.map((_, n) => sum(others.map(({ values }) => values[n]!))) }
  return [...inOrder.slice(0, most), { ...rest, isRest: true }]
}
