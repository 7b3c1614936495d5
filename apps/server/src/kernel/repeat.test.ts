import { expect, test, vi } from 'vitest'
import type { App } from './app.ts'
import { repeat } from './repeat.ts'

test('a step is done again at once while there is more, later after a failure, and not after the stop', async () => {
  const warn = vi.fn()
  const steps: string[] = []
  const enough = Promise.withResolvers<void>()
  const says = ['more', 'fails', 'more', 'done']
  const running = repeat(
    { log: { warn } } as unknown as App,
    'counting',
    async () => {
      const now = says[steps.length] ?? 'done'
      steps.push(now)
      if (steps.length >= says.length) enough.resolve()
      if (now === 'fails') throw new Error('away')
      return now === 'more'
    },
    1
  )
  await enough.promise
  await running.stop()
  const count = steps.length
  expect(steps.slice(0, 4)).toEqual(says)
  expect(warn).toHaveBeenCalledExactlyOnceWith({ err: expect.any(Error) }, 'counting failed and will be tried again')
  await running.stop()
  expect(steps).toHaveLength(count)
})
