import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openHouse } from '@masthead/testkit/house'
import { expect, test } from 'vitest'
import { greet } from '../greet.ts'
import { checkRegistry } from './registry-check.ts'

const integrations = { registryHost: null }

test('below a path, docker’s /v2/ of the host is asked for: that it leads here, elsewhere or nowhere', async () => {
  let handsOn = true
  await using house = await openHouse()
  const proxy = createServer((request, reply) => {
    if (!handsOn) return void reply.writeHead(404).end()
    void house.server
      .inject({ url: request.url!, headers: { host: request.headers.host! } })
      .then(({ statusCode, headers }) => reply.writeHead(statusCode, { 'www-authenticate': String(headers['www-authenticate']) }).end())
  })
  await new Promise<void>((resolve) => void proxy.listen(0, '127.0.0.1', resolve))
  const { port } = proxy.address() as AddressInfo
  const publicUrl = `http://127.0.0.1:${port}/iot`
  const settings = { publicUrl, basePath: '/iot', integrations }
  Object.assign(house.app.config, { publicUrl, basePath: '/iot' })
  try {
    expect(await checkRegistry(settings)).toMatchObject({ state: 'ok' })
    expect(await greet(house.app)).toContain(`docker asks http://127.0.0.1:${port}/v2/ and knows no path`)
    handsOn = false
    expect(await checkRegistry(settings)).toMatchObject({ state: 'warn', words: expect.stringContaining('is not this registry') })
  } finally {
    await new Promise((resolve) => proxy.close(resolve))
  }
  expect(await checkRegistry(settings)).toMatchObject({ state: 'warn', words: expect.stringContaining('could not be asked from here') })
  expect(await checkRegistry({ publicUrl: 'https://example.test', basePath: '', integrations })).toMatchObject({ state: 'ok' })
})
