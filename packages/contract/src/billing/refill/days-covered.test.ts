import { expect, test } from 'vitest'
import { daysCovered } from './days-covered.ts'

const at = Date.parse('2026-11-21T14:00:00Z')
const costs = (daily_micros: number, monthly_micros: number) => ({ daily_micros, monthly_micros }) as never

test.each([
  ['data alone: 100 at 8 a day are 12 whole days', 100, costs(8, 0), 12],
  ['nothing is left', 0, costs(8, 0), 0],
  ['below zero', -5, costs(8, 0), 0],
  // Ten days to 1 December cost 100, the fees 649: 1,284 − 749 = 535. Another 31 to 1 January cost 310 and leave 225, which the fees exceed.
  ['fees on 1 December and 1 January: it lasts to that', 1284, costs(10, 649), 40],
  ['enough for the fees of January as well', 1800, costs(10, 649), 50],
  ['nothing is charged', 5, costs(0, 0), null],
])('%s', (_name, available, of, days) => expect(daysCovered(available, of, at)).toBe(days))
