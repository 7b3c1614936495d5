import { afterAll, beforeAll, expect, test } from 'vitest'
import { openHouse, type House } from '@masthead/testkit/house'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

const ask = async (method: string, url: string, headers = {}, payload?: string) => {
  const answer = await house.server.inject({ method: method as 'GET', url, headers, ...(payload && { payload }) })
  return { status: answer.statusCode, allow: answer.headers.allow, type: answer.headers['content-type'], body: answer.body }
}

test.each([
  ['PUT', '/v1/assets', 'GET, HEAD, POST'],
  ['POST', '/v1/assets/ast_1', 'GET, HEAD, PATCH'],
  ['GET', '/v1/tenancy/second_factor', 'POST'],
  ['OPTIONS', '/v1/auth/login', 'POST'],
  ['HEAD', '/v1/live', 'GET'],
  ['POST', '/healthz', 'GET, HEAD'],
  ['DELETE', '/v1/openapi.json', 'GET, HEAD'],
])('%s %s is not taken there: the answer says what is', async (method, url, allow) => {
  const answer = await ask(method, url)
  expect(answer).toMatchObject({ status: 405, allow, type: expect.stringContaining('application/problem+json') })
  if (method !== 'HEAD')
    expect(JSON.parse(answer.body)).toMatchObject({ code: 'method_not_allowed', detail: `This address takes ${allow}` })
})

test('an address that takes nothing is still not found, and a post from another site still refused first', async () => {
  expect((await ask('PUT', '/v1/nothing')).status).toBe(404)
  expect((await ask('POST', '/static/nothing.js')).status).toBe(404)
  expect((await ask('PUT', '/v1/assets', { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  // Nothing is read of what was sent along.
  expect((await ask('PUT', '/v1/assets', { 'content-type': 'application/json' }, '{')).status).toBe(405)
})
