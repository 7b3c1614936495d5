import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getUserInfo } from '@masthead/contract/auth/operations'
import { listIdentities, unlinkIdentity } from '@masthead/contract/auth/sign-in-operations'
import type { Vouchee } from '@masthead/testkit/identity-provider'
import { password } from '../../account/test-person.ts'
import { hashPassword } from '../sign-in/password.ts'
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
  const headers = { host: new URL(consoleOrigin).host, cookie: `masthead_session=${other.cookies.get('masthead_session')}` }
  const [stream] = (await once(get(`${address}/v1/live`, { headers }), 'response')) as [IncomingMessage]
  expect(stream.statusCode).toBe(200)
  const ended = text(stream)
  const [identity] = ((await browser.call(listIdentities)).body as { items: { id: string }[] }).items
  const unlinked = await browser.call(unlinkIdentity, { params: { identity_id: identity!.id }, body: { password } })
  expect(unlinked.status).toBe(200)
  expect(await ended).toContain('retry')
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
