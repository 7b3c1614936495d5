import { expect, test } from 'vitest'
import { compareVersions, readerOf } from './compare.ts'

/** Each is before the next. */
const orders: Record<string, string[]> = {
  npm: [
    '0.9.9',
    '1.0.0-alpha',
    '1.0.0-alpha.1',
    '1.0.0-alpha.beta',
    '1.0.0-beta',
    '1.0.0-beta.2',
    '1.0.0-beta.11',
    '1.0.0-rc.1',
    '1.0.0',
    '1.2',
    '1.10.0',
    '99999999999999999999.0.0',
  ],
  Go: ['v0.0.0-20190101000000-abcdef', 'v1.2.3', '1.2.4'],
  PyPI: ['1.0.dev1', '1.0a1.dev1', '1.0a1', '1.0b2', '1.0rc1', '1.0', '1.0+local', '1.0.post1.dev1', '1.0.post1', '1.1', '2.0', '1!0.1'],
  'Debian:12': [
    '1.0~rc1-1',
    '1.0-1~deb12u1',
    '1.0-1',
    '1.0-1+b1',
    '1.0-1.1',
    '1.0-2',
    '1.0a-1',
    '1.0+dfsg-1',
    '1.2-1',
    '1.10-1',
    '1:0.1-1',
  ],
  'Alpine:v3.18': [
    '1.2.3_alpha',
    '1.2.3_rc1',
    '1.2.3_rc2',
    '1.2.3-r0',
    '1.2.3-r1',
    '1.2.3_git20200101-r0',
    '1.2.3_p1-r0',
    '1.2.3a-r0',
    '1.2.3.1-r0',
    '1.2.4',
    '1.10',
  ],
}

test.for(Object.entries(orders))('versions of %s follow each other', ([ecosystem, order]) => {
  const read = readerOf(ecosystem)!
  const versions = order.map((text) => ({ text, version: read(text)! }))
  for (const [n, a] of versions.entries())
    for (const [m, b] of versions.entries())
      expect(Math.sign(compareVersions(a.version, b.version)), `${a.text} beside ${b.text}`).toBe(Math.sign(n - m))
})

test('what is the same is written in several ways, and what is none is refused', () => {
  const same = (ecosystem: string, a: string, b: string) => compareVersions(readerOf(ecosystem)!(a)!, readerOf(ecosystem)!(b)!)
  expect(same('npm', '1.0.0+build', 'v1')).toBe(0)
  expect(same('PyPI', '1.0', '1.0.0')).toBe(0)
  expect(same('PyPI', '1.0-ALPHA-1', '1.0a1')).toBe(0)
  expect(same('PyPI', '1.0-1', '1.0.post1')).toBe(0)
  expect(same('Debian:12', '0:1.0', '1.0-0')).toBe(0)
  for (const [ecosystem, text] of [
    ['npm', 'latest'],
    ['PyPI', '1.0-banana'],
    ['Debian:12', 'a b'],
    ['Alpine:v3.18', '1.2_odd'],
  ] as const)
    expect(readerOf(ecosystem)!(text), text).toBeNull()
  for (const unknown of ['Maven', 'NuGet', 'RubyGems', 'Packagist']) expect(readerOf(unknown)).toBeNull()
})
