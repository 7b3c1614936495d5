import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listActivities } from '@masthead/contract/activities/operations'
import { getImage, listTags } from '@masthead/contract/registry/operations'
import * as ops from '@masthead/contract/registry/signing-operations'
import { openHouse, type House } from '@masthead/testkit/house'
import { newPusher, pushImage } from '../test-registry.ts'
import { attach, envelope, newSigningKey, signatureLayer, signed, simpleSigning, tagFor } from './test-signing.ts'

let house: House
let address: string
beforeAll(async () => {
  house = await openHouse()
  address = await house.server.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => house[Symbol.asyncDispose]())

describe('signatures of images', () => {
  test.for(['ecdsa-p256', 'ed25519', 'rsa'] as const)('of %s are verified once the account adds the key', async (kind) => {
    const acme = await newPusher(house, address, `Signs ${kind}`)
    const repository = `${acme.slug}/app`
    const { digest } = await pushImage(acme.ask, repository, { tag: '1.0' })
    const key = newSigningKey(kind)
    const payload = simpleSigning(digest)
    const carrier = await attach(acme.ask, repository, [signatureLayer(payload, signed(payload, key.privateKey))], {
      tag: tagFor(digest, 'sig'),
    })
    const image = async () => (await acme.person.call(getImage, { params: { repository_id: repository, digest } })).body
    expect(await image()).toMatchObject({
      signatures: [{ digest: carrier, of: 'image', verdict: 'no_keys', key: null, pushed_by: 'ci-push' }],
      signature: { verified: false },
      referrers: [{ digest: carrier }],
    })
    const added = await acme.person.call(ops.addSigningKey, { body: { name: 'ci-key', public_key: key.pem } })
    expect(added.body).toMatchObject({ name: 'ci-key', kind, fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/) })
    expect(await image()).toMatchObject({
      signatures: [{ verdict: 'verified', why: 'It was made with the key ci-key, for this image', key: { name: 'ci-key' } }],
      signature: { verified: true, key: 'ci-key' },
    })
    const tags = (await acme.person.call(listTags, { params: { repository_id: repository }, query: { search: '1.0' } })).body.items
    expect(tags).toMatchObject([{ name: '1.0', signature: { verified: true, key: 'ci-key' } }])
    const params = { signing_key_id: added.body.id }
    expect((await acme.person.call(ops.renameSigningKey, { params, body: { name: 'release' } })).body).toMatchObject({ name: 'release' })
    expect(await image()).toMatchObject({ signature: { key: 'release' } })
    await acme.person.call(ops.removeSigningKey, { params })
    expect(await image()).toMatchObject({ signature: { verified: false } })
    const { items } = (await acme.person.call(listActivities)).body
    expect(items.slice(0, 3).map(({ sentence }) => sentence)).toEqual([
      'Removed the signing key release, whose signatures of images are trusted no longer',
      'Renamed the signing key ci-key to release',
      'Added the signing key ci-key, whose signatures of images are trusted from now on',
    ])
  })

  test('attached as OCI 1.1 has it, by another key, for another image, changed, and none at all', async () => {
    const acme = await newPusher(house, address, 'Referrers')
    const repository = `${acme.slug}/app`
    const { digest } = await pushImage(acme.ask, repository, { tag: '1.0' })
    const other = await pushImage(acme.ask, repository, { tag: '0.9' })
    const [key, stranger] = [newSigningKey(), newSigningKey()]
    await acme.person.call(ops.addSigningKey, { body: { name: 'ci-key', public_key: key.pem } })
    const [right, wrong] = [simpleSigning(digest), simpleSigning(other.digest)]
    const how = { subject: digest, artifactType: 'application/vnd.dev.cosign.artifact.sig.v1+json' }
    const verdict = async () => {
      const { signatures, signature } = (await acme.person.call(getImage, { params: { repository_id: repository, digest } })).body
      return { verdicts: signatures.map((each) => each.verdict).toSorted(), verified: signature?.verified }
    }
    expect(await verdict()).toEqual({ verdicts: [], verified: undefined })
    await attach(acme.ask, repository, [signatureLayer(right, signed(right, stranger.privateKey))], how)
    expect(await verdict()).toEqual({ verdicts: ['key_unknown'], verified: false })
    // Moved from another image, with a good signature of that.
    await attach(acme.ask, repository, [signatureLayer(wrong, signed(wrong, key.privateKey))], how)
    await attach(acme.ask, repository, [signatureLayer(right, 'bm8gc2lnbmF0dXJl')], how)
    await attach(acme.ask, repository, [signatureLayer(Buffer.from('no json'), signed(Buffer.from('no json'), key.privateKey))], how)
    expect(await verdict()).toEqual({ verdicts: ['key_unknown', 'key_unknown', 'other_image', 'other_image'], verified: false })
    await attach(acme.ask, repository, [signatureLayer(right, signed(right, key.privateKey))], how)
    expect(await verdict()).toMatchObject({ verified: true })
    const tags = (await acme.person.call(listTags, { params: { repository_id: repository } })).body.items
    expect(tags.find(({ name }) => name === '0.9')?.signature).toBeNull()
  })

  test('in an envelope of a statement: what signs what is said of an image does not sign the image', async () => {
    const acme = await newPusher(house, address, 'Statements')
    const repository = `${acme.slug}/app`
    const { digest } = await pushImage(acme.ask, repository, { tag: '1.0' })
    const key = newSigningKey()
    await acme.person.call(ops.addSigningKey, { body: { name: 'ci-key', public_key: key.pem } })
    const subject = [{ name: 'app', digest: { sha256: digest.slice(7) } }]
    const about = { _type: 'https://in-toto.io/Statement/v1', subject }
    const built = envelope({ ...about, predicateType: 'https://slsa.dev/provenance/v1', predicate: {} }, key.privateKey)
    await attach(acme.ask, repository, [built], { tag: tagFor(digest, 'att') })
    const image = async () => (await acme.person.call(getImage, { params: { repository_id: repository, digest } })).body
    expect(await image()).toMatchObject({ signatures: [{ of: 'attestation', verdict: 'verified' }], signature: null })
    const { bytes } = envelope({ ...about, predicateType: 'https://sigstore.dev/cosign/sign/v1', predicate: {} }, key.privateKey)
    const bundle = {
      bytes: Buffer.from(JSON.stringify({ dsseEnvelope: JSON.parse(bytes.toString()) as object })),
      mediaType: 'application/vnd.dev.sigstore.bundle.v0.3+json',
    }
    await attach(acme.ask, repository, [bundle], { subject: digest })
    expect(await image()).toMatchObject({ signature: { verified: true, key: 'ci-key' } })
  })
})

test('a signature that says odd things of its image is kept like any other, and nothing of that is shown', async () => {
  const acme = await newPusher(house, address, 'Odd words')
  const repository = `${acme.slug}/app`
  const { digest } = await pushImage(acme.ask, repository, { tag: '1.0' })
  const key = newSigningKey()
  for (const odd of ['\0', `sha256:${'x'.repeat(100_000)}`, '']) {
    const payload = simpleSigning(odd)
    await attach(acme.ask, repository, [signatureLayer(payload, signed(payload, key.privateKey))], { subject: digest })
  }
  const { signatures } = (await acme.person.call(getImage, { params: { repository_id: repository, digest } })).body
  const why = 'This signature does not say which image it is for'
  expect(signatures).toMatchObject([1, 2, 3].map(() => ({ verdict: 'other_image', why })))
})

test('keys that verify nothing are refused in words', async () => {
  const owner = await house.newOwner('Keys')
  const { privateKey, pem } = newSigningKey()
  const add = (name: string, public_key: string) => owner.call(ops.addSigningKey, { body: { name, public_key } })
  expect(await add('private', privateKey.export({ type: 'pkcs8', format: 'pem' }).toString())).toMatchObject({
    status: 400,
    body: { code: 'public_key_unreadable', detail: expect.stringContaining('private key') },
  })
  expect((await add('other', 'ssh-ed25519 AAAA')).status).toBe(400)
  expect((await add('cut', pem.slice(0, 80))).status).toBe(400)
  expect((await add('ci-key', pem)).status).toBe(200)
  expect(await add('ci-key', newSigningKey().pem)).toMatchObject({ status: 409, body: { code: 'signing_key_taken' } })
  expect(await add('again', pem)).toMatchObject({ status: 409, body: { detail: 'This key is there already: it is called ci-key' } })
  const { items } = (await owner.call(ops.listSigningKeys)).body
  expect(items).toMatchObject([{ name: 'ci-key' }])
  const outsider = await house.newOwner('Elsewhere')
  expect((await outsider.call(ops.removeSigningKey, { params: { signing_key_id: items[0]!.id } })).status).toBe(404)
})
