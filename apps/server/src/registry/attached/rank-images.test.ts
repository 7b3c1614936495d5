import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadAdvisories } from '@masthead/contract/backoffice/advisories/advisory-operations'
import { scanImage } from '@masthead/contract/registry/image-operations'
import { deleteImage, deleteTag, listTags } from '@masthead/contract/registry/operations'
import { addSigningKey, removeSigningKey } from '@masthead/contract/registry/signing-operations'
import { noIntegrations } from '@masthead/server/kernel/integrations'
import { openHouse, type House } from '@masthead/testkit/house'
import { enterStaff } from '../../backoffice/test-backoffice.ts'
import { scanDue } from '../scans/run-scans.ts'
import { openScanner, report, vulnerability } from '../scans/test-scanner.ts'
import { newPusher, ociIndex, ociManifest, pushImage, putManifest } from '../test-registry.ts'
import { rankImages } from './rank-images.ts'
import { attach, envelope, newSigningKey, signatureLayer, signed, simpleSigning, tagFor } from './test-signing.ts'

let house: House
let address: string
beforeAll(async () => {
  house = await openHouse()
  address = await house.server.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => house[Symbol.asyncDispose]())

const lists = (...names: string[]) => ({
  bomFormat: 'CycloneDX',
  specVersion: '1.5',
  components: names.map((name) => ({ type: 'library', name, version: '1.0.0', purl: `pkg:npm/${name}@1.0.0` })),
})
const layer = (bom: object) => ({ bytes: Buffer.from(JSON.stringify(bom)), mediaType: 'application/vnd.cyclonedx+json' })
const advisory = (name: string, severity: string) => ({
  id: `GHSA-${name}`,
  affected: [{ package: { ecosystem: 'npm', name }, ranges: [{ type: 'SEMVER', events: [{ introduced: '0' }] }] }],
  database_specific: { severity },
})

test('tags are listed by security, whatever changes what is known of them', async () => {
  const acme = await newPusher(house, address, 'Ranks')
  const repository_id = `${acme.slug}/app`
  const params = { repository_id }
  const staff = await enterStaff(house, ['backoffice'])
  const load = async (...advisories: object[]) => {
    const body = advisories.map((each) => JSON.stringify(each)).join('\n')
    expect((await staff.call(loadAdvisories, { query: { name: 'all.jsonl' }, body } as never)).status).toBe(200)
  }
  const kept = () => house.db.selectFrom('registry_manifest').select(['digest', 'security']).orderBy('digest').execute()
  /** The tags of images, the worst first. What was kept of each is what it would be if all were found out anew. */
  const worst = async () => {
    await rankImages(house.app)
    const before = await kept()
    await house.db
      .insertInto('registry_to_rank')
      .columns(['account_id', 'repository_id', 'digest'])
      .expression((of) => of.selectFrom('registry_manifest').select(['account_id', 'repository_id', 'digest']))
      .execute()
    await rankImages(house.app)
    expect(await kept()).toEqual(before)
    const { items } = (await acme.person.call(listTags, { params, query: { sort: '-security' } })).body
    return items.map(({ name }) => name).filter((name) => !name.startsWith('sha256-'))
  }
  const push = (tag: string) => pushImage(acme.ask, repository_id, { tag })
  const [a, b, c, d] = [await push('a'), await push('b'), await push('c'), await push('d')]
  const index = JSON.stringify({ schemaVersion: 2, manifests: [{ mediaType: ociManifest, digest: d.digest, size: d.size }] })
  await putManifest(acme.ask, repository_id, 'index', index, ociIndex)
  const ofA = await attach(acme.ask, repository_id, [layer(lists('low', 'safe'))], { subject: a.digest })
  await attach(acme.ask, repository_id, [layer(lists('safe'))], { tag: tagFor(b.digest, 'sbom') })
  const key = newSigningKey()
  const statement = {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{ name: 'app', digest: { sha256: c.digest.slice(7) } }],
    predicateType: 'https://cyclonedx.org/bom',
    predicate: lists('high'),
  }
  const ofC = await attach(acme.ask, repository_id, [envelope(statement, key.privateKey)], {})
  expect(await worst()).toEqual(['index', 'd', 'c', 'b', 'a'])
  await load(advisory('low', 'LOW'), advisory('high', 'HIGH'), advisory('worst', 'CRITICAL'))
  expect(await worst()).toEqual(['c', 'a', 'b', 'index', 'd'])
  // A newer list, and one that an index has from its image.
  await attach(acme.ask, repository_id, [layer(lists('worst', 'safe'))], { tag: tagFor(b.digest, 'sbom') })
  await attach(acme.ask, repository_id, [layer(lists('high', 'worst'))], { subject: d.digest })
  expect(await worst()).toEqual(['index', 'd', 'b', 'c', 'a'])
  await acme.person.call(deleteTag, { params: { repository_id, tag: tagFor(b.digest, 'sbom') } })
  await acme.person.call(deleteImage, { params: { repository_id, digest: ofC } })
  expect(await worst()).toEqual(['index', 'd', 'a', 'c', 'b'])
  // Where no more is known: not verified, not signed, verified.
  const payload = simpleSigning(b.digest)
  await attach(acme.ask, repository_id, [signatureLayer(payload, signed(payload, key.privateKey))], { tag: tagFor(b.digest, 'sig') })
  expect(await worst()).toEqual(['index', 'd', 'a', 'b', 'c'])
  const added = (await acme.person.call(addSigningKey, { body: { name: 'ci', public_key: key.pem } })).body
  expect(await worst()).toEqual(['index', 'd', 'a', 'c', 'b'])
  await acme.person.call(removeSigningKey, { params: { signing_key_id: added.id } })
  expect(await worst()).toEqual(['index', 'd', 'a', 'b', 'c'])
  await acme.person.call(deleteImage, { params: { repository_id, digest: ofA } })
  await load(advisory('other', 'LOW'))
  expect(await worst()).toEqual(['index', 'd', 'b', 'c', 'a'])
  // What a scanner reports counts too, when it does.
  await using scanner = await openScanner()
  house.app.config.integrations = { ...noIntegrations, scanner: { ...scanner.scanner, registry: address } }
  scanner.answers.report = report([vulnerability('CVE-1', 'High', 'openssl')])
  await acme.person.call(scanImage, { params: { repository_id, digest: b.digest } })
  while ((await scanDue(house.app)) > 0) house.clock.advance({ seconds: 5 })
  expect(await worst()).toEqual(['b', 'index', 'd', 'c', 'a'])
})
