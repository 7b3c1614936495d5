import { expect, test } from 'vitest'
import { settingsFor } from './embedded-postgres-settings.ts'

test.each([
  [1, '96MB'],
  [8, '256MB'],
  [64, '512MB'],
])('of %d GiB of memory the buffers are %s', (gibibytes, buffers) => {
  expect(settingsFor(gibibytes * 2 ** 30).shared_buffers).toBe(buffers)
})
