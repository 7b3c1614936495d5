import { logout } from '@masthead/contract/auth/operations'
import { login } from '@masthead/contract/auth/sign-in-operations'
import { leaveBackoffice } from '@masthead/contract/backoffice/operations'
import { getAsset, listAssets, updateAsset } from '@masthead/contract/assets/operations'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { call, surroundings, urlOf } from './client.ts'

const asked: { url: string; init: RequestInit & { headers: Headers } }[] = []
let answer: () => Response | Promise<Response>
// As nobody has set them: another test may have, the modules are shared.
const before: typeof surroundings = { ...surroundings, backofficeToken: () => null, onBackofficeRoute: () => false, instead: null }
const seen = { signedOut: 0, backofficeRefused: 0 }

beforeEach(() => {
  asked.length = 0
  Object.assign(seen, { signedOut: 0, backofficeRefused: 0 })
  Object.assign(surroundings, before, { signedOut: () => seen.signedOut++, backofficeRefused: () => seen.backofficeRefused++ })
  vi.stubGlobal('fetch', (url: string, init: RequestInit & { headers: Headers }) => {
    asked.push({ url, init })
    return Promise.resolve().then(() => answer())
  })
})
afterEach(() => void vi.unstubAllGlobals())

const problem =
  (status: number, body: object = {}) =>
  () =>
    new Response(JSON.stringify(body), { status, statusText: 'Said' })

describe('an address', () => {
  test('fills in parameters and repeats lists, and leaves out what is not given', () => {
    expect(urlOf(getAsset, { params: { asset_id: 'a/b' } })).toBe('/v1/assets/a%2Fb')
    expect(urlOf(listAssets, { query: { tag: ['x', 'y'], search: '', page: 2 } })).toBe('/v1/assets?tag=x&tag=y&page=2')
  })
})

describe('a call', () => {
  test('sends cookies, JSON and an idempotency key with a write', async () => {
    answer = () => Response.json({ email: 'a@x.test' })
    const result = await call(login, { body: { email: 'a@x.test', password: 'p' } })
    expect(result).toEqual({ ok: true, data: { email: 'a@x.test' } })
    const { url, init } = asked[0]!
    expect([url, init.method, init.credentials, init.body]).toEqual([
      '/v1/auth/login',
      'POST',
      'include',
      '{"email":"a@x.test","password":"p"}',
    ])
    expect(init.headers.get('content-type')).toBe('application/json')
    expect(init.headers.get('idempotency-key')).toMatch(/^[\da-f]{32}$/)
  })
  test('sends the key it is given, and none with a read', async () => {
    answer = () => Response.json({})
    await call(updateAsset, { params: { asset_id: 'x' }, body: {} }, { key: 'same' })
    await call(getAsset, { params: { asset_id: 'x' } })
    expect(asked.map(({ init }) => init.headers.get('idempotency-key'))).toEqual(['same', null])
  })
  test('a write whose answer was lost is the same write when it is asked for again soon, and another one is not', async () => {
    vi.useFakeTimers()
    const ask = async (body: object, respond: () => Response) => {
      answer = respond
      await call(updateAsset, { params: { asset_id: 'x' }, body })
      return asked.at(-1)!.init.headers.get('idempotency-key')
    }
    const lost = () => {
      throw new TypeError('Failed to fetch')
    }
    const good = () => Response.json({})
    const first = await ask({ name: 'a' }, lost)
    expect(await ask({ name: 'b' }, good)).not.toBe(first)
    expect(await ask({ name: 'a' }, () => new Response('Bad gateway', { status: 502 }))).toBe(first)
    expect(await ask({ name: 'a' }, good)).toBe(first)
    const second = await ask({ name: 'a' }, lost)
    expect(second).not.toBe(first)
    vi.advanceTimersByTime(121_000)
    expect(await ask({ name: 'a' }, good)).not.toBe(second)
    vi.useRealTimers()
  })
  test('what spends the session is asked once more at once when its answer was lost, with the same key', async () => {
    const answers = [
      () => {
        throw new TypeError('Failed to fetch')
      },
      () => Response.json({ provider_logout_url: null }),
    ]
    answer = () => answers.shift()!()
    expect(await call(logout, {})).toMatchObject({ ok: true })
    expect(new Set(asked.map(({ init }) => init.headers.get('idempotency-key'))).size).toBe(1)
    expect(asked).toHaveLength(2)
  })
  test('an empty answer is done where nothing was to be said, and unreadable where something was', async () => {
    answer = () => new Response(null, { status: 200 })
    expect(await call(leaveBackoffice, {})).toEqual({ ok: true, data: undefined })
    const unreadable = { ok: false, failure: { status: 500, title: 'The response could not be read' } }
    expect(await call(getAsset, { params: { asset_id: 'x' } })).toMatchObject(unreadable)
    expect(await call(updateAsset, { params: { asset_id: 'x' }, body: {} })).toMatchObject(unreadable)
  })
  test('carries the backoffice token only to the backoffice', async () => {
    answer = () => Response.json({})
    surroundings.backofficeToken = () => 'tok'
    await call(leaveBackoffice, {})
    await call(getAsset, { params: { asset_id: 'x' } })
    surroundings.onBackofficeRoute = () => true
    await call(getAsset, { params: { asset_id: 'x' } })
    expect(asked.map(({ init }) => init.headers.get('x-backoffice-token'))).toEqual(['tok', null, 'tok'])
  })
})

describe('a failed call', () => {
  test('is an answer with the words of the server', async () => {
    answer = problem(409, { code: 'email_taken', title: 'Taken', detail: 'It is taken', fields: { email: 'Taken' }, request_id: 'r1' })
    expect(await call(logout, {})).toEqual({
      ok: false,
      failure: { status: 409, code: 'email_taken', title: 'Taken', detail: 'It is taken', fields: { email: 'Taken' }, request_id: 'r1' },
    })
    expect(seen).toEqual({ signedOut: 0, backofficeRefused: 0 })
  })
  test('without JSON says what the status says, in words where it is one of a proxy', async () => {
    answer = () => new Response('<html>', { status: 418, statusText: "I'm a teapot" })
    expect(await call(logout, {})).toMatchObject({ ok: false, failure: { status: 418, detail: "I'm a teapot" } })
    answer = () => new Response('<html>', { status: 502, statusText: 'Bad Gateway' })
    expect(await call(logout, {})).toMatchObject({
      ok: false,
      failure: { status: 502, detail: expect.stringMatching(/^The server cannot be reached/) as string },
    })
    answer = () => new Response('null', { status: 503 })
    expect(await call(logout, {})).toMatchObject({
      ok: false,
      failure: { status: 503, detail: expect.stringMatching(/^The server is busy/) as string },
    })
  })
  test('without a response is status 500 INTERNAL_SERVER_ERROR', async () => {
    answer = () => Promise.reject(new TypeError('no network'))
    expect(await call(logout, {})).toMatchObject({ ok: false, failure: { status: 500, code: 'INTERNAL_SERVER_ERROR' } })
  })
  test('a page in the place of an answer is a failure too', async () => {
    answer = () => new Response('<html>', { status: 200 })
    expect(await call(logout, {})).toMatchObject({ ok: false, failure: { status: 500, title: 'The response could not be read' } })
  })
  test.each([401, 422])('%d signs out', async (status) => {
    answer = problem(status)
    await call(logout, {})
    expect(seen).toEqual({ signedOut: 1, backofficeRefused: 0 })
  })
  test('a status text of UNAUTHORIZED signs out', async () => {
    answer = () => new Response('{}', { status: 400, statusText: 'UNAUTHORIZED' })
    await call(logout, {})
    expect(seen.signedOut).toBe(1)
  })
  test('403 leaves the backoffice, but only there', async () => {
    answer = problem(403)
    await call(logout, {})
    expect(seen.backofficeRefused).toBe(0)
    await call(leaveBackoffice, {})
    expect(seen).toEqual({ signedOut: 0, backofficeRefused: 1 })
  })
})
