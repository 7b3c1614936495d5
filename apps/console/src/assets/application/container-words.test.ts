import { expect, test } from 'vitest'
import { problemHelp } from './container-words.ts'

test('an image that has no room on the device is not taken for one that the device may not read', () => {
  const code = 'image_pull_backoff'
  const full = 'writing blob: storing blob to file "/var/tmp/storage1": write /var/tmp/storage1: no space left on device'
  expect(problemHelp({ code, words: full })).toContain('Free space on its disk')
  expect(problemHelp({ code, words: 'manifest unknown' })).toContain('may read the registry')
  expect(problemHelp({ code: 'failed', words: full })).toBe('The engine refused.')
})
