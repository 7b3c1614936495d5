import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { getImage } from '@masthead/contract/registry/operations'
import { listPackages } from '@masthead/contract/registry/sbom-operations'
import { openHouse, type House } from '@masthead/testkit/house'
import { newPusher, pushBlob, pushImage } from '../test-registry.ts'
import { inEcosystem } from './package-url.ts'
import { mostWaiting, withAttached } from './read-attached.ts'
import { readSbom } from './read-sbom.ts'
import { attach, envelope, newSigningKey, tagFor } from './test-signing.ts'

let house: House
let address: string
beforeAll(async () => {
  house = await openHouse()
  address = await house.server.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => house[Symbol.asyncDispose]())

const purl = (referenceLocator: string) => [{ referenceCategory: 'PACKAGE-MANAGER', referenceType: 'purl', referenceLocator }]
const spdx = {
  spdxVersion: 'SPDX-2.3',
  creationInfo: { creators: ['Organization: Acme', 'Tool: syft-1.4.0'] },
  packages: [
    {
      name: 'libssl3',
      versionInfo: '3.0.13-1~deb12u1',
      licenseConcluded: 'NOASSERTION',
      licenseDeclared: 'Apache-2.0',
      externalRefs: purl('pkg:deb/debian/libssl3@3.0.13-1~deb12u1?arch=arm64&distro=debian-12&upstream=openssl'),
    },
    { name: 'lodash', versionInfo: '4.17.20', externalRefs: purl('pkg:npm/lodash@4.17.20') },
    { name: 'bare' },
  ],
}
const cyclonedx = {
  bomFormat: 'CycloneDX',
  specVersion: '1.5',
  metadata: { tools: { components: [{ name: 'trivy', version: '0.50' }] } },
  components: [
    {
      type: 'library',
      group: '@babel',
      name: 'core',
      version: '7.1.0',
      purl: 'pkg:npm/%40babel/core@7.1.0',
      licenses: [{ license: { id: 'MIT' } }, { expression: 'Apache-2.0 OR ISC' }],
      components: [{ type: 'library', name: 'inner', version: '1.0.0' }],
    },
    { type: 'file', name: '/etc/passwd' },
  ],
}
const layer = (value: object, mediaType: string) => ({ bytes: Buffer.from(JSON.stringify(value)), mediaType })

describe('lists of parts', () => {
  test('of SPDX, attached to an image, are searched and paged', async () => {
    const acme = await newPusher(house, address, 'Listed')
    const repository_id = `${acme.slug}/app`
    const { digest } = await pushImage(acme.ask, repository_id, { tag: '1.0' })
    const params = { repository_id, digest }
    expect((await acme.person.call(listPackages, { params })).body).toMatchObject({ items: [], total: 0 })
    const carrier = await attach(acme.ask, repository_id, [layer(spdx, 'application/spdx+json')], {
      subject: digest,
      artifactType: 'application/spdx+json',
    })
    expect((await acme.person.call(getImage, { params })).body.sboms).toMatchObject([
      { digest: carrier, format: 'spdx', format_version: '2.3', made_by: 'syft-1.4.0', packages: 3, pushed_by: 'ci-push' },
    ])
    const first = (await acme.person.call(listPackages, { params, query: { page_size: 2 } })).body
    expect(first).toMatchObject({
      total: 3,
      items: [{ name: 'libssl3', version: '3.0.13-1~deb12u1', licence: 'Apache-2.0' }, { name: 'lodash' }],
    })
    const next = (await acme.person.call(listPackages, { params, query: { page_size: 2, after: first.next! } })).body
    expect(next.items).toMatchObject([{ name: 'bare', version: '', purl: '', licence: '' }])
    expect((await acme.person.call(listPackages, { params, query: { search: 'apache' } })).body.items).toMatchObject([{ name: 'libssl3' }])
    const outsider = await house.newOwner('Elsewhere')
    expect((await outsider.call(listPackages, { params })).status).toBe(404)
  })

  test('in a signed statement, by the tag of attestations; the newest is listed, and one of another image is none', async () => {
    const acme = await newPusher(house, address, 'Attested')
    const repository_id = `${acme.slug}/app`
    const { digest } = await pushImage(acme.ask, repository_id, { tag: '1.0' })
    const key = newSigningKey()
    const statement = (sha256: string) => ({
      subject: [{ name: 'app', digest: { sha256 } }],
      predicateType: 'https://cyclonedx.org/bom',
      predicate: cyclonedx,
    })
    const params = { repository_id, digest }
    await attach(acme.ask, repository_id, [envelope(statement('0'.repeat(64)), key.privateKey)], { subject: digest })
    expect((await acme.person.call(getImage, { params })).body.sboms).toEqual([])
    await attach(acme.ask, repository_id, [envelope(statement(digest.slice(7)), key.privateKey)], { tag: tagFor(digest, 'att') })
    expect((await acme.person.call(listPackages, { params })).body.items).toMatchObject([
      { name: '@babel/core', version: '7.1.0', licence: 'MIT, Apache-2.0 OR ISC' },
      { name: 'inner' },
    ])
  })

  test('as builds put them into an index, without a signature', async () => {
    const acme = await newPusher(house, address, 'Built')
    const repository_id = `${acme.slug}/app`
    const { digest } = await pushImage(acme.ask, repository_id, { tag: '1.0' })
    const statement = {
      subject: [{ name: 'app', digest: { sha256: digest.slice(7) } }],
      predicateType: 'https://spdx.dev/Document',
      predicate: spdx,
    }
    await attach(acme.ask, repository_id, [layer(statement, 'application/vnd.in-toto+json')], {})
    expect((await acme.person.call(listPackages, { params: { repository_id, digest } })).body.total).toBe(3)
  })

  test('what is none, and no JSON, is kept like any other', async () => {
    const acme = await newPusher(house, address, 'Others')
    const repository_id = `${acme.slug}/app`
    const { digest } = await pushImage(acme.ask, repository_id, { tag: '1.0' })
    const what = [
      { bytes: Buffer.from('no json'), mediaType: 'application/spdx+json' },
      layer({ spdxVersion: 'SPDX-2.3', packages: 'many' }, 'application/spdx+json'),
    ]
    await attach(acme.ask, repository_id, what, { subject: digest })
    expect((await acme.person.call(getImage, { params: { repository_id, digest } })).body.sboms).toMatchObject([{ packages: 0 }])
    expect(readSbom({ '@context': 'https://spdx.org/rdf/3.0.1' })).toBeNull()
  })
})

test('package URLs, as advisories know them', () => {
  const of = (given: string) => Object.values(inEcosystem(given, '0')).join(' ')
  expect(of('pkg:npm/%40babel/core@7.1.0')).toBe('npm @babel/core 7.1.0')
  expect(of('pkg:npm/@babel/core@7.1.0')).toBe('npm @babel/core 7.1.0')
  expect(of('pkg:pypi/Zope.Interface@6.0')).toBe('PyPI zope-interface 6.0')
  expect(of('pkg:golang/github.com/gin-gonic/gin@v1.9.0')).toBe('Go github.com/gin-gonic/gin v1.9.0')
  expect(of('pkg:maven/org.apache/log4j@2.0')).toBe('Maven org.apache:log4j 2.0')
  expect(of('pkg:deb/debian/libssl3@3.0.13-1?distro=debian-12.5&upstream=openssl')).toBe('Debian:12 openssl 3.0.13-1')
  expect(of('pkg:deb/debian/libcrypt1@1%3A4.4.33-2?distro=debian-12')).toBe('Debian:12 libcrypt1 1:4.4.33-2')
  expect(of('pkg:apk/alpine/musl@1.2.4-r2?distro=alpine-3.18.4')).toBe('Alpine:v3.18 musl 1.2.4-r2')
  const trivy = readSbom({
    bomFormat: 'CycloneDX',
    components: [
      {
        name: 'libssl3',
        version: '3.0.13-1~deb12u1',
        purl: 'pkg:deb/debian/libssl3@3.0.13-1~deb12u1?distro=debian-12.5',
        properties: [
          { name: 'aquasecurity:trivy:SrcName', value: 'openssl' },
          { name: 'aquasecurity:trivy:SrcVersion', value: '3.0.13' },
          { name: 'aquasecurity:trivy:SrcRelease', value: '1~deb12u1' },
        ],
      },
    ],
  })
  expect(trivy?.packages).toMatchObject([{ name: 'libssl3', ecosystem_name: 'openssl', ecosystem_version: '3.0.13-1~deb12u1' }])
  const odd = ['pkg:npm/x%00@1', 'pkg:npm/x@1%00', 'pkg:deb/debian/x@1?distro=debian-12&upstream=a%00']
  for (const unknown of ['pkg:deb/ubuntu/x@1?distro=ubuntu-22.04', 'pkg:deb/debian/x@1', 'pkg:generic/x@1', 'x', '', ...odd])
    expect(of(unknown).trim()).toBe('')
})

/** An account, and a manifest of it that carries a list of parts. */
async function open(name: string) {
  const { account_id, ask, slug } = await newPusher(house, address, name)
  const digest = await pushBlob(ask, `${slug}/app`, JSON.stringify(spdx))
  const { id: repository_id } = await house.db
    .selectFrom('registry_repository')
    .select('id')
    .where('account_id', '=', account_id)
    .executeTakeFirstOrThrow()
  const content = Buffer.from(JSON.stringify({ layers: [{ mediaType: 'application/spdx+json', digest }] }))
  return { repository: { account_id, repository_id, name: `${slug}/app` }, content }
}
const count = ({ sboms }: { sboms: unknown[] }) => Promise.resolve(sboms.length)

test('what a manifest carries is kept before the next one of its account is read, and another account waits for neither', async () => {
  const [one, other] = [await open('In turn'), await open('Beside')]
  const read = vi.spyOn(house.app.blobs, 'read')
  let keepIt = () => {}
  const kept = new Promise<void>((resolve) => (keepIt = resolve))
  const first = withAttached(house.app, one.repository, one.content, () => kept)
  const second = withAttached(house.app, one.repository, one.content, count)
  expect(await withAttached(house.app, other.repository, other.content, count)).toBe(1)
  expect(read).toHaveBeenCalledTimes(2)
  keepIt()
  await first
  expect(await second).toBe(1)
  expect(read).toHaveBeenCalledTimes(3)
  read.mockRestore()
})

test('of one account no more than a hundred wait: the next is refused, and another account’s is read', async () => {
  const [one, other] = [await open('Many at once'), await open('One of another')]
  const push = ({ repository, content }: typeof one) => withAttached(house.app, repository, content, count)
  let keepIt = () => {}
  const kept = new Promise<void>((resolve) => (keepIt = resolve))
  const first = withAttached(house.app, one.repository, one.content, () => kept)
  const waiting = Array.from({ length: mostWaiting }, () => push(one))
  await expect(push(one)).rejects.toMatchObject({ kind: { code: 'too_many_requests' }, retryAfter: 5 })
  expect(await push(other)).toBe(1)
  keepIt()
  await first
  expect(await Promise.all(waiting)).toEqual(waiting.map(() => 1))
  expect(await push(one)).toBe(1)
})
