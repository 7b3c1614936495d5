import { expect, test } from 'vitest'
import { deployedWords, noOtherTagWords, othersThan, referenceOf, shortPlatformsWords, subjectOf } from './registry-words.ts'

const of = (os: string, architecture: string) => ({ os, architecture })

test('a narrow column leaves Linux out where every platform is of it, and nowhere else', () => {
  expect(shortPlatformsWords([of('linux', 'arm64'), of('linux', 'amd64')])).toBe('arm64, amd64')
  expect(shortPlatformsWords([of('linux', 'arm64'), of('windows', 'amd64')])).toBe('linux/arm64, windows/amd64')
  expect(shortPlatformsWords([])).toBe('—')
})

test('of containers that stay as they are it is said why', () => {
  const done = { changed: 1, already: 0, in_fleets: 0, agents_too_old: 0 }
  expect(deployedWords(done, '2.0')).toBe('1 container is to run 2.0')
  expect(deployedWords({ ...done, changed: 0, in_fleets: 2, agents_too_old: 3 }, '2.0')).toBe(
    '0 containers are to run 2.0. 2 in fleets stay: publish a version there. 3 stay, because the agent of their device is too old for this image: update the agent first'
  )
  expect(deployedWords({ ...done, changed: 2, in_fleets: 1, agents_too_old: 1 }, '2.0')).toBe(
    '2 containers are to run 2.0. 1 in a fleet stays: publish a version there. 1 stays, because the agent of its device is too old for this image: update the agent first'
  )
})

test('that no tag can be compared with is said of all tags only where all were looked at', () => {
  expect(noOtherTagWords('', false)).toBe('No other tag of this repository names another image.')
  expect(noOtherTagWords('2.', false)).toBe('No tag of another image is found.')
  for (const search of ['', '2.'])
    expect(noOtherTagWords(search, true)).toBe('None of these tags names another image: search for one that does.')
})

test('what something is attached to is what it says itself, or what its tag says', () => {
  const digest = `sha256:${'a'.repeat(64)}`
  const tag = (name: string) => ({ name, protected: false, immutable: null })
  expect(subjectOf({ raw: JSON.stringify({ subject: { digest } }), tags: [] })).toBe(digest)
  expect(subjectOf({ raw: '{}', tags: [tag('1.0'), tag(`${digest.replace(':', '-')}.sig`)] })).toBe(digest)
  expect(subjectOf({ raw: '{}', tags: [tag('1.0'), tag('sha256-short.sig')] })).toBe(null)
})

test('a container names an image by its tag, by latest, by its digest, or by both', () => {
  expect(referenceOf('10.0.0.1:5000/acme/relay:2.0')).toBe('2.0')
  expect(referenceOf('registry.test/acme/relay')).toBe('latest')
  expect(referenceOf(`registry.test/acme/relay:2.0@sha256:${'ab'.repeat(32)}`)).toBe('2.0@sha256:abababababab')
  expect(referenceOf(`registry.test/acme/relay@sha256:${'ab'.repeat(32)}`)).toBe('sha256:abababababab')
})

test('a tag is compared with the one before it, unless another one is chosen', () => {
  const tag = (name: string, digest = name) => ({ name, digest })
  const tags = [tag('3'), tag('latest', '2'), tag('2'), tag(`sha256-${'a'.repeat(64)}.sig`), tag('1')]
  const names = (of: string) => othersThan(tags, tag(of)).map(({ name }) => name)
  expect(names('2')).toEqual(['1', '3'])
  expect(names('3')).toEqual(['latest', '2', '1'])
  expect(names('1')).toEqual(['3', 'latest', '2'])
  expect(names('not listed')).toEqual(['3', 'latest', '2', '1'])
})
