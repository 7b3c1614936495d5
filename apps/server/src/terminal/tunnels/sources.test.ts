import { expect, test } from 'vitest'
import { sourcesOf } from './sources.ts'

test('ranges of both families', () => {
  const allowed = sourcesOf(['203.0.113.0/24', '198.51.100.7', '2001:db8::/32', '0.0.0.0/32'])
  expect(['203.0.113.9', '::ffff:203.0.113.9', '198.51.100.7', '2001:db8::1'].map(allowed)).toEqual([true, true, true, true])
  expect(['203.0.114.9', '198.51.100.8', '2001:db9::1', '::1'].map(allowed)).toEqual([false, false, false, false])
})
