import { expect, test } from 'vitest'
import { shortPlatformsWords } from './registry-words.ts'

const of = (os: string, architecture: string) => ({ os, architecture })

test('a narrow column leaves Linux out where every platform is of it, and nowhere else', () => {
  expect(shortPlatformsWords([of('linux', 'arm64'), of('linux', 'amd64')])).toBe('arm64, amd64')
  expect(shortPlatformsWords([of('linux', 'arm64'), of('windows', 'amd64')])).toBe('linux/arm64, windows/amd64')
  expect(shortPlatformsWords([])).toBe('—')
})
