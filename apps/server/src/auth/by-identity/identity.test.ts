import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getUserInfo, logout } from '@masthead/contract/auth/operations'
import { linkIdentity, listIdentities, login, register, unlinkIdentity } from '@masthead/contract/auth/sign-in-operations'
import type { IdentityProvider, Vouchee } from '@masthead/testkit/identity-provider'
import { openHouse, type House } from '@masthead/testkit/house'
import { password } from '../../account/test-person.ts'
import { hashPassword } from '../sign-in/password.ts'
import { consoleOrigin, newBrowser, openVouchedHouse } from './test-provider.ts'

const person = (sub: string, over: Partial<Vouchee> = {}): Vouchee => ({
  sub,
  email: `${sub}@example.test`,
  email_verified: true,
  name: `Name of ${sub}`,
  ...over,
})
const people = ['ann', 'ben', 'cleo', 'dan', 'eve', 'fay', 'gus', 'hal', 'ida', 'jan', 'kim', 'lou'].map((sub) => person(sub))
people.push(person('unverified', { email_verified: false }), person('ben-again', { email: 'ben@example.test' }))

let house: House
let provider: IdentityProvider
beforeAll(async () => {
  ;({ house, provider } = await openVouchedHouse(people))
})
afterAll(async () => {
  await house[Symbol.asyncDispose]()
  await provider[Symbol.asyncDispose]()
})

const start = '/v1/auth/identity/start'
const personOf = (email: string) => house.db.selectFrom('person').selectAll().where('email', '=', email).executeTakeFirst()
const eventsOf = async (email: string) => house.events((await personOf(email))!.account_id)
/** Opens an account with a password, in a browser of its own. */
async function registered(email: string) {
  const browser = newBrowser(house)
  expect((await browser.call(register, { body: { email, password, team_name: 'Team' } })).status).toBe(200)
  return browser
}

const prove = (email: string) =>
  house.db.updateTable('person').set({ email_proven_at: house.clock.now(), email_proven_by: 'mail' }).where('email', '=', email).execute()

describe('the way to the provider and back', () => {
  test('asks for a code with PKCE, a state and a nonce, and says nothing secret on the way', async () => {
    const { status, to } = await newBrowser(house).go(`${start}?redirect=/assets`)
    expect(status).toBe(302)
    const { origin, searchParams } = new URL(to!)
    expect(origin).toBe(provider.issuer)
    expect(Object.fromEntries(searchParams)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      redirect_uri: `${consoleOrigin}/v1/auth/identity/callback`,
      scope: 'openid email profile',
    })
    for (const name of ['state', 'nonce', 'code_challenge']) expect(searchParams.get(name)?.length).toBeGreaterThan(40)
    expect(to).not.toMatch(/secret|code_verifier/)
  })

  test('opens an account for whoever has none, and leads to the screen one wanted', async () => {
    const browser = newBrowser(house)
    expect(await browser.signIn('ann', `${start}?redirect=${encodeURIComponent('/assets?type=core')}`)).toBe('/#/assets?type=core')
    expect((await browser.call(getUserInfo)).body).toMatchObject({ email: 'ann@example.test', team_name: 'Name of ann' })
    expect(await personOf('ann@example.test')).toMatchObject({ password_hash: null, name: 'Name of ann' })
    expect((await eventsOf('ann@example.test')).map(({ name }) => name)).toEqual(['auth.account_registered', 'auth.identity_linked'])
    // Again: the same account.
    const again = newBrowser(house)
    expect(await again.signIn('ann')).toBe('/#/')
    expect((await again.call(getUserInfo)).body).toMatchObject({ email: 'ann@example.test' })
  })

  test.each(['https://evil.test/', '//evil.test', '/\\evil.test', 'javascript:alert(1)'])('never leads to %s', async (redirect) => {
    expect(await newBrowser(house).signIn('ann', `${start}?redirect=${encodeURIComponent(redirect)}`)).toBe('/#/')
  })

  test('refuses an e-mail address that the provider has not verified', async () => {
    const browser = newBrowser(house)
    expect(await browser.signIn('unverified', `${start}?redirect=/assets`)).toBe('/#/login?problem=email_unverified&redirect=%2Fassets')
    expect((await browser.call(getUserInfo)).status).toBe(401)
    expect(await personOf('unverified@example.test')).toBeUndefined()
  })

  test('says that it was stopped at the provider', async () => {
    expect(await newBrowser(house).signIn('')).toBe('/#/login?problem=sign_in_refused')
  })

  test('leads back once, and only in the browser that began it', async () => {
    const browser = newBrowser(house)
    const callback = await browser.signInUntilCallback('cleo')
    const other = newBrowser(house)
    expect(await other.follow(callback)).toBe('/#/login?problem=sign_in_stale')
    // Also one that has begun a way of its own.
    await other.go(start)
    expect(await other.follow(callback)).toBe('/#/login?problem=sign_in_stale')
    expect((await other.call(getUserInfo)).status).toBe(401)
    // Nobody else's visit used it up.
    expect(await browser.follow(callback)).toBe('/#/')
    expect(await browser.follow(callback)).toBe('/#/login?problem=sign_in_stale')
  })

  test('refuses a state that was made up, one that is too old, and another way’s code', async () => {
    const browser = newBrowser(house)
    await browser.go(start)
    expect(await browser.follow('/v1/auth/identity/callback?state=made-up&code=x')).toBe('/#/login?problem=sign_in_stale')
    expect(await browser.follow('/v1/auth/identity/callback')).toBe('/#/login?problem=sign_in_stale')
    const [one, two] = [await browser.signInUntilCallback('dan'), await browser.signInUntilCallback('dan')]
    const mixed = new URL(one)
    mixed.searchParams.set('code', new URL(two).searchParams.get('code')!)
    expect(await browser.follow(mixed.href)).toBe('/#/login?problem=token_refused')
    await house.db
      .updateTable('identity_attempt')
      .set({ expires_at: new Date(house.clock.now().getTime() - 1) })
      .execute()
    expect(await browser.follow(two)).toBe('/#/login?problem=sign_in_stale')
    expect(await personOf('dan@example.test')).toBeUndefined()
  })

  test('keeps no secret of the way in the clear, but what only this server can use', async () => {
    const browser = newBrowser(house)
    const { to } = await browser.go(start)
    const rows = await house.db.selectFrom('identity_attempt').select(['state_hash', 'browser_hash']).execute()
    const kept = JSON.stringify(rows.map((row) => [row.state_hash.toString('utf8'), row.browser_hash.toString('utf8')]))
    expect(kept).not.toContain(new URL(to!).searchParams.get('state')!)
    expect(kept).not.toContain(browser.cookies.get('masthead_identity')!)
  })

  test('a provider that is away is reported in words, and a later try works', async () => {
    const away = await openVouchedHouse(people)
    try {
      away.provider.broken = true
      const browser = newBrowser(away.house)
      expect(await browser.signIn('ann')).toBe('/#/login?problem=identity_unavailable')
      const answer = await away.house.anyone.call(login, { body: { access_token: 'a.b.c' } })
      expect(answer).toMatchObject({
        status: 503,
        body: { code: 'identity_unavailable', detail: expect.stringMatching(/Harbour Login does not answer/) },
      })
      away.provider.broken = false
      expect(await browser.signIn('ann')).toBe('/#/')
      // Away between leaving and coming back.
      const callback = await browser.signInUntilCallback('ben')
      away.provider.broken = true
      expect(await browser.follow(callback)).toBe('/#/login?problem=identity_unavailable')
    } finally {
      await away.house[Symbol.asyncDispose]()
      await away.provider[Symbol.asyncDispose]()
    }
  })

  test('without a provider there is no way', async () => {
    await using plain = await openHouse()
    expect((await plain.server.inject(start)).headers.location).toBe('/#/login?problem=identity_off')
    expect(await plain.anyone.call(login, { body: { access_token: 'a.b.c' } })).toMatchObject({
      status: 403,
      body: { code: 'identity_off' },
    })
  })
})

describe('an account that is there already', () => {
  test('is linked by its verified address; in a browser that knew its password nothing is lost', async () => {
    const browser = await registered('ben@example.test')
    await browser.call(logout)
    expect(await browser.signIn('ben')).toBe('/#/')
    expect((await personOf('ben@example.test'))!.password_hash).not.toBeNull()
    expect((await house.anyone.call(login, { body: { email: 'ben@example.test', password } })).status).toBe(200)
    expect((await eventsOf('ben@example.test')).map(({ name }) => name)).toEqual(['auth.account_registered', 'auth.identity_linked'])
    expect((await house.mails('ben@example.test'))[0]?.text).toContain('Harbour Login now signs you in as ben@example.test')
    // Somebody else of the provider got that address later.
    expect(await newBrowser(house).signIn('ben-again')).toBe('/#/login?problem=identity_taken')
  })

  test('keeps its password where the address was confirmed before', async () => {
    await registered('fay@example.test')
    await prove('fay@example.test')
    expect(await newBrowser(house).signIn('fay')).toBe('/#/')
    expect((await personOf('fay@example.test'))!.password_hash).not.toBeNull()
  })

  test('with a second step is not linked by its address alone', async () => {
    await registered('gus@example.test')
    await prove('gus@example.test')
    const { id } = (await personOf('gus@example.test'))!
    const at = house.clock.now()
    await house.db
      .insertInto('authenticator')
      .values({ person_id: id, sealed_secret: 'encrypted', started_at: at, confirmed_at: at })
      .execute()
    expect(await newBrowser(house).signIn('gus')).toBe('/#/login?problem=link_first')
  })

  test('stays the person’s when their address changes at the provider, verified or not', async () => {
    expect(await newBrowser(house).signIn('hal')).toBe('/#/')
    const hal = people.find(({ sub }) => sub === 'hal')!
    Object.assign(hal, { email: 'other@example.test', email_verified: false })
    const browser = newBrowser(house)
    expect(await browser.signIn('hal')).toBe('/#/')
    expect((await browser.call(getUserInfo)).body).toMatchObject({ email: 'hal@example.test' })
  })

  test('nobody gets a new one where registration is off, unless the provider’s people are welcome', async () => {
    const closed = await openVouchedHouse(people, { identity: { opensAccounts: false } })
    try {
      // The first account of an installation is always welcome.
      expect(await newBrowser(closed.house).signIn('ann')).toBe('/#/')
      expect(await newBrowser(closed.house).signIn('ben')).toBe('/#/login?problem=registration_off')
    } finally {
      await closed.house[Symbol.asyncDispose]()
      await closed.provider[Symbol.asyncDispose]()
    }
  })

  test('two that come for the first time at once open one account', async () => {
    const browsers = [newBrowser(house), newBrowser(house), newBrowser(house)]
    const callbacks = await Promise.all(browsers.map((browser) => browser.signInUntilCallback('lou')))
    expect(await Promise.all(browsers.map((browser, i) => browser.follow(callbacks[i]!)))).toEqual(['/#/', '/#/', '/#/'])
    expect((await eventsOf('lou@example.test')).map(({ name }) => name)).toEqual(['auth.account_registered', 'auth.identity_linked'])
  })
})

describe('linking on the profile', () => {
  const proof = { password, return_to: '/profile' }

  test('takes a proof, leads there and back, and the identity signs in from then on whatever its address', async () => {
    const browser = await registered('mine@example.test')
    expect((await browser.call(linkIdentity, { body: { password: 'wrong' } })).status).toBe(400)
    const { url } = (await browser.call(linkIdentity, { body: proof })).body as { url: string }
    expect(await browser.signIn('ida', url)).toBe('/#/profile')
    expect((await browser.call(listIdentities)).body).toMatchObject({ items: [{ email: 'ida@example.test', last_way_in: false }] })
    expect(await personOf('ida@example.test')).toBeUndefined()
    const later = newBrowser(house)
    await later.signIn('ida')
    expect((await later.call(getUserInfo)).body).toMatchObject({ email: 'mine@example.test' })
  })

  test('an identity of somebody else is not taken from them', async () => {
    await newBrowser(house).signIn('jan')
    const browser = await registered('greedy@example.test')
    const { url } = (await browser.call(linkIdentity, { body: proof })).body as { url: string }
    expect(await browser.signIn('jan', url)).toBe('/#/profile?problem=identity_taken')
  })

  test('what was begun by one is not finished by another, nor after signing out', async () => {
    const browser = await registered('leaver@example.test')
    const { url } = (await browser.call(linkIdentity, { body: proof })).body as { url: string }
    const callback = await browser.signInUntilCallback('kim', url)
    await browser.call(logout)
    await browser.call(register, { body: { email: 'another@example.test', password, team_name: 'Another' } })
    expect(await browser.follow(callback)).toBe('/#/profile?problem=sign_in_stale')
    expect(await house.db.selectFrom('identity').select('id').where('subject', '=', 'kim').execute()).toEqual([])
  })

  test('is undone, but never the only way in', async () => {
    const browser = newBrowser(house)
    await browser.signIn('kim')
    const [only] = ((await browser.call(listIdentities)).body as { items: { id: string; last_way_in: boolean }[] }).items
    expect(only!.last_way_in).toBe(true)
    const params = { identity_id: only!.id }
    expect(await browser.call(unlinkIdentity, { params, body: {} })).toMatchObject({ status: 409, body: { code: 'last_way_in' } })
    await house.db
      .updateTable('person')
      .set({ password_hash: await hashPassword(password) })
      .where('email', '=', 'kim@example.test')
      .execute()
    const other = newBrowser(house)
    await other.signIn('kim')
    expect((await browser.call(unlinkIdentity, { params, body: { password: 'wrong' } })).body).toMatchObject({ code: 'credentials_wrong' })
    expect((await browser.call(unlinkIdentity, { params, body: { password } })).status).toBe(200)
    expect((await browser.call(unlinkIdentity, { params, body: { password } })).status).toBe(404)
    // Sessions that the identity opened end with it, but for the one that asked.
    expect([(await other.call(getUserInfo)).status, (await browser.call(getUserInfo)).status]).toEqual([401, 200])
    expect((await eventsOf('kim@example.test')).at(-1)?.name).toBe('auth.identity_unlinked')
  })
})

describe('signing out', () => {
  test('answers where the provider’s session ends, and the provider leads back to the console', async () => {
    const browser = newBrowser(house)
    await browser.signIn('ann')
    const { provider_logout_url } = (await browser.call(logout)).body as { provider_logout_url: string }
    expect((await browser.call(getUserInfo)).status).toBe(401)
    const { text } = await browser.go(provider_logout_url)
    const xsrf = /name="xsrf" value="([^"]+)"/.exec(text)![1]!
    const [, action] = /action="([^"]+)"/.exec(text)!
    expect((await browser.go(new URL(action!, provider.issuer).href, { xsrf, logout: 'yes' })).to).toBe(`${consoleOrigin}/`)
    // The provider asks anew.
    expect(await browser.follow(start)).toMatch(/\/interaction\//)
  })

  test('of a session by password is ours alone', async () => {
    const browser = await registered('plain@example.test')
    expect((await browser.call(logout)).body).toEqual({ provider_logout_url: null })
  })
})
