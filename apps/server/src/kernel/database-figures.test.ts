import { expect, test } from 'vitest'
import { addDatabaseFigures } from './database-figures.ts'
import { createMetrics } from './metrics.ts'

test('figures of a database that is away, or does not answer, are left out, and keep nobody waiting', async () => {
  const app = { metrics: createMetrics() }
  const figure = (name: string, samples: () => Promise<{ value: number }[]>) => ({ name, help: name, samples })
  addDatabaseFigures(
    app as never,
    [
      figure('masthead_there', async () => [{ value: 1 }]),
      figure('masthead_away', () => Promise.reject(new Error('away'))),
      figure('masthead_silent', () => new Promise(() => {})),
    ],
    { patience: 50 }
  )
  const text = await app.metrics.registry.metrics()
  expect(text).toContain('masthead_there 1')
  expect(text).not.toMatch(/^masthead_(away|silent) /m)
})
