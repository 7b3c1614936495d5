import { expect, test } from 'vitest'
import { openDatabase } from '../kernel/database/open-database.ts'
import { openPool } from '../kernel/database/pool.ts'
import { createMetrics } from '../kernel/metrics.ts'
import type { App } from '../kernel/app.ts'
import { openHouse } from '@masthead/testkit/house'
import { addDatabaseFigures } from '../kernel/database-figures.ts'
import { usageFigures } from './usage-figures.ts'

test('figures of the database are left out while it is away, and the others are reported', async () => {
  await using house = await openHouse()
  const away = openPool('postgresql://127.0.0.1:1/nowhere')
  const app: App = { ...house.app, metrics: createMetrics(), db: openDatabase(away) }
  addDatabaseFigures(app, usageFigures)
  app.metrics.jobs.inc({ task: 'any', outcome: 'done' })
  const samples = (await app.metrics.registry.metrics()).split('\n').filter((line) => line.startsWith('masthead_'))
  expect(samples.filter((line) => /^masthead_(rollup|usage|quarantine|enforcement)/.test(line))).toEqual([])
  expect(samples.some((line) => line.startsWith('masthead_jobs'))).toBe(true)
  await away.end()
})
