import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  confirmAuthenticator,
  endOtherSessions,
  getSecurity,
  prove,
  startAuthenticator,
} from '@masthead/contract/account/security-operations'
import { getUserInfo } from '@masthead/contract/auth/operations'
import { proveByIdentity, register } from '@masthead/contract/auth/sign-in-operations'
import { enterBackoffice } from '@masthead/contract/backoffice/access-operations'
import type { House } from '@masthead/testkit/house'
import type { IdentityProvider } from '@masthead/testkit/identity-provider'
import { codeOf, password } from '../../account/test-person.ts'
import { newBrowser, openVouchedHouse } from './test-provider.ts'

let house: House
let provider: IdentityProvider
const people = ['ann', 'ben', 'cleo', 'dan'].map((sub) => ({ sub, email: `${sub}@example.test`, email_verified: true, name: sub }))
beforeAll(async () => {
  ;({ house, provider } = await openVouchedHouse(people, { staffSecondFactor: true }))
})
afterAll(async () => {
  await house[Symbol.asyncDispose]()
  await provider[Symbol.asyncDispose]()
})

type Browser = ReturnType<typeof newBrowser>
async function signedIn(sub: string): Promise<Browser> {
  const browser = newBrowser(house)
  await browser.signIn(sub)
  return browser
}
/** Goes to the provider to prove who one is, as `sub`, and answers where it ends. */
async function proveAs(browser: Browser, sub: string, return_to = '/profile') {
  const { status, body } = await browser.call(proveByIdentity, { body: { return_to } })
  expect(status).toBe(200)
  return { url: body.url as string, end: await browser.signIn(sub, body.url as string) }
}
const secured = async (browser: Browser) => (await browser.call(getSecurity)).body

test('who signs in by the provider alone proves there who they are, and that counts once', async () => {
  const browser = await signedIn('ann')
  expect(await secured(browser)).toMatchObject({ has_password: false, provider_proof: { name: 'Harbour Login', until: null } })
  const refused = { status: 400, body: { code: 'credentials_wrong', detail: 'Prove at Harbour Login that it is you first' } }
  expect(await browser.call(startAuthenticator, { body: {} })).toMatchObject(refused)
  const { url, end } = await proveAs(browser, 'ann', '/masa/access?redirect_url=/masa')
  expect(new URL(url).searchParams.get('prompt')).toBe('login')
  expect(end).toBe('/#/masa/access?redirect_url=/masa')
  expect(await secured(browser)).toMatchObject({ provider_proof: { until: expect.any(String) } })
  expect(await browser.call(startAuthenticator, { body: {} })).toMatchObject({ status: 200 })
  expect(await browser.call(startAuthenticator, { body: {} })).toMatchObject(refused)
  expect(await secured(browser)).toMatchObject({ provider_proof: { until: null } })
})

test('it counts for five minutes, in this browser, for the person who is linked', async () => {
  const [browser, other] = [await signedIn('ben'), await signedIn('ben')]
  await proveAs(browser, 'ben')
  expect((await other.call(prove, { body: {} })).status).toBe(400)
  house.clock.advance({ minutes: 5 })
  expect((await browser.call(prove, { body: {} })).status).toBe(400)
  // The same browser, signed out at the provider meanwhile.
  const forgotten = newBrowser(house)
  for (const [name, value] of browser.cookies) forgotten.cookies.set(name, value)
  const { end } = await proveAs(forgotten, 'cleo')
  expect(end).toBe('/#/profile?problem=identity_other')
  expect((await browser.call(prove, { body: {} })).status).toBe(400)
  // Nobody was signed in or linked by it.
  expect((await browser.call(getUserInfo)).body).toMatchObject({ email: 'ben@example.test' })
  await proveAs(browser, 'ben')
  expect((await browser.call(prove, { body: {} })).status).toBe(200)
})

test('it stands in for no password that somebody has', async () => {
  const browser = newBrowser(house)
  await browser.call(register, { body: { email: 'own@example.test', password, team_name: 'Own' } })
  expect(await secured(browser)).toMatchObject({ provider_proof: null })
  await house.db.updateTable('session').set({ vouched_at: house.clock.now() }).execute()
  expect(await browser.call(prove, { body: {} })).toMatchObject({ status: 400, body: { fields: { password: 'Enter your password' } } })
})

test('staff who have no password set up an app by it, and then enter the backoffice', async () => {
  const browser = await signedIn('dan')
  await house.db
    .updateTable('person')
    .set({ permissions: ['backoffice'] })
    .where('email', '=', 'dan@example.test')
    .execute()
  const enter = (code?: string) => browser.call(enterBackoffice, { body: { reason: 'Ticket 3', ...(code && { code }) } })
  await proveAs(browser, 'dan')
  expect(await enter()).toMatchObject({ status: 409, body: { code: 'staff_second_factor' } })
  const { secret } = (await browser.call(startAuthenticator, { body: {} })).body
  await browser.call(confirmAuthenticator, { body: { code: codeOf(house, secret as string, -1) } })
  // The app alone is not enough either.
  expect(await enter(codeOf(house, secret as string))).toMatchObject({ status: 400, body: { code: 'credentials_wrong' } })
  await proveAs(browser, 'dan')
  expect(await enter()).toMatchObject({ status: 400, body: { code: 'code_wrong' } })
  expect(await enter(codeOf(house, secret as string))).toMatchObject({ status: 200 })
})

test('other sessions are signed out by it too', async () => {
  const [browser, other] = [await signedIn('cleo'), await signedIn('cleo')]
  house.clock.advance({ minutes: 15 })
  expect(await browser.call(endOtherSessions)).toMatchObject({ status: 403, body: { code: 'proof_needed' } })
  await proveAs(browser, 'cleo')
  await browser.call(prove, { body: {} })
  expect(await browser.call(endOtherSessions)).toMatchObject({ status: 200, body: { ended: 1 } })
  expect((await other.call(getUserInfo)).status).toBe(401)
})
