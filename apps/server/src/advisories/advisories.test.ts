import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getAdvisories, loadAdvisories } from '@masthead/contract/backoffice/advisories/advisory-operations'
import { openHouse, type House } from '@masthead/testkit/house'
import { enterStaff, type Staff } from '../backoffice/test-backoffice.ts'
import { baseScore } from './cvss.ts'
import { matchVersion } from './match-versions.ts'
import { readAdvisory } from './read-advisory.ts'

let house: House
let staff: Staff
beforeAll(async () => {
  house = await openHouse()
  staff = await enterStaff(house, ['backoffice'])
})
afterAll(() => house[Symbol.asyncDispose]())

const advisory = (id: string, more: object = {}) => ({
  id,
  summary: 'Something {bad} "here"',
  affected: [
    { package: { ecosystem: 'npm', name: 'lodash' }, ranges: [{ type: 'SEMVER', events: [{ introduced: '0' }, { fixed: '4.17.21' }] }] },
  ],
  ...more,
})
const load = (body: string | Buffer, name = 'all.jsonl') => staff.call(loadAdvisories, { query: { name }, body } as never)

test('a file is loaded in place of the one before, in whichever way its documents stand one after the other', async () => {
  expect((await staff.call(getAdvisories)).body).toEqual({ load: null, ecosystems: [] })
  const lines = [advisory('A-1'), advisory('A-2'), advisory('A-2')].map((each) => JSON.stringify(each)).join('\n')
  expect(await load(lines)).toMatchObject({
    status: 200,
    body: { load: { advisories: 2, refused: 0, file_name: 'all.jsonl' }, errors: [] },
  })
  const maven = { affected: [{ package: { ecosystem: 'Maven', name: 'org:x' }, versions: ['1.0'] }] }
  const array = JSON.stringify(
    [advisory('B-1'), { id: 'odd' }, advisory('B-2', maven), advisory('B-3', { withdrawn: '2024-01-01' })],
    null,
    2
  )
  expect(await load(gzipSync(array), 'all.json.gz')).toMatchObject({
    body: {
      load: { advisories: 2, refused: 1 },
      errors: [{ place: 2, words: 'It is no advisory of OSV: these have an id and what is affected' }],
    },
  })
  const { body } = await staff.call(getAdvisories)
  expect(body).toMatchObject({
    load: { file_name: 'all.json.gz', loaded_by: staff.email },
    ecosystems: [
      { ecosystem: 'Maven', advisories: 1, compared: 'listed' },
      { ecosystem: 'npm', advisories: 1, compared: 'order' },
    ],
  })
  const { rows } = { rows: await house.db.selectFrom('advisory').select('id').orderBy('id').execute() }
  expect(rows).toEqual([{ id: 'B-1' }, { id: 'B-2' }])
})

test('what is no file of advisories changes nothing', async () => {
  await load(JSON.stringify(advisory('C-1')))
  for (const broken of ['type,serial\n1,2', JSON.stringify(advisory('D-1')).slice(0, 60), gzipSync('x'.repeat(1000)).subarray(0, 20)])
    expect(await load(broken)).toMatchObject({ status: 400, body: { code: 'advisories_unreadable' } })
  expect((await staff.call(getAdvisories)).body.load).toMatchObject({ advisories: 1 })
  expect(await house.db.selectFrom('advisory_load').select('id').execute()).toHaveLength(1)
})

test('names and versions of any length and characters neither fail nor are taken for others', async () => {
  const long = Array.from({ length: 400 }, (_, n) => String.fromCodePoint(0x4e00 + ((n * 7919) % 20_000))).join('')
  const odd = `${'1'.repeat(299)}🚚`
  const about = (name: string, ecosystem = 'npm') => ({
    package: { ecosystem, name },
    ranges: [{ type: 'SEMVER', events: [{ introduced: '0' }, { fixed: odd }] }],
    versions: [odd],
  })
  const lines = [
    advisory(long),
    advisory('L-1', { affected: [about(long), about('lodash')], aliases: [odd], summary: odd }),
    advisory('L-2', { affected: [about('lodash', long)] }),
  ]
  expect(await load(lines.map((each) => JSON.stringify(each)).join('\n'))).toMatchObject({
    status: 200,
    body: { load: { advisories: 1, refused: 1 } },
  })
  const kept = await house.db.selectFrom('advisory_affected').select(['id', 'name']).execute()
  expect(kept).toEqual([{ id: 'L-1', name: 'lodash' }])
})

test('an advisory that says of one package what takes long to compare is refused in words, and the others are loaded', async () => {
  const events = (count: number) => Array.from({ length: count / 2 }, (_, n) => [{ introduced: `${n}.0.0` }, { fixed: `${n}.5.0` }]).flat()
  const about = (...counts: number[]) => ({
    affected: [
      { package: { ecosystem: 'npm', name: 'lodash' }, ranges: counts.map((count) => ({ type: 'SEMVER', events: events(count) })) },
    ],
  })
  const lines = [
    advisory('M-1', about(200)),
    advisory('M-2', about(202)),
    advisory('M-3', about(100, 102)),
    advisory('M-4', about(100, 100)),
  ]
  const words = 'It names more than 200 versions of lodash in which something begins or ends'
  expect(await load(lines.map((each) => JSON.stringify(each)).join('\n'))).toMatchObject({
    status: 200,
    body: {
      load: { advisories: 2, refused: 2 },
      errors: [
        { place: 2, words },
        { place: 3, words },
      ],
    },
  })
})

test('severities are those of the source, or of the CVSS vector', () => {
  const severity = (more: object) => readAdvisory(JSON.stringify(advisory('E-1', more)))?.severity
  expect(severity({ database_specific: { severity: 'MODERATE' } })).toBe('medium')
  expect(severity({ severity: [{ type: 'CVSS_V3', score: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H' }] })).toBe('critical')
  expect(severity({ severity: [{ type: 'CVSS_V4', score: 'CVSS:4.0/AV:N' }] })).toBe('unknown')
  expect(baseScore('CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H')).toBe(9.8)
  expect(baseScore('CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N')).toBe(6.1)
  expect(baseScore('CVSS:3.0/AV:L/AC:H/PR:L/UI:N/S:U/C:N/I:N/A:N')).toBe(0)
})

test('versions are affected from where it came in to where it was mended', () => {
  const events = [{ introduced: '1.0.0' }, { fixed: '1.2.0' }, { introduced: '2.0.0' }, { fixed: '2.1.0' }]
  const match = (version: string, ecosystem = 'npm') =>
    matchVersion(ecosystem, version, { ranges: [{ semver: false, events }], listed: false })
  expect(match('0.9.0')).toMatchObject({ affected: false })
  expect(match('1.1.9')).toEqual({ affected: true, fixed_in: '1.2.0' })
  expect(match('1.2.0')).toMatchObject({ affected: false })
  expect(match('2.0.5')).toEqual({ affected: true, fixed_in: '2.1.0' })
  expect(match('main')).toBe('unknown')
  expect(match('1.1.0', 'Maven')).toBe('unknown')
  const last = [{ introduced: '0' }, { last_affected: '1.5.0' }]
  const lastOf = (version: string) => matchVersion('PyPI', version, { ranges: [{ semver: false, events: last }], listed: false })
  expect([lastOf('1.5'), lastOf('1.5.1')]).toEqual([
    { affected: true, fixed_in: null },
    { affected: false, fixed_in: null },
  ])
  expect(matchVersion('Maven', '1.0', { ranges: [{ semver: false, events: last }], listed: true })).toEqual({
    affected: true,
    fixed_in: null,
  })
})
