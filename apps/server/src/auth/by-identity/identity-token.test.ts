import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getUserInfo, logout } from '@masthead/contract/auth/operations'
import { login } from '@masthead/contract/auth/sign-in-operations'
import type { House } from '@masthead/testkit/house'
import { ours, type IdentityProvider, type Vouchee } from '@masthead/testkit/identity-provider'
import { cookiesOf } from '../../account/test-person.ts'
import { newBrowser, openVouchedHouse } from './test-provider.ts'

const ann: Vouchee = { sub: 'ann', email: 'ann@example.test', email_verified: true, name: 'Ann' }
const unverified: Vouchee = { ...ann, sub: 'unverified', email: 'unverified@example.test', email_verified: false }

let house: House
let provider: IdentityProvider
beforeAll(async () => {
  ;({ house, provider } = await openVouchedHouse([ann, unverified]))
})
afterAll(async () => {
  await house[Symbol.asyncDispose]()
  await provider[Symbol.asyncDispose]()
})

const signIn = (access_token: string, headers: Record<string, string> = {}) => house.anyone.call(login, { body: { access_token } }, headers)
const refused = { status: 400, body: { code: 'token_refused' } }

describe('an access token that says whose it is', () => {
  test('signs in, and signing out leads to the provider', async () => {
    const answer = await signIn(provider.mint(ann))
    expect(answer).toMatchObject({ status: 200, body: { email: ann.email } })
    const headers = { cookie: cookiesOf(answer) }
    expect((await house.anyone.call(getUserInfo, {}, headers)).body.email).toBe(ann.email)
    const { provider_logout_url } = (await house.anyone.call(logout, {}, headers)).body
    expect(new URL(provider_logout_url!).origin).toBe(provider.issuer)
    expect(provider_logout_url).toContain(`client_id=${ours.client_id}`)
  })

  test('with ours among several audiences too', async () => {
    expect((await signIn(provider.mint(ann, { claims: { aud: ['https://api.example.test', ours.client_id] } }))).status).toBe(200)
  })

  const soon = Math.floor(Date.now() / 1000) + 600
  test.each<[string, Parameters<IdentityProvider['mint']>[1]]>([
    ['signed by somebody else', { key: 'foreign' }],
    ['signed with a key that nobody knows', { header: { kid: 'unknown' } }],
    ['that claims to need no signature', { header: { alg: 'none' } }],
    ['that claims to be signed with a shared secret', { header: { alg: 'HS256' } }],
    ['for another audience', { claims: { aud: 'another-program' } }],
    ['without an audience', { claims: { aud: undefined } }],
    ['given to another program', { claims: { client_id: 'another-program' } }],
    ['given to another party', { claims: { azp: 'another-program' } }],
    ['of another issuer', { claims: { iss: 'https://evil.test' } }],
    ['that has expired', { expiresIn: -60 }],
    ['that never expires', { claims: { exp: undefined } }],
    ['that is not yet valid', { claims: { nbf: soon } }],
    ['about nobody', { claims: { sub: undefined } }],
    ['that is an ID token', { header: { typ: 'JWT' }, claims: { nonce: 'x', client_id: undefined } }],
  ])('%s is refused', async (_, wrong) => {
    const answer = await signIn(provider.mint(ann, wrong))
    expect(answer).toMatchObject(refused)
    expect(answer.headers['set-cookie']).toBeUndefined()
  })

  test('with its claims changed is refused', async () => {
    const [header, claims, signature] = provider.mint(ann).split('.')
    const forged = { ...(JSON.parse(Buffer.from(claims!, 'base64url').toString()) as object), email: 'owner@demo.test' }
    expect(await signIn([header, Buffer.from(JSON.stringify(forged)).toString('base64url'), signature].join('.'))).toMatchObject(refused)
  })

  test('by the clock of the house: it is refused once its time is over', async () => {
    const own = await openVouchedHouse([ann])
    try {
      const token = own.provider.mint(ann)
      own.house.clock.advance({ minutes: 11 })
      expect(await own.house.anyone.call(login, { body: { access_token: token } })).toMatchObject(refused)
    } finally {
      await own.house[Symbol.asyncDispose]()
      await own.provider[Symbol.asyncDispose]()
    }
  })

  test('of an unverified address is refused, in words', async () => {
    expect(await signIn(provider.mint(unverified))).toMatchObject({ status: 403, body: { code: 'email_unverified' } })
  })

  test.each(['', 'x', 'a.b.c', '..', `${'a'.repeat(9000)}`])('that is none (%.10s) is refused', async (token) => {
    expect((await signIn(token)).status).toBe(400)
  })

  test('beside a password counts alone, and without either every missing field is named', async () => {
    const both = await house.anyone.call(login, { body: { email: ann.email, password: 'x', access_token: 'x' } })
    expect(both).toMatchObject(refused)
    expect(await house.anyone.call(login, { body: {} })).toMatchObject({
      status: 400,
      body: { fields: { email: 'This is required', password: 'This is required' } },
    })
  })

  test('sent again with its key is the same sign-in; with the key of another it is 409', async () => {
    const key = { 'idempotency-key': 'one' }
    const token = provider.mint(ann)
    expect((await signIn(token, key)).status).toBe(200)
    expect((await signIn(token, key)).status).toBe(200)
    expect((await signIn(provider.mint({ ...ann, sub: 'other' }), key)).status).toBe(409)
  })
})

describe('a token without words of its own', () => {
  /** As a program of the provider gets one for a person. */
  async function opaqueToken(client_id: string, client_secret: string) {
    const redirect_uri = 'http://console.test/else'
    const browser = newBrowser(house)
    const query = new URLSearchParams({ client_id, redirect_uri, response_type: 'code', scope: 'openid email profile' })
    const verifier = 'v'.repeat(50)
    const digest = await crypto.subtle.digest('SHA-256', Buffer.from(verifier))
    query.set('code_challenge', Buffer.from(digest).toString('base64url'))
    query.set('code_challenge_method', 'S256')
    const asked = await browser.follow(`${provider.issuer}/auth?${query.toString()}`)
    const { to } = await browser.go(asked, { sub: 'ann' })
    const back = await browser.follow(to!, (address) => address.startsWith(redirect_uri))
    const code = new URL(back).searchParams.get('code')!
    const body = { grant_type: 'authorization_code', code, redirect_uri, client_id, client_secret, code_verifier: verifier }
    const answer = await fetch(`${provider.issuer}/token`, { method: 'POST', body: new URLSearchParams(body) })
    return (await answer.json()) as { access_token: string; id_token: string }
  }

  test('signs in when the provider says that it was given to us', async () => {
    const { access_token, id_token } = await opaqueToken(ours.client_id, ours.client_secret)
    expect(access_token).not.toContain('.')
    expect(await signIn(access_token)).toMatchObject({ status: 200, body: { email: ann.email } })
    // The ID token beside it is no access token, though it is ours and signed.
    expect(await signIn(id_token)).toMatchObject(refused)
  })

  test('is refused when it was given to another program of the same provider', async () => {
    const { access_token } = await opaqueToken('another-program', 'a secret of another program of the provider')
    expect(await signIn(access_token)).toMatchObject(refused)
  })

  test('is refused where nobody knows whom it was given to', async () => {
    const own = await openVouchedHouse([ann], { identity: { clientSecret: undefined } })
    try {
      const answer = await own.house.anyone.call(login, { body: { access_token: 'opaque' } })
      expect(answer).toMatchObject({ ...refused, body: { detail: expect.stringMatching(/Nobody can say/) } })
    } finally {
      await own.house[Symbol.asyncDispose]()
      await own.provider[Symbol.asyncDispose]()
    }
  })
})
