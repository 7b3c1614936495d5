import { expect, test } from 'vitest'
import type { Vulnerability } from '@masthead/contract/registry/vulnerability'
import { countsOf, joinFound } from './join-found.ts'

const listed = (id: string, more: Partial<Vulnerability> = {}): Vulnerability => ({
  id,
  aliases: [],
  severity: 'medium',
  summary: '',
  package: 'openssl',
  version: '3.0.1',
  fixed_in: null,
  found_by: ['packages'],
  ...more,
})
const scanned = {
  id: 'CVE-1',
  severity: 'high',
  summary: 'said by the scanner',
  package: 'openssl',
  version: '3.0.1',
  fixed_in: '3.0.2',
} as const

test('what a list and a scanner both name is one, as bad as the worse says', () => {
  const own = listed('GHSA-1', { aliases: ['CVE-1'] })
  expect(joinFound([own], [scanned, scanned])).toEqual([
    listed('GHSA-1', {
      aliases: ['CVE-1'],
      severity: 'high',
      summary: 'said by the scanner',
      fixed_in: '3.0.2',
      found_by: ['packages', 'scanner'],
    }),
  ])
  expect(own, 'what was given stays').toEqual(listed('GHSA-1', { aliases: ['CVE-1'] }))
  expect(joinFound([listed('CVE-1', { severity: 'critical', fixed_in: '4' })], [scanned])).toMatchObject([
    { severity: 'critical', fixed_in: '4' },
  ])
})

test('another version, another package or another id is another, and the worst stand first', () => {
  const found = joinFound(
    [listed('CVE-1', { version: '3.0.0' }), listed('CVE-2', { severity: 'critical' })],
    [scanned, { ...scanned, package: 'zlib', severity: 'unknown' }]
  )
  expect(found.map(({ id, package: name, found_by }) => [id, name, ...found_by])).toEqual([
    ['CVE-2', 'openssl', 'packages'],
    ['CVE-1', 'openssl', 'scanner'],
    ['CVE-1', 'openssl', 'packages'],
    ['CVE-1', 'zlib', 'scanner'],
  ])
  const more = { critical: 0, high: 0, medium: 2, low: 0, unknown: 1 }
  expect(countsOf(found, [more, more])).toEqual({ critical: 1, high: 1, medium: 5, low: 0, unknown: 3 })
})
