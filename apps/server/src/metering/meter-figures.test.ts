import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openHouse } from '@masthead/testkit/house'
import { addFigures } from '../health/figures.ts'
import { createMetricsServer } from '../health/metrics-server.ts'
import { joinFigures, MeterFigures, meterFamilies } from './meter-figures.ts'

const page = readFileSync(new URL('../../../../docs/operations/metrics.md', import.meta.url), 'utf8')
/** Name, kind and labels of each row of the page. */
const documented = [...page.matchAll(/^\| `(masthead_\w+)` \| (\w+), \w+ \|([^|]*)\|/gm)].map(([, name, type, labels]) => [
  name,
  type,
  [...labels!.matchAll(/`(\w+)`/g)].map(([, label]) => label!).sort(),
])

/** A meter to which everything happened. */
function fullMeter(name: string) {
  const figures = new MeterFigures(name)
  figures.dropped('acct', 'unknown gateway')
  figures.effect('counted', 3)
  figures.access('accepted')
  figures.failed('away')
  figures.committed(3, 2)
  return figures.text()
}

test('every figure of /metrics stands on its page, with its kind and labels, and no other', async () => {
  await using house = await openHouse()
  addFigures(house.app)
  const server = await createMetricsServer(house.app, { parts: () => ({}), metrics: async () => joinFigures([fullMeter('1')]) })
  const { body } = await server.inject('/metrics')
  const types = [...body.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name, type]) => [name!, type!] as const)
  const labelsOf = (name: string): string[] => {
    const own = house.app.metrics.registry.getSingleMetric(name) as unknown as { labelNames: string[] } | undefined
    return [...(own?.labelNames ?? meterFamilies[name]!.labels)].sort()
  }
  const shown = types.map(([name, type]) => [name, type, labelsOf(name)])
  const byName = (a: unknown[], b: unknown[]) => (String(a[0]) < String(b[0]) ? -1 : 1)
  expect(documented.toSorted(byName)).toEqual(shown.toSorted(byName))
})

test('the figures of several meters are one text: each family once, each line in its family', () => {
  const text = joinFigures([fullMeter('1'), fullMeter('2')])
  const samples = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  const given = [fullMeter('1'), fullMeter('2')].flatMap((each) => each.split('\n')).filter(Boolean)
  expect(samples.toSorted()).toEqual(given.toSorted())
  let family = ''
  for (const line of text.split('\n').filter(Boolean)) {
    const [, name] = /^# TYPE (\w+)/.exec(line) ?? []
    if (name) family = name
    else if (!line.startsWith('#')) expect(line.startsWith(family)).toBe(true)
  }
  expect(text.match(/^# TYPE/gm)).toHaveLength(Object.keys(meterFamilies).length)
  expect(text).toContain('masthead_meter_accounting_total{effect="counted",meter="2"} 3')
})
