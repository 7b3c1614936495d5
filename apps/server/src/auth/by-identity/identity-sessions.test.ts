import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getUserInfo, logout } from '@masthead/contract/auth/operations'
import { listIdentities, unlinkIdentity } from '@masthead/contract/auth/sign-in-operations'
import type { Vouchee } from '@masthead/testkit/identity-provider'
import { password } from '../../account/test-person.ts'
import { hashPassword } from '../sign-in/password.ts'
import { encryptClearTokens, decryptIdToken } from '../../identity/index.ts'
import { consoleOrigin, newBrowser, openVouchedHouse } from './test-provider.ts'

const people: Vouchee[] = ['una', 'vic'].map((sub) => ({ sub, email: `${sub}@example.test`, email_verified: true, name: sub }))
let opened: Awaited<ReturnType<typeof openVouchedHouse>>
beforeAll(async () => {
  opened = await openVouchedHouse(people)
})
afterAll(async () => {
  await opened.house[Symbol.asyncDispose]()
  await opened.provider[Symbol.asyncDispose]()
})

const start = '/v1/auth/identity/start'

test('what a session has open ends with it when its identity is unlinked', async () => {
  const { house } = opened
  const address = await house.server.listen({ host: '127.0.0.1', port: 0 })
  const [browser, other] = [newBrowser(house), newBrowser(house)]
  await browser.signIn('una')
  await other.signIn('una')
  await house.db
    .updateTable('person')
    .set({ password_hash: await hashPassword(password) })
    .where('email', '=', 'una@example.test')
    .execute()
  const headers = { host: new URL(consoleOrigin).host, cookie: [...other.cookies].map((each) => each.join('=')).join('; ') }
  const [stream] = (await once(get(`${address}/v1/live`, { headers }), 'response')) as [IncomingMessage]
  expect(stream.statusCode).toBe(200)
  const ended = text(stream)
  const [identity] = ((await browser.call(listIdentities)).body as { items: { id: string }[] }).items
  const unlinked = await browser.call(unlinkIdentity, { params: { identity_id: identity!.id }, body: { password } })
  expect(unlinked.status).toBe(200)
  expect(await ended).toContain('retry')
})

test("the provider's token does not lie in the database readable, and signing out still names the session", async () => {
  const { house } = opened
  const browser = newBrowser(house)
  await browser.signIn('vic')
  const kept = await house.db.selectFrom('session_identity').selectAll().orderBy('session_id').execute()
  expect(kept.length).toBeGreaterThan(0)
  for (const { id_token, sealed_id_token } of kept) expect([id_token, sealed_id_token]).toEqual([null, expect.stringMatching(/^mk1\./)])
  const { session_id, sealed_id_token } = kept.at(-1)!
  // As the release before kept it: locked at the next start.
  const token = decryptIdToken(house.app.db, session_id, sealed_id_token!)
  await house.db
    .updateTable('session_identity')
    .set({ id_token: token, sealed_id_token: null })
    .where('session_id', '=', session_id)
    .execute()
  expect(await encryptClearTokens(house.app.db)).toBe(1)
  const { body } = await browser.call(logout)
  const address = new URL((body as { provider_logout_url: string }).provider_logout_url)
  expect(address.searchParams.get('id_token_hint')?.split('.')).toHaveLength(3)
})

test('of several that come back with one state at once, one gets in', async () => {
  const browser = newBrowser(opened.house)
  const callback = await browser.signInUntilCallback('vic')
  const ends = await Promise.all([1, 2, 3].map(() => browser.follow(callback)))
  expect(ends.toSorted()).toEqual(['/#/', '/#/login?problem=sign_in_stale', '/#/login?problem=sign_in_stale'])
})

test.each(['cross-site', 'same-site'])('a page elsewhere (%s) cannot sign anybody in or out by leading them here', async (site) => {
  const { house } = opened
  const browser = newBrowser(house)
  await browser.signIn('vic')
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const lead = (headers: Record<string, string>) =>
    house.server.inject({
      method: 'GET',
      url: `${start}?redirect=/assets`,
      headers: { host: new URL(consoleOrigin).host, cookie, ...headers },
    })
  const led = await lead({ 'sec-fetch-site': site })
  expect(led.headers.location).toBe('/#/login?redirect=%2Fassets')
  expect(led.headers['set-cookie']).toBeUndefined()
  expect(await house.db.selectFrom('identity_attempt').selectAll().execute()).toEqual([])
  expect((await browser.call(getUserInfo)).status).toBe(200)
  expect((await lead({ 'sec-fetch-site': 'same-origin' })).headers.location).toContain(opened.provider.issuer)
  await house.db.deleteFrom('identity_attempt').execute()
})
