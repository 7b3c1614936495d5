import { afterAll, beforeAll, expect, test } from 'vitest'
import { openHouse, type House } from '@masthead/testkit/house'

const served = 'https://console.example.com'
let house: House
beforeAll(async () => {
  house = await openHouse({ config: { consoleOrigins: [served] } })
})
afterAll(() => house[Symbol.asyncDispose]())

const from = (origin: string, site = 'cross-site') => ({ origin, 'sec-fetch-site': site })
const password = 'four lamps on the pier'
const post = (url: string, body: object, headers: Record<string, string> = {}) =>
  house.server.inject({ method: 'POST', url, headers: { 'content-type': 'application/json', ...headers }, payload: body })
const signIn = async (email: string, headers: Record<string, string>) => {
  await post('/v1/auth/register', { email, password, team_name: 'Pier' })
  return post('/v1/auth/login', { email, password }, headers)
}

test('the browser is answered what a console elsewhere may ask, and no other page is', async () => {
  const asked = { 'access-control-request-method': 'PATCH', 'access-control-request-headers': 'content-type,idempotency-key' }
  const ours = await house.server.inject({ method: 'OPTIONS', url: '/v1/assets', headers: { ...from(served), ...asked } })
  expect(ours.statusCode).toBe(204)
  expect(ours.headers).toMatchObject({
    'access-control-allow-origin': served,
    'access-control-allow-credentials': 'true',
    'access-control-allow-headers': expect.stringContaining('x-backoffice-token'),
    vary: 'Origin',
  })
  for (const origin of ['https://evil.test', 'https://console.example.com.evil.test', 'http://console.example.com', 'null']) {
    const other = await house.server.inject({ method: 'OPTIONS', url: '/v1/assets', headers: { ...from(origin), ...asked } })
    expect([origin, other.statusCode, other.headers['access-control-allow-origin']]).toEqual([origin, 405, undefined])
  }
})

test('somebody signs in there and works, with a cookie that comes along from that site', async () => {
  const answer = await signIn('elsewhere@example.test', from(served))
  expect(answer.statusCode, answer.body).toBe(200)
  expect(answer.headers['access-control-allow-origin']).toBe(served)
  const session = answer.cookies.find(({ sameSite }) => sameSite)!
  for (const cookie of answer.cookies) expect(cookie).toMatchObject({ sameSite: 'None', secure: true, httpOnly: true })
  const cookie = answer.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  const asked = await house.server.inject({ url: '/v1/auth/user_info', headers: { cookie, ...from(served) } })
  expect([asked.statusCode, asked.headers['access-control-allow-origin'], session.path]).toEqual([200, served, '/'])
  const out = { method: 'POST', url: '/v1/auth/logout' } as const
  expect((await house.server.inject({ ...out, headers: { cookie, ...from('https://evil.test') } })).statusCode).toBe(403)
  expect((await house.server.inject({ ...out, headers: { cookie, ...from(served) } })).statusCode).toBe(200)
})

test('a failure can be read there too', async () => {
  const answer = await house.server.inject({ url: '/v1/auth/user_info', headers: from(served) })
  expect([answer.statusCode, answer.headers['access-control-allow-origin']]).toEqual([401, served])
})

test('a console under the same site, and our own, keep the stricter cookie', async () => {
  for (const headers of [from(served, 'same-site'), { 'sec-fetch-site': 'same-origin' }]) {
    const answer = await signIn('here@example.test', headers)
    expect(answer.cookies.map(({ sameSite }) => sameSite)).toEqual(answer.cookies.map(() => 'Lax'))
  }
})

test('without the setting no origin is named to anybody', async () => {
  await using plain = await openHouse()
  const answer = await plain.server.inject({ url: '/v1/auth/user_info', headers: from(served) })
  expect(answer.headers).not.toHaveProperty('access-control-allow-origin')
  expect(answer.headers).not.toHaveProperty('vary')
})
