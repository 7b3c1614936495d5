import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deleteApiKey } from '@masthead/contract/developers/operations'
import { createRobot, deleteRobot, setTagProtection } from '@masthead/contract/registry/operations'
import { setImmutableTags } from '@masthead/contract/registry/removal-operations'
import { openHouse, type House } from '@masthead/testkit/house'
import { newKey } from '../../developers/test-keys.ts'
import { writePulls } from '../content/count-pulls.ts'
import {
  basic,
  client,
  digestOf,
  newPusher,
  ociIndex,
  ociManifest,
  pushBlob,
  pushImage,
  putManifest,
  type Pusher,
} from '../test-registry.ts'

let house: House
let address: string
let acme: Pusher
let other: Pusher
beforeAll(async () => {
  house = await openHouse()
  address = await house.server.listen({ host: '127.0.0.1', port: 0 })
  acme = await newPusher(house, address, 'Acme')
  other = await newPusher(house, address, 'Acme')
})
afterAll(() => house[Symbol.asyncDispose]())

type Token = { token: string; access_token: string; expires_in: number; scope: string }
const tokenOf = async (secret: string, query: string) => {
  const answer = await client(address, basic(secret))(`/v2/token?service=x&${query}`)
  expect(answer.status, answer.text).toBe(200)
  return JSON.parse(answer.text) as Token
}

describe('a client signs in', () => {
  test('with the key as password, whom the challenge leads to a token', async () => {
    const anonymous = client(address)
    const refused = await anonymous(`/v2/${acme.slug}/app/manifests/latest`)
    expect(refused).toMatchObject({ status: 401, code: 'UNAUTHORIZED' })
    const [, realm, scope] = /^Bearer realm="([^"]+)",service="[^"]+",scope="([^"]+)"$/.exec(refused.headers.get('www-authenticate')!)!
    expect(realm).toBe(`${address}/v2/token`)
    expect(scope).toBe(`repository:${acme.slug}/app:pull`)
    expect(await anonymous('/v2/token')).toMatchObject({ status: 401, code: 'UNAUTHORIZED' })
    expect((await anonymous('/v2/')).headers.get('www-authenticate')).toContain('Bearer realm=')
    await pushImage(acme.ask, `${acme.slug}/app`, { tag: 'latest' })
    const { token, expires_in } = await tokenOf(acme.secret, `scope=${scope}`)
    expect(expires_in).toBe(300)
    const ask = client(address, `Bearer ${token}`)
    expect(await ask(`/v2/${acme.slug}/app/manifests/latest`)).toMatchObject({ status: 200 })
    const beyond = await ask(`/v2/${acme.slug}/app/blobs/uploads/`, { method: 'POST' })
    expect(beyond).toMatchObject({ status: 401, code: 'UNAUTHORIZED' })
    expect(beyond.headers.get('www-authenticate')).toContain(`scope="repository:${acme.slug}/app:pull,push",error="insufficient_scope"`)
  })

  test('by a form, as OAuth 2 has it', async () => {
    const body = new URLSearchParams({
      grant_type: 'password',
      username: 'acme',
      password: acme.secret,
      scope: `repository:${acme.slug}/app:pull,push`,
    })
    const answer = await client(address)('/v2/token', {
      method: 'POST',
      body: String(body),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    const { access_token, scope } = JSON.parse(answer.text) as Token
    expect(scope).toBe(`repository:${acme.slug}/app:pull,push`)
    expect(await client(address, `Bearer ${access_token}`)(`/v2/${acme.slug}/app/blobs/uploads/`, { method: 'POST' })).toMatchObject({
      status: 202,
    })
  })

  test('with a key that may not, or is none: in words', async () => {
    const { secret } = await newKey(house, acme.person, ['registry.view'])
    const puller = client(address, basic(secret))
    expect(await puller(`/v2/${acme.slug}/app/manifests/latest`)).toMatchObject({ status: 200 })
    const denied = await puller(`/v2/${acme.slug}/app/blobs/uploads/`, { method: 'POST' })
    expect(denied).toMatchObject({ status: 403, code: 'DENIED', words: 'The API key needs the scope registry.edit for this' })
    expect((await tokenOf(secret, `scope=repository:${acme.slug}/app:pull,push`)).scope).toBe(`repository:${acme.slug}/app:pull`)
    const { secret: unrelated } = await newKey(house, acme.person, ['assets.view'])
    expect(await client(address, basic(unrelated))(`/v2/${acme.slug}/app/manifests/latest`)).toMatchObject({ status: 403, code: 'DENIED' })
    const wrong = await client(address, basic('mhk_none'))('/v2/')
    expect(wrong).toMatchObject({ status: 401, code: 'UNAUTHORIZED', words: 'This API key is not known here, or was revoked' })
    expect(wrong.headers.get('www-authenticate')).toContain('Bearer')
    for (const garbage of ['Bearer a.b', 'Bearer x', 'Basic !', 'Digest x'])
      expect(await client(address, garbage)('/v2/'), garbage).toMatchObject({ status: 401 })
  })

  test('asking for names that mean something to a program: they are names like any other', async () => {
    for (const name of ['__proto__', 'constructor', 'toString', 'a/__proto__'])
      expect((await tokenOf(acme.secret, `scope=repository:${name}:pull,push`)).scope, name).toBe('')
  })

  test('and a token counts no longer than its key, nor than five minutes', async () => {
    const key = await newKey(house, acme.person, ['registry.view'])
    const query = `scope=repository:${acme.slug}/app:pull`
    const ask = client(address, `Bearer ${(await tokenOf(key.secret, query)).token}`)
    expect(await ask(`/v2/${acme.slug}/app/manifests/latest`)).toMatchObject({ status: 200 })
    await acme.person.call(deleteApiKey, { params: { api_key_id: key.id } })
    expect(await ask(`/v2/${acme.slug}/app/manifests/latest`)).toMatchObject({ status: 401 })
    const late = client(address, `Bearer ${(await tokenOf(acme.secret, query)).token}`)
    house.clock.advance({ seconds: 301 })
    expect(await late(`/v2/${acme.slug}/app/manifests/latest`)).toMatchObject({ status: 401 })
  })
})

describe('what another account has', () => {
  const secretLayer = randomBytes(5000)

  test('is answered like what nobody has, in every place where it could be named', async () => {
    const own = `${acme.slug}/private`
    const { digest, manifest, config, size } = await pushImage(acme.ask, own, { layers: [secretLayer], tag: 'v1' })
    const layer = digestOf(secretLayer)
    const none = digestOf('nobody has this')
    const mine = `${other.slug}/mine`
    await pushImage(other.ask, mine, { tag: 'v1' })
    const ask = other.ask
    for (const path of ['manifests/v1', `manifests/${digest}`, `blobs/${layer}`, 'tags/list', `referrers/${digest}`])
      for (const method of ['GET', 'HEAD']) {
        const [theirs, nobodys] = [await ask(`/v2/${own}/${path}`, { method }), await ask(`/v2/${acme.slug}/none/${path}`, { method })]
        expect(theirs.status, path).toBe(path.startsWith('referrers') ? 403 : 404)
        expect([theirs.status, theirs.text.replace('private', 'none')], path).toEqual([nobodys.status, nobodys.text])
      }
    for (const method of ['GET', 'HEAD'])
      expect((await ask(`/v2/${mine}/blobs/${layer}`, { method })).status).toBe((await ask(`/v2/${mine}/blobs/${none}`, { method })).status)
    const mount = (mounted: string, from: string) => ask(`/v2/${mine}/blobs/uploads/?mount=${mounted}&from=${from}`, { method: 'POST' })
    for (const from of [own, mine]) expect((await mount(layer, from)).status, from).toBe(202)
    expect(await ask(`/v2/${mine}/manifests/${digest}`)).toMatchObject({ status: 404, code: 'MANIFEST_UNKNOWN' })
    // A manifest that names it.
    expect(await putManifest(ask, mine, 'stolen', manifest)).toMatchObject({ status: 404, code: 'MANIFEST_BLOB_UNKNOWN' })
    const index = JSON.stringify({ schemaVersion: 2, manifests: [{ mediaType: ociManifest, digest, size }] })
    expect(await putManifest(ask, mine, 'stolen', index, ociIndex)).toMatchObject({ status: 404, code: 'MANIFEST_BLOB_UNKNOWN' })
    const about = { subject: { mediaType: ociManifest, digest, size } }
    await pushImage(ask, mine, { more: about })
    expect(JSON.parse((await acme.ask(`/v2/${own}/referrers/${digest}`)).text)).toMatchObject({ manifests: [] })
    // Changes.
    for (const [method, path] of [
      ['POST', 'blobs/uploads/'],
      ['PUT', 'manifests/v1'],
      ['DELETE', 'manifests/v1'],
      ['DELETE', `manifests/${digest}`],
      ['DELETE', `blobs/${config}`],
    ] as const) {
      const refused = await ask(`/v2/${own}/${path}`, { method })
      expect(refused, path).toMatchObject({ status: 403, code: 'DENIED' })
      expect(refused.words).toBe((await ask(`/v2/nobody/none/${path}`, { method })).words)
    }
    const upload = (await acme.ask(`/v2/${own}/blobs/uploads/`, { method: 'POST' })).headers.get('location')!
    for (const method of ['GET', 'PATCH', 'PUT', 'DELETE'])
      expect(await ask(`${upload.replace(own, mine)}?digest=${none}`, { method }), method).toMatchObject({
        status: 404,
        code: 'BLOB_UPLOAD_UNKNOWN',
      })
    expect(JSON.parse((await ask('/v2/_catalog')).text)).toEqual({ repositories: [mine] })
    const { token, scope } = await tokenOf(other.secret, `scope=repository:${own}:pull,push`)
    expect(scope).toBe('')
    expect(await client(address, `Bearer ${token}`)(`/v2/${own}/manifests/v1`)).toMatchObject({ status: 404 })
  })

  test('is kept once when both push it, and each has its own', async () => {
    const layer = randomBytes(2000)
    const digest = digestOf(layer)
    await pushBlob(acme.ask, `${acme.slug}/shared`, layer)
    await pushBlob(other.ask, `${other.slug}/shared`, layer)
    // The push does not wait until the second copy is gone.
    await expect
      .poll(async () => (await Array.fromAsync(house.app.blobs.list(`registry/${digest.slice(7, 9)}/${digest.slice(7)}`))).length)
      .toBe(1)
    await acme.ask(`/v2/${acme.slug}/shared/blobs/${digest}`, { method: 'DELETE' })
    expect(await acme.ask(`/v2/${acme.slug}/shared/blobs/${digest}`)).toMatchObject({ status: 404 })
    expect((await other.ask(`/v2/${other.slug}/shared/blobs/${digest}`)).bytes.equals(layer)).toBe(true)
  })
})

test('a robot lists what it reaches and hears of nothing else; of two of one name one is made', async () => {
  const own = await newPusher(house, address, 'Robots')
  for (const name of ['aa-secret', 'app', 'bb-secret', 'cc/tool', 'dd-secret']) await pushBlob(own.ask, `${own.slug}/${name}`, 'x')
  const body = { name: 'ci', can_push: false, repositories: ['app', 'cc/*'], expires_in_days: null }
  const made = await Promise.all([1, 2, 3].map(() => own.person.call(createRobot, { body })))
  expect(made.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
  const ask = client(address, basic(made.find(({ status }) => status === 200)!.body.secret))
  const seen: string[] = []
  const links: string[] = []
  for (let path: string | undefined = '/v2/_catalog?n=1'; path !== undefined;) {
    const { text, headers } = await ask(path)
    seen.push(...(JSON.parse(text) as { repositories: string[] }).repositories)
    path = /<([^>]+)>/.exec(headers.get('link') ?? '')?.[1]
    if (path !== undefined) links.push(path)
  }
  expect(seen).toEqual([`${own.slug}/app`, `${own.slug}/cc/tool`])
  expect(links.join(' ')).not.toContain('secret')
})

test('a suspended account pulls and does not push', async () => {
  const own = await newPusher(house, address, 'Late payers')
  const name = `${own.slug}/app`
  await pushImage(own.ask, name, { tag: 'v1' })
  await house.db
    .updateTable('account')
    .set({ suspended_at: house.clock.now(), suspended_reason: 'unpaid' })
    .where('id', '=', own.account_id)
    .execute()
  expect(await own.ask(`/v2/${name}/manifests/v1`)).toMatchObject({ status: 200 })
  const denied = await own.ask(`/v2/${name}/blobs/uploads/`, { method: 'POST' })
  expect(denied).toMatchObject({ status: 403, code: 'DENIED' })
  expect(denied.words).toContain('suspended')
  expect(await own.ask(`/v2/${name}/manifests/v1`, { method: 'DELETE' })).toMatchObject({ status: 403 })
})

test('a suspended account closes what it has: it protects tags and deletes robots, and opens nothing', async () => {
  const own = await newPusher(house, address, 'Closing up')
  const tag = { repository_id: `${own.slug}/app`, tag: 'v1' }
  await pushImage(own.ask, tag.repository_id, { tag: 'v1' })
  const call = own.person.call
  const robot = await call(createRobot, { body: { name: 'ci', can_push: true } })
  expect(robot.status, robot.text).toBe(200)
  await call(setImmutableTags, { body: { patterns: ['v*'] } })
  await house.db
    .updateTable('account')
    .set({ suspended_at: house.clock.now(), suspended_reason: 'unpaid' })
    .where('id', '=', own.account_id)
    .execute()
  const refused = { status: 403, body: { code: 'registry_suspended' } }
  expect((await call(setTagProtection, { params: tag, body: { protected: true } })).body.protected).toBe(true)
  expect(await call(setTagProtection, { params: tag, body: { protected: false } })).toMatchObject(refused)
  expect((await call(setImmutableTags, { body: { patterns: ['v*', 'release-*'] } })).body.immutable).toEqual(['v*', 'release-*'])
  expect(await call(setImmutableTags, { body: { patterns: ['release-*'] } })).toMatchObject(refused)
  expect(await call(createRobot, { body: { name: 'pusher', can_push: true } })).toMatchObject(refused)
  expect((await call(createRobot, { body: { name: 'puller' } })).status).toBe(200)
  expect((await call(deleteRobot, { params: { robot_id: robot.body.id } })).status).toBe(200)
})

test('an account keeps no more than its quota, and is answered so', async () => {
  const own = await newPusher(house, address, 'Small')
  const name = `${own.slug}/app`
  await house.db.updateTable('registry_account').set({ quota_bytes: 10_000 }).where('account_id', '=', own.account_id).execute()
  const layer = randomBytes(6000)
  await pushBlob(own.ask, name, layer)
  // The same again counts once.
  await own.ask(`/v2/${own.slug}/second/blobs/uploads/?mount=${digestOf(layer)}&from=${name}`, { method: 'POST' })
  const large = randomBytes(5000)
  const begun = await own.ask(`/v2/${name}/blobs/uploads/`, { method: 'POST' })
  const refused = await own.ask(`${begun.headers.get('location')}?digest=${digestOf(large)}`, { method: 'PUT', body: large })
  expect(refused).toMatchObject({ status: 403, code: 'DENIED' })
  expect(refused.words).toMatch(/may hold 10 KB: 6 KB are used, and this needs 5 KB more/)
  expect(await own.ask(`/v2/${name}/blobs/${digestOf(large)}`)).toMatchObject({ status: 404 })
  await own.ask(begun.headers.get('location')!, { method: 'DELETE' })
  await pushBlob(own.ask, name, randomBytes(3900))
})

test('pulls are counted, of an index once', async () => {
  const own = await newPusher(house, address, 'Counted')
  const name = `${own.slug}/app`
  const { digest, manifest } = await pushImage(own.ask, name)
  const index = JSON.stringify({ schemaVersion: 2, manifests: [{ mediaType: ociManifest, digest, size: manifest.length }] })
  await putManifest(own.ask, name, 'all', index, ociIndex)
  for (let n = 0; n < 3; n++) for (const reference of ['all', digest]) await own.ask(`/v2/${name}/manifests/${reference}`)
  await own.ask(`/v2/${name}/manifests/all`, { method: 'HEAD' })
  await writePulls(house.app)
  // Those that were being written already are there a moment later.
  const pulls = async () =>
    (await house.db.selectFrom('registry_repository').select('pulls').where('account_id', '=', own.account_id).executeTakeFirstOrThrow())
      .pulls
  await expect.poll(pulls).toBe(3)
  const manifests = await house.db
    .selectFrom('registry_manifest')
    .select(['digest', 'pulls'])
    .where('account_id', '=', own.account_id)
    .execute()
  expect(manifests.toSorted((a, b) => a.digest.localeCompare(b.digest))).toEqual(
    [
      { digest, pulls: 3 },
      { digest: digestOf(index), pulls: 3 },
    ].toSorted((a, b) => a.digest.localeCompare(b.digest))
  )
})
