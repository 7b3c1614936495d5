import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './run.ts'
import { readSource, sourceFiles } from './sources.ts'

const page = 'docs/security/asvs.md'
const rows = readSource(page)
  .split('\n')
  .flatMap((line) => {
    const [, number, asks, state] = /^\| (\d+\.\d+\.\d+) \| (.+?) \| (.+) \|$/.exec(line) ?? []
    return number ? [{ number, asks: asks!, state: state! }] : []
  })
const is = (kind: string) => rows.filter(({ state }) => state.startsWith(kind))
const testsIn = (state: string) => [...state.matchAll(/`([\w./-]+\.(?:test|e2e)\.ts)`/g)].map(([, path]) => path!)
/** Those of the server are named from its sources on. */
const isThere = (path: string) => [path, `apps/server/src/${path}`].some((place) => existsSync(join(root, place)))

// How many requirements of levels 1 and 2 each section of ASVS 5.0.0 has.
const chapters = [27, 11, 19, 10, 9, 35, 18, 7, 7, 29, 14, 9, 13, 9, 13, 16, 7]

test('every requirement of level 1 and 2 has one row, in order', () => {
  expect(chapters.map((_, at) => rows.filter(({ number }) => number.startsWith(`${at + 1}.`)).length)).toEqual(chapters)
  const numbers = rows.map(({ number }) => number)
  const inOrder = numbers.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }))
  expect(numbers).toEqual([...new Set(inOrder)])
  expect(rows).toHaveLength(253)
})

test('each says met, does not apply, in part or not met; at least 235 are well, 150 of them by tests', () => {
  expect(rows.filter(({ state }) => !/^(met|does not apply|in part|not met)\b/.test(state))).toEqual([])
  expect(is('met').length + is('does not apply').length).toBeGreaterThanOrEqual(235)
  expect(is('met').filter(({ state }) => testsIn(state).length > 0).length).toBeGreaterThanOrEqual(150)
})

test('each test that is named exists, there and in security.md', () => {
  const named = [...rows, { number: 'security.md', state: readSource('docs/security.md') }]
  expect(named.flatMap(({ number, state }) => testsIn(state).flatMap((path) => (isThere(path) ? [] : [`${number}: ${path}`])))).toEqual([])
})

test('what is said to be in writing has its section', () => {
  const anchor = (heading: string) =>
    heading
      .toLowerCase()
      .replaceAll(/[^a-z0-9 -]/g, '')
      .replaceAll(' ', '-')
  const headings = (path: string) =>
    readSource(path)
      .split('\n')
      .flatMap((line) => (line.startsWith('## ') ? [anchor(line.slice(3))] : []))
  const links = rows.flatMap(({ number, state }) =>
    [...state.matchAll(/\]\(\.\.\/([\w/.-]+)#([\w-]+)\)/g)].map(([, path, place]) => ({ number, path: `docs/${path}`, place: place! }))
  )
  expect(links.length).toBeGreaterThanOrEqual(6)
  expect(links.filter(({ path, place }) => !headings(path).includes(place))).toEqual([])
})

const server = sourceFiles().filter(
  (path) => /^(apps\/server|packages\/(contract|radius))\/src\/.*\.ts$/.test(path) && !/(\.test|\/test-[\w-]+)\.ts$/.test(path)
)

test('the log says what its page lists, and its page lists what it says', () => {
  const [log, words] = [readSource('apps/server/src/auth/security-of.ts'), readSource('docs/operations/logs.md')]
  const said = [...log.matchAll(/(?:return|\?|:) '([a-z]+(?:_[a-z]+)*)'/g)].map(([, value]) => value!)
  expect(said.length).toBeGreaterThan(8)
  expect(said.filter((value) => !words.includes(`\`${value}\``) && !['none', 'info', 'warn'].includes(value))).toEqual([])
})

test('certificates of others are checked: nothing switches that off, but the broker, which knows the keys of its devices, the doctor, who says what is wrong with one, and a tunnel to a device, whose name nobody could check', () => {
  const off = /rejectUnauthorized: false|NODE_TLS_REJECT_UNAUTHORIZED/
  expect(server.filter((path) => off.test(readSource(path)))).toEqual([
    // A device's own certificate is compared with the key that it was set up with.
    'apps/server/src/devices/broker/start-broker.ts',
    'apps/server/src/doctor/ask-broker.ts',
    'apps/server/src/doctor/machine-checks.ts',
    'apps/server/src/terminal/tunnel-names/take-names.ts',
  ])
})

test('what nobody may guess comes from a secure generator', () => {
  // Waits grow by chance, what the demo shows is made up; neither is a secret.
  const chance = server.filter((path) => /Math\.random/.test(readSource(path)))
  expect(chance.filter((path) => !/\/demo\//.test(path))).toEqual([
    'apps/server/src/developers/webhooks/finish-delivery.ts',
    'apps/server/src/metering/ingest/batch-worker.ts',
  ])
})
