import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { loadAdvisories } from '@masthead/contract/backoffice/advisories/advisory-operations'
import { getVulnerabilities, scanImage } from '@masthead/contract/registry/image-operations'
import { listTags } from '@masthead/contract/registry/operations'
import { noIntegrations } from '@masthead/server/kernel/integrations'
import { openHouse, type House } from '@masthead/testkit/house'
import { enterStaff } from '../../backoffice/test-backoffice.ts'
import { attach } from '../attached/test-signing.ts'
import { digestOf, newPusher, ociIndex, ociManifest, pushImage, putManifest, type Pusher } from '../test-registry.ts'
import { scanByItself } from './scan-by-itself.ts'
import { scanDue } from './run-scans.ts'
import { scanFigures } from './scan-figures.ts'
import { mostTries } from './settle-scan.ts'
import { notDone, openScanner, report, saying, vulnerability, type TestScanner } from './test-scanner.ts'

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

const check = async ({ person }: Pusher, repository_id: string, digest: string) =>
  (await person.call(getVulnerabilities, { params: { repository_id, digest } })).body
const scanAgain = ({ person }: Pusher, repository_id: string, digest: string) =>
  person.call(scanImage, { params: { repository_id, digest } })
const eventsOf = async ({ account_id }: Pusher) =>
  (await house.events(account_id)).filter(({ name }) => /scan/.test(name)).map(({ name, detail }) => ({ name, ...(detail as object) }))
const rowOf = (digest: string) => house.db.selectFrom('registry_scan').selectAll().where('digest', '=', digest).executeTakeFirst()
const later = (seconds: number) => house.clock.advance({ seconds })

test('what is pushed is scanned once, and the report stands beside what advisories say', async () => {
  const acme = await newPusher(house, address, 'Scanned')
  const app = `${acme.slug}/app`
  const { digest } = await pushImage(acme.ask, app, { tag: '1.0', layers: ['same'] })
  await pushImage(acme.ask, `${acme.slug}/copy`, { tag: '1.0', layers: ['same'] })
  expect(await check(acme, app, digest)).toMatchObject({
    scanner: true,
    scan: { state: 'waiting', asked_by: null, report: null },
    items: [],
  })
  trivy.answers.report = notDone(30)
  expect(await scanDue(house.app)).toBe(1)
  expect(trivy.asked()).toHaveLength(1)
  expect(trivy.asked()[0]).toMatchObject({ registry: { url: address }, artifact: { repository: app, digest, mime_type: ociManifest } })
  expect(await check(acme, app, digest)).toMatchObject({ scan: { state: 'under_way', report: null } })
  later(2)
  expect(await scanDue(house.app)).toBe(1)
  later(29)
  expect(await scanDue(house.app)).toBe(0)
  later(1)
  trivy.answers.report = report([
    vulnerability('CVE-2021-1', 'Critical', 'lodash', { version: '4.17.20' }),
    vulnerability('CVE-2021-9', 'Medium', 'musl'),
  ])
  expect(await scanDue(house.app)).toBe(1)
  expect(await check(acme, app, digest)).toMatchObject({
    scan: {
      state: 'done',
      report: { scanner: 'Trivy 0.50.1', at: house.clock.now().toISOString(), database_at: '2026-11-25T06:00:00.000Z', vulnerabilities: 2 },
    },
    counts: { critical: 1, medium: 1 },
    fixable: 2,
    items: [
      { id: 'CVE-2021-1', package: 'lodash', found_by: ['scanner'] },
      { id: 'CVE-2021-9', package: 'musl', fixed_in: '1.0.1', found_by: ['scanner'] },
    ],
  })
  const tags = async () => (await acme.person.call(listTags, { params: { repository_id: app } })).body.items
  expect((await tags())[0]).toMatchObject({ vulnerabilities: { critical: 1, medium: 1 } })
  expect(await eventsOf(acme)).toEqual([
    { name: 'registry.image_scanned', repository: app, digest, scanner: 'Trivy 0.50.1', vulnerabilities: 2, critical: 1, high: 0 },
  ])

  // The list of packages is compared too: what both name is one, and says who found it.
  const sbom = {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    components: [{ type: 'library', name: 'lodash', version: '4.17.20', purl: 'pkg:npm/lodash@4.17.20' }],
  }
  await attach(acme.ask, app, [{ bytes: Buffer.from(JSON.stringify(sbom)), mediaType: 'application/vnd.cyclonedx+json' }], {
    subject: digest,
  })
  const staff = await enterStaff(house, ['backoffice'])
  const advisory = {
    id: 'GHSA-1',
    aliases: ['CVE-2021-1'],
    summary: 'lodash is wrong',
    database_specific: { severity: 'LOW' },
    affected: [{ package: { ecosystem: 'npm', name: 'lodash' }, ranges: [{ type: 'SEMVER', events: [{ introduced: '0' }] }] }],
  }
  await staff.call(loadAdvisories, { query: { name: 'all.json' }, body: JSON.stringify(advisory) } as never)
  expect(await check(acme, app, digest)).toMatchObject({
    packages: 1,
    counts: { critical: 1, low: 0, medium: 1 },
    items: [
      { id: 'GHSA-1', aliases: ['CVE-2021-1'], severity: 'critical', fixed_in: '1.0.1', found_by: ['packages', 'scanner'] },
      { id: 'CVE-2021-9', found_by: ['scanner'] },
    ],
  })
  expect((await tags()).find(({ name }) => name === '1.0')).toMatchObject({ vulnerabilities: { critical: 1, low: 0, medium: 1 } })
  // A list that is attached is no image.
  expect(await house.db.selectFrom('registry_scan').select('digest').execute()).toEqual([{ digest }])
})

test('somebody has it scanned again, and a report that says the same is no news', async () => {
  const acme = await newPusher(house, address, 'Again')
  const app = `${acme.slug}/app`
  const { digest } = await pushImage(acme.ask, app, { tag: '1.0' })
  await scanDue(house.app)
  later(2)
  await scanDue(house.app)
  later(60)
  expect((await scanAgain(acme, app, digest)).body).toMatchObject({
    scan: { state: 'waiting', asked_by: acme.person.email, report: { vulnerabilities: 1 } },
  })
  // Asked twice: once is enough.
  expect((await scanAgain(acme, app, digest)).status).toBe(200)
  await scanDue(house.app)
  later(2)
  await scanDue(house.app)
  expect(trivy.asked()).toHaveLength(2)
  expect((await eventsOf(acme)).map(({ name }) => name)).toEqual(['registry.image_scanned', 'registry.scan_requested'])
  await scanAgain(acme, app, digest)
  await scanDue(house.app)
  later(2)
  trivy.answers.report = report([])
  await scanDue(house.app)
  expect(await check(acme, app, digest)).toMatchObject({ scan: { state: 'done', report: { vulnerabilities: 0 } }, items: [] })
  expect((await eventsOf(acme)).at(-1)).toMatchObject({ name: 'registry.image_scanned', vulnerabilities: 0 })
})

test('of an index its images are scanned, and a scan of what is none is refused', async () => {
  const acme = await newPusher(house, address, 'Index')
  const app = `${acme.slug}/app`
  const images = [await pushImage(acme.ask, app), await pushImage(acme.ask, app)]
  const manifests = images.map(({ digest, size }) => ({ mediaType: ociManifest, digest, size }))
  const index = JSON.stringify({ schemaVersion: 2, manifests })
  await putManifest(acme.ask, app, 'all', index, ociIndex)
  await house.db.deleteFrom('registry_scan').execute()
  expect((await scanAgain(acme, app, digestOf(index))).body).toMatchObject({ scan: { state: 'waiting' } })
  await scanDue(house.app)
  later(2)
  await scanDue(house.app)
  expect(
    trivy
      .asked()
      .map(({ artifact }) => artifact.digest)
      .toSorted()
  ).toEqual(images.map(({ digest }) => digest).toSorted())
  expect(await check(acme, app, digestOf(index))).toMatchObject({
    scan: { state: 'done', report: { vulnerabilities: 2 } },
    counts: { high: 1 },
  })
  const attached = await attach(acme.ask, app, [], { subject: images[0]!.digest })
  expect(await scanAgain(acme, app, attached)).toMatchObject({ status: 409, body: { code: 'not_scannable' } })
  const empty = JSON.stringify({ schemaVersion: 2, manifests: [] })
  await putManifest(acme.ask, app, 'empty', empty, ociIndex)
  expect(await scanAgain(acme, app, digestOf(empty))).toMatchObject({ status: 409, body: { code: 'not_scannable' } })
  expect(await scanAgain(acme, app, digestOf('none'))).toMatchObject({ status: 404 })
  house.app.config.integrations = noIntegrations
  expect(await scanAgain(acme, app, images[0]!.digest)).toMatchObject({ status: 409, body: { code: 'scanner_missing' } })
  const { digest } = await pushImage(acme.ask, app)
  expect(await rowOf(digest)).toBeUndefined()
  expect(await check(acme, app, digest)).toMatchObject({ scanner: false, scan: null })
})

test('a scan that fails is tried again later and later, then given up in words, and by itself after a day', async () => {
  const acme = await newPusher(house, address, 'Failing')
  const app = `${acme.slug}/app`
  const { digest } = await pushImage(acme.ask, app, { tag: '1.0' })
  trivy.answers.scan = saying(500, { error: { message: 'no room' } })
  const waits: number[] = []
  for (let tries = 1; tries <= mostTries; tries++) {
    expect(await scanDue(house.app)).toBe(1)
    const { due_at, state } = (await rowOf(digest))!
    expect(state).toBe(tries === mostTries ? 'failed' : 'waiting')
    if (!due_at) break
    waits.push(due_at.getTime() - house.clock.now().getTime())
    expect(await check(acme, app, digest)).toMatchObject({
      scan: { state: 'waiting', words: 'The scanner does not take the image (500: no room)', next_try_at: due_at.toISOString() },
    })
    house.clock.set(due_at)
  }
  expect(waits).toEqual([1, 2, 4, 8, 16].map((minutes) => minutes * 60_000))
  expect(await check(acme, app, digest)).toMatchObject({ scan: { state: 'failed', next_try_at: null, report: null } })
  expect(await eventsOf(acme)).toEqual([
    { name: 'registry.scan_failed', repository: app, digest, words: 'The scanner does not take the image (500: no room)' },
  ])
  const outcome = async (of: string) => (await house.app.metrics.scans.get()).values.find(({ labels }) => labels.outcome === of)?.value
  expect(await outcome('given_up')).toBeGreaterThanOrEqual(1)
  expect(await outcome('failed')).toBeGreaterThanOrEqual(mostTries - 1)
  const [figure] = scanFigures
  expect(await figure!.samples(house.app)).toContainEqual({ value: 1, labels: { state: 'failed' } })
  later(3600)
  await scanByItself(house.app)
  expect(await rowOf(digest)).toMatchObject({ state: 'failed' })
  later(86_400)
  await scanByItself(house.app)
  expect(await rowOf(digest)).toMatchObject({ state: 'waiting', tries: 0 })
})

test('what cannot end otherwise is given up at once, and a scan that the scanner forgot begins anew', async () => {
  const acme = await newPusher(house, address, 'Odd')
  const app = `${acme.slug}/app`
  const { digest } = await pushImage(acme.ask, app, { tag: '1.0' })
  await scanDue(house.app)
  later(2)
  trivy.answers.report = saying(404)
  await scanDue(house.app)
  expect(await rowOf(digest)).toMatchObject({ state: 'waiting', scan_id: null, tries: 1, words: 'The scanner no longer knows the scan' })
  later(60)
  await scanDue(house.app)
  later(2)
  // It is away for a moment: the same scan is asked for again.
  trivy.answers.report = saying(503)
  await scanDue(house.app)
  expect(await rowOf(digest)).toMatchObject({ state: 'under_way', scan_id: 'scan/2', tries: 2 })
  later(120)
  trivy.answers.report = saying(200, '<html>', 'text/html')
  await scanDue(house.app)
  expect(await check(acme, app, digest)).toMatchObject({
    scan: { state: 'failed', words: 'The scanner sends text/html in place of the report that was asked for' },
  })
  await scanAgain(acme, app, digest)
  trivy.answers.report = notDone(300)
  await scanDue(house.app)
  for (let n = 0; n < 7; n++) {
    later(300)
    await scanDue(house.app)
  }
  expect(await rowOf(digest)).toMatchObject({ state: 'waiting', words: 'The scanner was not done within 30 minutes' })
})

test('so many are scanned at once, and accounts take turns', async () => {
  const [many, one] = [await newPusher(house, address, 'Many'), await newPusher(house, address, 'One')]
  for (let n = 0; n < 4; n++) await pushImage(many.ask, `${many.slug}/app`)
  later(1)
  const { digest } = await pushImage(one.ask, `${one.slug}/app`)
  trivy.answers.report = notDone(10)
  await scanDue(house.app)
  expect(trivy.asked()).toHaveLength(2)
  expect(trivy.asked().map(({ artifact }) => artifact.digest)).toContain(digest)
  later(2)
  await scanDue(house.app)
  expect(trivy.asked()).toHaveLength(2)
  later(10)
  trivy.answers.report = report([])
  while ((await scanDue(house.app)) > 0) later(2)
  expect(trivy.asked()).toHaveLength(5)
  const states = await house.db.selectFrom('registry_scan').select('state').execute()
  expect(states.map(({ state }) => state)).toEqual(Array.from({ length: 5 }, () => 'done'))
})
