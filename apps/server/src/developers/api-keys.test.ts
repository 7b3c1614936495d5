import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getAccount } from '@masthead/contract/account/operations'
import { listActivities } from '@masthead/contract/activities/operations'
import { getUserInfo } from '@masthead/contract/auth/operations'
import * as ops from '@masthead/contract/developers/operations'
import { mostApiKeys } from '@masthead/contract/developers/problems'
import { newId } from '@masthead/contract/kernel/id'
import { createTag, listTags } from '@masthead/contract/tags/operations'
import { openHouse, type House } from '@masthead/testkit/house'
import { secretStillCounts } from './standing.ts'
import { newKey, withKey } from './test-keys.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

describe('a key', () => {
  test('calls with its scopes and no others, and is told apart in the log', async () => {
    const ada = await house.newOwner()
    const key = await newKey(house, ada, ['assets.view', 'assets.edit'])
    expect(key).toMatchObject({ state: 'active', scopes: ['assets.edit', 'assets.view'], created_by: ada.email, calls_per_minute: 600 })
    expect(key.secret).toMatch(/^mhk_[0-9A-Za-z]{8}_[0-9A-Za-z]{43}$/)
    expect(key.secret.startsWith(`${key.prefix}_`)).toBe(true)
    expect(await key.call(listTags)).toMatchObject({ status: 200 })
    expect(await key.call(createTag, { body: { name: 'by key' } })).toMatchObject({ status: 200 })
    expect(await key.call(ops.listApiKeys)).toMatchObject({
      status: 403,
      body: { code: 'forbidden', detail: 'This API key needs the scope developers.view for this' },
    })
    expect(await key.call(listActivities)).toMatchObject({ status: 403, body: { detail: expect.stringContaining('overview.view') } })
    expect(await key.call(getAccount)).toMatchObject({ status: 200, body: { email: ada.email } })
    expect(await key.call(getUserInfo)).toMatchObject({ status: 403, body: { code: 'session_needed' } })
    const { actor_kind, actor_email, actor_key } = await house.db
      .selectFrom('event')
      .selectAll()
      .where('account_id', '=', ada.account_id)
      .where('category', '=', 'tags')
      .executeTakeFirstOrThrow()
    expect({ actor_kind, actor_email, actor_key }).toEqual({ actor_kind: 'api_key', actor_email: ada.email, actor_key: 'Fleet sync' })
  })

  test('is kept as a hash, and shown once', async () => {
    const ada = await house.newOwner()
    const key = await newKey(house, ada, ['assets.view'])
    const { secret, call: _, ...shown } = key
    expect((await ada.call(ops.getApiKey, { params: { api_key_id: key.id } })).body).toEqual(shown)
    const { rows } = await house.app.pool.query(`select row_to_json(api_key)::text || row_to_json(s)::text as text
      from api_key join api_key_secret s on s.key_id = api_key.id where api_key.id = '${key.id}'`)
    expect((rows[0] as { text: string }).text).not.toContain(secret.split('_')[2])
  })

  test('counts rather than a session sent beside it, and nothing that is none does', async () => {
    const [ada, bob] = [await house.newOwner(), await house.newOwner()]
    const key = await newKey(house, bob, ['assets.view'])
    expect((await withKey(house, key.secret).call(getAccount, {}, { cookie: ada.cookie })).body).toMatchObject({ email: bob.email })
    for (const wrong of ['', 'mhk_', `${key.secret}x`, key.secret.slice(0, -1), key.prefix, 'x'.repeat(5000)])
      expect(await withKey(house, wrong).call(getAccount, {}, { cookie: ada.cookie })).toMatchObject({
        status: 401,
        body: { code: 'unauthenticated' },
      })
  })

  test('ends at its end, off is off, and revoked is gone', async () => {
    const ada = await house.newOwner()
    const end = new Date(house.clock.now().getTime() + 3_600_000).toISOString()
    const key = await newKey(house, ada, ['assets.view'], { expires_at: end })
    const params = { api_key_id: key.id }
    expect((await ada.call(ops.disableApiKey, { params })).body).toMatchObject({ state: 'disabled' })
    expect(await key.call(listTags)).toMatchObject({ status: 401, body: { detail: 'This API key is disabled' } })
    expect((await ada.call(ops.enableApiKey, { params })).body).toMatchObject({ state: 'active' })
    expect(await key.call(listTags)).toMatchObject({ status: 200 })
    house.clock.advance({ hours: 1 })
    expect(await key.call(listTags)).toMatchObject({ status: 401, body: { detail: 'This API key has expired' } })
    expect((await ada.call(ops.listApiKeys, { query: { state: 'expired' } })).body.items).toHaveLength(1)
    expect(await ada.call(ops.rotateApiKey, { params, body: {} })).toMatchObject({ status: 409, body: { code: 'api_key_expired' } })
    expect((await ada.call(ops.updateApiKey, { params, body: { expires_at: null } })).body).toMatchObject({ state: 'active' })
    expect(await key.call(listTags)).toMatchObject({ status: 200 })
    expect(await ada.call(ops.deleteApiKey, { params })).toMatchObject({ status: 200 })
    expect(await key.call(listTags)).toMatchObject({ status: 401, body: { detail: 'This API key is not known here, or was revoked' } })
    expect(await ada.call(ops.getApiKey, { params })).toMatchObject({ status: 404 })
    expect((await house.events(ada.account_id)).map(({ name }) => name.split('.')[1])).toEqual([
      'api_key_created',
      'api_key_disabled',
      'api_key_enabled',
      'api_key_updated',
      'api_key_deleted',
    ])
  })

  test('works from its addresses alone', async () => {
    const ada = await house.newOwner()
    const here = await newKey(house, ada, ['assets.view'], { addresses: ['2001:db8::/32', '127.0.0.0/8'] })
    const elsewhere = await newKey(house, ada, ['assets.view'], { addresses: ['203.0.113.7'] })
    expect(await here.call(listTags)).toMatchObject({ status: 200 })
    expect(await elsewhere.call(listTags)).toMatchObject({
      status: 403,
      body: { code: 'address_not_allowed', detail: 'This API key may not be used from 127.0.0.1' },
    })
  })

  test('rotated has two secrets for a while, and never three', async () => {
    const ada = await house.newOwner()
    const key = await newKey(house, ada, ['assets.view'])
    const params = { api_key_id: key.id }
    const second = (await ada.call(ops.rotateApiKey, { params, body: { overlap_hours: 2 } })).body
    expect(second).toMatchObject({ id: key.id, previous: { prefix: key.prefix }, rotated_at: house.clock.now().toISOString() })
    for (const secret of [key.secret, second.secret]) expect(await withKey(house, secret).call(listTags)).toMatchObject({ status: 200 })
    const third = (await ada.call(ops.rotateApiKey, { params, body: { overlap_hours: 2 } })).body
    expect(await key.call(listTags)).toMatchObject({ status: 401 })
    expect(await withKey(house, second.secret).call(listTags)).toMatchObject({ status: 200 })
    house.clock.advance({ hours: 2 })
    expect(await withKey(house, second.secret).call(listTags)).toMatchObject({
      status: 401,
      body: { detail: expect.stringContaining('rotated') },
    })
    expect(await withKey(house, third.secret).call(listTags)).toMatchObject({ status: 200 })
    const fourth = (await ada.call(ops.rotateApiKey, { params, body: { overlap_hours: 0 } })).body
    expect(fourth.previous).toBeNull()
    expect(await withKey(house, third.secret).call(listTags)).toMatchObject({ status: 401 })
  })

  test('counts for what goes on without it only by the secret and from the address it came with', async () => {
    const ada = await house.newOwner()
    const { id, name, prefix } = await newKey(house, ada, ['assets.view'], { addresses: ['127.0.0.0/8'] })
    const counts = (ip: string | null = '127.0.0.1') =>
      secretStillCounts(house.db, { account_id: ada.account_id, key: { id, name, prefix }, ip }, house.clock.now())
    expect([await counts(), await counts('10.0.0.1'), await counts(null)]).toEqual([true, false, false])
    await ada.call(ops.rotateApiKey, { params: { api_key_id: id }, body: { overlap_hours: 2 } })
    expect(await counts()).toBe(true)
    house.clock.advance({ hours: 2 })
    expect(await counts()).toBe(false)
  })

  test('remembers its last use, at most once a minute', async () => {
    const ada = await house.newOwner()
    const key = await newKey(house, ada, ['assets.view'])
    const lastUse = async () => {
      const { last_used_at, last_used_ip } = (await ada.call(ops.getApiKey, { params: { api_key_id: key.id } })).body
      return { last_used_at, last_used_ip }
    }
    expect(await lastUse()).toEqual({ last_used_at: null, last_used_ip: null })
    const first = house.clock.now().toISOString()
    await key.call(listTags)
    await expect.poll(lastUse).toEqual({ last_used_at: first, last_used_ip: '127.0.0.1' })
    house.clock.advance({ seconds: 30 })
    await key.call(listTags)
    house.clock.advance({ seconds: 30 })
    const later = house.clock.now().toISOString()
    await key.call(listTags)
    await expect.poll(lastUse).toEqual({ last_used_at: later, last_used_ip: '127.0.0.1' })
  })

  test('may make so many calls a minute, and every answer says how many are left', async () => {
    const ada = await house.newOwner()
    house.clock.set(new Date(Math.ceil(house.clock.now().getTime() / 60_000) * 60_000))
    const key = await newKey(house, ada, ['assets.view'], { calls_per_minute: 3 })
    const answers = []
    for (let i = 0; i < 4; i++) answers.push(await key.call(listTags))
    expect(
      answers.map(({ status, headers }) => [status, headers['ratelimit-limit'], headers['ratelimit-remaining'], headers['ratelimit-reset']])
    ).toEqual([
      [200, '3', '2', '60'],
      [200, '3', '1', '60'],
      [200, '3', '0', '60'],
      [429, '3', '0', '60'],
    ])
    expect(answers[3]).toMatchObject({
      body: { code: 'too_many_requests', detail: 'This API key may make 3 calls a minute. Try again in 60 s' },
      headers: { 'retry-after': '60' },
    })
    house.clock.advance({ minutes: 1 })
    const many = await Promise.all(Array.from({ length: 10 }, () => key.call(listTags)))
    expect(many.filter(({ status }) => status === 200)).toHaveLength(3)
    expect((await ada.call(listTags)).headers).not.toHaveProperty('ratelimit-limit')
  })
})

test('keys come newest first, and are found by name, prefix and state', async () => {
  const ada = await house.newOwner()
  const names = ['alpha', 'beta%1', 'gamma']
  const keys = []
  for (const name of names) {
    keys.push(await newKey(house, ada, ['assets.view'], { name }))
    house.clock.advance({ seconds: 1 })
  }
  await ada.call(ops.disableApiKey, { params: { api_key_id: keys[0]!.id } })
  const list = async (query: object) => (await ada.call(ops.listApiKeys, { query })).body
  expect((await list({})).items.map(({ name }) => name)).toEqual(names.toReversed())
  const first = await list({ page_size: 2 })
  expect((await list({ page_size: 2, after: first.next })).items.map(({ name }) => name)).toEqual(['alpha'])
  for (const [query, found] of [
    [{ search: 'a%' }, ['beta%1']],
    [{ search: keys[2]!.prefix }, ['gamma']],
    [{ state: 'disabled' }, ['alpha']],
    [{ state: 'active' }, ['gamma', 'beta%1']],
  ] as const)
    expect((await list(query)).items.map(({ name }) => name)).toEqual(found)
})

test('wrong input is refused in words', async () => {
  const ada = await house.newOwner()
  const make = async (body: object) =>
    (await ada.call(ops.createApiKey, { body: { name: 'x', scopes: ['assets.view'], ...body } as never })).body.fields
  expect(await make({ scopes: [] })).toEqual({ scopes: 'Choose at least one permission' })
  expect(await make({ addresses: ['here'] })).toEqual({ 'addresses.0': expect.stringContaining('203.0.113.0/24') })
  for (const range of ['203.0.113.0/33', '203.0.113', '2001:db8::/129', '1:2:3', '300.1.1.1'])
    expect(await make({ addresses: ['10.0.0.1', range] })).toEqual({ addresses: `${range} is no address and no range` })
  expect(await make({ expires_at: '2020-01-01T00:00:00Z' })).toEqual({ expires_at: 'Choose an expiry in the future' })
  expect(await make({ calls_per_minute: 0 })).toEqual({ calls_per_minute: 'At least 1' })
  expect(await make({ scopes: ['backoffice'] })).toHaveProperty(['scopes.0'])
  expect(await make({ tags: ['nothing'] })).toEqual({ tags: 'There is no tag "nothing"' })
})

test('an account has at most so many keys', async () => {
  const ada = await house.newOwner()
  const { id } = await house.db.selectFrom('person').select('id').where('email', '=', ada.email).executeTakeFirstOrThrow()
  const keys = Array.from({ length: mostApiKeys }, () => ({
    account_id: ada.account_id,
    id: newId('api_key'),
    name: 'many',
    scopes: ['assets.view'],
    expires_at: null,
    calls_per_minute: 1,
    created_by: id,
  }))
  await house.db.insertInto('api_key').values(keys).execute()
  expect(await ada.call(ops.createApiKey, { body: { name: 'x', scopes: ['assets.view'] } })).toMatchObject({
    status: 409,
    body: { code: 'too_many_api_keys' },
  })
})

test('twenty at once with one Idempotency-Key make one key and get the same answer, kept where nobody can read it', async () => {
  const ada = await house.newOwner()
  const retry = (op: typeof ops.createApiKey | typeof ops.rotateApiKey, input: object, key: string) =>
    Promise.all(Array.from({ length: 20 }, () => ada.call(op as typeof ops.createApiKey, input as never, { 'idempotency-key': key })))
  const body = { name: 'one', scopes: ['assets.view'] }
  const made = await retry(ops.createApiKey, { body }, 'make-once')
  expect(new Set(made.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
  expect((await ada.call(ops.listApiKeys)).body.total).toBe(1)
  const { id, secret } = made[0]!.body
  const rotated = await retry(ops.rotateApiKey, { params: { api_key_id: id }, body: { overlap_hours: 1 } }, 'rotate-once')
  expect(new Set(rotated.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
  for (const each of [secret, rotated[0]!.body.secret]) expect(await withKey(house, each).call(getAccount)).toMatchObject({ status: 200 })
  expect((await house.events(ada.account_id)).map(({ name }) => name)).toEqual(['developers.api_key_created', 'developers.api_key_rotated'])
  const kept = await house.db.selectFrom('idempotency_key').selectAll().where('scope', 'like', `${ada.account_id}:%`).execute()
  expect(kept).toHaveLength(2)
  for (const row of kept)
    for (const hidden of [secret, rotated[0]!.body.secret, 'make-once', 'rotate-once']) expect(JSON.stringify(row)).not.toContain(hidden)
  const other = await ada.call(ops.createApiKey, { body: { ...body, name: 'two' } as never }, { 'idempotency-key': 'make-once' })
  expect(other).toMatchObject({ status: 409, body: { code: 'idempotency_key_reused' } })
})
