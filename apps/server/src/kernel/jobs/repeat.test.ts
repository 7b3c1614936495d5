import { expect, test, vi } from 'vitest'
import type { App } from '../app.ts'
import { repeat } from './repeat.ts'

test('a step is done again at once while there is more, later after a failure, and not after the stop', async () => {
  const [warn, info] = [vi.fn(), vi.fn()]
  const steps: string[] = []
  const enough = Promise.withResolvers<void>()
  const says = ['more', 'away', 'away', 'broken', 'more', 'done']
  const running = repeat(
    { log: { warn, info } } as unknown as App,
    'counting',
    async () => {
      const now = says[steps.length] ?? 'done'
      steps.push(now)
      if (steps.length >= says.length) enough.resolve()
      if (now === 'away' || now === 'broken') throw new Error(now)
      return now === 'more'
    },
    1
  )
  await enough.promise
  await running.stop()
  const count = steps.length
  expect(steps.slice(0, says.length)).toEqual(says)
  const causes = warn.mock.calls.map(([{ err }, words]) => [err.message, words])
  const words = 'counting failed and will be tried again'
  expect(causes, 'once for each cause').toEqual([
    ['away', words],
    ['broken', words],
  ])
  expect(info).toHaveBeenCalledExactlyOnceWith('counting goes on')
  await running.stop()
  expect(steps).toHaveLength(count)
})
