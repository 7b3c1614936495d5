/// <reference types="node" />
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fitDrops } from './ui/fit-columns.ts'

/** What the columns of a table say of their width and of when they leave. */
function columnsOf(file: string, name: string) {
  const [, text = ''] = readFileSync(join(import.meta.dirname, file), 'utf8').split(`export const ${name}: Column<`)
  const own = text.slice(0, text.indexOf('\n]'))
  const figure = (of: RegExp, block: string) => {
    const said = of.exec(block)?.[1]
    return said === undefined ? undefined : Number(said)
  }
  return own
    .split(/\bid: '/)
    .slice(1)
    .map((block) => ({ width: figure(/\bwidth: (\d+)/, block), drop: figure(/\bdrop: (\d)/, block) }))
}

/** Of a table whose rows have a menu. */
const menu = 48

test.each([
  ['developers/webhook-columns.tsx', 'webhookColumns', menu, 5],
  ['developers/webhook-columns.tsx', 'deliveryColumns', 0, 6],
  ['reports/report-columns.tsx', 'reportColumns', menu, 6],
  ['reports/report-columns.tsx', 'scheduleColumns', menu, 4],
])('%s: of %s one column leaves at a time', (file, name, beside, count) => {
  const columns = columnsOf(file, name)
  expect(columns).toHaveLength(count)
  const leaving = fitDrops(columns as never, beside).filter((drop) => drop !== undefined)
  expect(leaving.length).toBeGreaterThan(1)
  expect(new Set(leaving).size).toBe(leaving.length)
})
