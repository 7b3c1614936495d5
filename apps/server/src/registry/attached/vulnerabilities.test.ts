import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadAdvisories } from '@masthead/contract/backoffice/advisories/advisory-operations'
import { listTags } from '@masthead/contract/registry/operations'
import { getVulnerabilities } from '@masthead/contract/registry/image-operations'
import { openHouse, type House } from '@masthead/testkit/house'
import { enterStaff } from '../../backoffice/test-backoffice.ts'
import { digestOf, newPusher, ociIndex, ociManifest, pushImage, putManifest } from '../test-registry.ts'
import { attach } from './test-signing.ts'
import { affectedOf } from './vulnerabilities.ts'

let house: House
let address: string
beforeAll(async () => {
  house = await openHouse()
  address = await house.server.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => house[Symbol.asyncDispose]())

const component = (name: string, version: string, purl: string) => ({ type: 'library', name, version, purl })
const affects = (id: string, ecosystem: string, name: string, fixed: string | null, more: object = {}) => ({
  id,
  summary: `${name} is wrong`,
  aliases: [`CVE-${id}`],
  affected: [
    {
      package: { ecosystem, name },
      ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }, ...(fixed === null ? [] : [{ fixed }])] }],
    },
  ],
  ...more,
})

test('packages of an image are compared with the advisories that staff loaded', async () => {
  const acme = await newPusher(house, address, 'Vulnerable')
  const repository_id = `${acme.slug}/app`
  const image = await pushImage(acme.ask, repository_id, { tag: '1.0' })
  const { digest } = image
  const params = { repository_id, digest }
  const vulnerabilities = async () => (await acme.person.call(getVulnerabilities, { params })).body
  expect(await vulnerabilities()).toMatchObject({ advisories_at: null, packages: null, items: [] })
  const sbom = {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    components: [
      component('libssl3', '3.0.13-1~deb12u1', 'pkg:deb/debian/libssl3@3.0.13-1~deb12u1?distro=debian-12&upstream=openssl'),
      component('lodash', '4.17.20', 'pkg:npm/lodash@4.17.20'),
      component('safe', '2.0.0', 'pkg:npm/safe@2.0.0'),
      component('log4j', '2.14.0', 'pkg:maven/org.apache/log4j@2.14.0'),
      component('own', '1', ''),
    ],
  }
  await attach(acme.ask, repository_id, [{ bytes: Buffer.from(JSON.stringify(sbom)), mediaType: 'application/vnd.cyclonedx+json' }], {
    subject: digest,
  })
  expect(await vulnerabilities()).toMatchObject({ advisories_at: null, packages: 5, items: [] })
  const tag = async () => (await acme.person.call(listTags, { params: { repository_id } })).body.items.find(({ name }) => name === '1.0')
  expect(await tag()).toMatchObject({ vulnerabilities: null })
  const staff = await enterStaff(house, ['backoffice'])
  const file = [
    affects('1', 'Debian:12', 'openssl', '3.0.14-1~deb12u1'),
    affects('2', 'Debian:11', 'openssl', null),
    affects('3', 'npm', 'lodash', '4.17.21', { database_specific: { severity: 'CRITICAL' } }),
    affects('4', 'npm', 'lodash', null, { database_specific: { severity: 'LOW' } }),
    affects('5', 'npm', 'safe', '1.9.0'),
    affects('6', 'Maven', 'org.apache:log4j', '2.15.0'),
  ]
  const body = file.map((each) => JSON.stringify(each)).join('\n')
  expect((await staff.call(loadAdvisories, { query: { name: 'all.jsonl' }, body } as never)).status).toBe(200)
  expect(await vulnerabilities()).toEqual({
    advisories_at: expect.any(String),
    packages: 5,
    not_compared: 2,
    counts: { critical: 1, high: 0, medium: 0, low: 1, unknown: 1 },
    fixable: 2,
    scanner: false,
    scan: null,
    items: [
      {
        id: '3',
        aliases: ['CVE-3'],
        severity: 'critical',
        summary: 'lodash is wrong',
        package: 'lodash',
        version: '4.17.20',
        fixed_in: '4.17.21',
        found_by: ['packages'],
      },
      expect.objectContaining({ id: '4', severity: 'low', fixed_in: null }),
      expect.objectContaining({ id: '1', package: 'libssl3', fixed_in: '3.0.14-1~deb12u1' }),
    ],
  })
  expect(await tag()).toMatchObject({ vulnerabilities: { critical: 1, low: 1, unknown: 1 } })
  // An index without a list of its own has those of its images.
  const index = JSON.stringify({ schemaVersion: 2, manifests: [{ mediaType: ociManifest, digest, size: image.size }] })
  await putManifest(acme.ask, repository_id, 'all', index, ociIndex)
  const tags = (await acme.person.call(listTags, { params: { repository_id } })).body.items
  expect(tags.find(({ name }) => name === 'all')).toMatchObject({ vulnerabilities: { critical: 1, low: 1, unknown: 1 } })
  const ofIndex = await acme.person.call(getVulnerabilities, { params: { repository_id, digest: digestOf(index) } })
  expect(ofIndex.body).toMatchObject({ packages: 5, not_compared: 2, fixable: 2 })
})

test('a list counts all vulnerabilities of each image, however many advisories name its packages', async () => {
  const acme = await newPusher(house, address, 'Kernels')
  const repository_id = `${acme.slug}/app`
  const each = 20_000
  const versions = ['6.1.90-1', '6.1.91-1', '6.1.92-1']
  for (const version of versions) {
    const { digest } = await pushImage(acme.ask, repository_id, { tag: version })
    const components = [component('linux-libc-dev', version, `pkg:deb/debian/linux-libc-dev@${version}?distro=debian-12&upstream=linux`)]
    const bytes = Buffer.from(JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.5', components }))
    await attach(acme.ask, repository_id, [{ bytes, mediaType: 'application/vnd.cyclonedx+json' }], { subject: digest })
  }
  const staff = await enterStaff(house, ['backoffice'])
  const body = Array.from({ length: each }, (_, n) => JSON.stringify(affects(`K-${n}`, 'Debian:12', 'linux', null))).join('\n')
  expect((await staff.call(loadAdvisories, { query: { name: 'all.jsonl' }, body } as never)).status).toBe(200)
  const { items } = (await acme.person.call(listTags, { params: { repository_id } })).body
  expect(items.map(({ vulnerabilities }) => vulnerabilities?.unknown)).toEqual(versions.map(() => each))
})

test('packages of which advisories say a great deal are compared beside others, who have a turn', async () => {
  let turns = 0
  let next = setImmediate(function another() {
    turns++
    next = setImmediate(another)
  })
  const events = Array.from({ length: 100 }, (_, n) => [{ introduced: `${n}.0.0` }, { fixed: `${n}.5.0` }]).flat()
  const pairs = Array.from({ length: 100 }, (_, n) => ({
    ecosystem: 'npm',
    ecosystem_version: `${n}.${n % 2 === 0 ? 1 : 6}.0`,
    ranges: [{ semver: true, events }],
    listed: false,
  }))
  const affected = await Array.fromAsync(affectedOf(pairs))
  clearImmediate(next)
  expect(affected.map(({ ecosystem_version, fixed_in }) => [ecosystem_version, fixed_in]).slice(0, 2)).toEqual([
    ['0.1.0', '0.5.0'],
    ['2.1.0', '2.5.0'],
  ])
  expect(affected).toHaveLength(50)
  expect(turns).toBeGreaterThan(30)
})
