import { expect, test } from 'vitest'
import { settingsFor } from './settings.ts'

test.each([
  [0.5, '96MB'],
  [8, '1024MB'],
  [64, '4096MB'],
])('of %f GiB of memory the buffers are %s', (gibibytes, buffers) => {
  expect(settingsFor(gibibytes * 2 ** 30).shared_buffers).toBe(buffers)
})
