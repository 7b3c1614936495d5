import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { noIntegrations } from '@masthead/server/kernel/integrations'
import { openHouse, type House } from '@masthead/testkit/house'
import { newPusher, pushImage } from '../test-registry.ts'
import { claimScans } from './claim-scans.ts'
import { readReport } from './read-report.ts'
import { scanDue } from './run-scans.ts'
import { scanByItself } from './scan-by-itself.ts'
import { scanDone } from './settle-scan.ts'
import { metadata, openScanner, type TestScanner } from './test-scanner.ts'

let house: House
let address: string
let trivy: TestScanner
beforeAll(async () => {
  house = await openHouse()
  address = await house.server.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => house[Symbol.asyncDispose]())
beforeEach(async () => {
  await house.db.deleteFrom('registry_scan').execute()
  trivy = await openScanner()
  house.app.config.integrations = { ...noIntegrations, scanner: { ...trivy.scanner, registry: address } }
  return () => trivy[Symbol.asyncDispose]()
})

const rowOf = (digest: string) => house.db.selectFrom('registry_scan').selectAll().where('digest', '=', digest).executeTakeFirst()
const later = (seconds: number) => house.clock.advance({ seconds })

test('what a process that ended was at is taken by another, and what the first has to say later counts no more', async () => {
  const acme = await newPusher(house, address, 'Turns')
  const { digest } = await pushImage(acme.ask, `${acme.slug}/app`)
  const [first] = await claimScans(house.app, 2)
  expect(await claimScans(house.app, 2)).toEqual([])
  later(61)
  const [second] = await claimScans(house.app, 2)
  expect(second).toMatchObject({ digest, turn: first!.turn + 1 })
  const nothing = readReport({ generated_at: 'now', vulnerabilities: [] }, digest)
  await scanDone(house.app, first!, nothing)
  expect(await rowOf(digest)).toMatchObject({ state: 'asking', done_at: null })
  await scanDone(house.app, second!, nothing)
  expect(await rowOf(digest)).toMatchObject({ state: 'done', vulnerabilities: 0 })
})

test('images from before are scanned, and again once the database of the scanner is newer, at most once a day', async () => {
  const acme = await newPusher(house, address, 'Before')
  const app = `${acme.slug}/app`
  house.app.config.integrations = noIntegrations
  const { digest } = await pushImage(acme.ask, app, { tag: '1.0' })
  house.app.config.integrations = { ...noIntegrations, scanner: { ...trivy.scanner, registry: address } }
  await scanByItself(house.app)
  expect(await rowOf(digest)).toMatchObject({ state: 'waiting', urgent: false, asked_by: null })
  const all = async () => {
    while ((await scanDue(house.app)) > 0) later(2)
  }
  await all()
  expect(await rowOf(digest)).toMatchObject({ state: 'done' })
  later(2 * 86_400)
  await scanByItself(house.app)
  expect(await rowOf(digest), 'the database is the same').toMatchObject({ state: 'done' })
  trivy.answers.metadata = metadata({ properties: { 'harbor.scanner-adapter/vulnerability-database-updated-at': '2026-11-26T06:00:00Z' } })
  later(61)
  await scanByItself(house.app)
  expect(await rowOf(digest)).toMatchObject({ state: 'waiting' })
  await all()
  trivy.answers.metadata = metadata({ properties: { 'harbor.scanner-adapter/vulnerability-database-updated-at': '2026-11-26T12:00:00Z' } })
  later(61)
  await scanByItself(house.app)
  expect(await rowOf(digest), 'it was scanned today').toMatchObject({ state: 'done', database_at: new Date('2026-11-26T06:00:00Z') })
  // What was deleted is forgotten.
  await acme.ask(`/v2/${app}/manifests/${digest}`, { method: 'DELETE' })
  await scanByItself(house.app)
  expect(await rowOf(digest)).toBeUndefined()
})
