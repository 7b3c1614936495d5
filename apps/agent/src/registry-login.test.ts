import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { getRegistryLogin } from '@masthead/contract/devices/agent/device-operations'
import { isOneOf } from './registry-login.ts'
import { TestEngine } from './test-engine.ts'
import { runAgent, TestServer, wanted } from './test-server.ts'

const images = {
  own: 'registry.test:5000/acme/relay:1',
  // The same registry, written as somebody may type it.
  typed: 'Registry.Test:5000/acme/relay:2',
  // Without a dot or a port it is a name at Docker Hub, although the server may be called so in its network.
  hub: 'masthead/acme/relay:1',
  other: 'registry.test/acme/relay:1',
  plain: 'relay:1',
}

test('images of the account’s registry are pulled with the login of the device, which no other registry gets and no file keeps', async () => {
  await using engine = await new TestEngine().start()
  await using server = await new TestServer().start()
  const login = { hosts: ['registry.test:5000', 'masthead'], username: 'dev_test', password: 'mhd_?>~' }
  server.files.set(`/v1${getRegistryLogin.path}`, JSON.stringify({ ...login, expires_at: '2026-11-28T00:00:00.000Z' }))
  await using run = runAgent(server, engine.socket)
  for (const image of Object.values(images)) engine.registry.add(image)
  const containers = Object.entries(images).map(([name, image]) => wanted({ name, image }))
  await server.want(1, containers)
  await expect.poll(() => server.lastReport()?.containers?.filter(({ state }) => state === 'running').length).toBe(5)
  const given = Object.fromEntries(
    Object.entries(images).map(([name, image]) => {
      const header = engine.logins.get(image)
      // As Go reads it: with its padding, and without + and /.
      if (header !== undefined) expect(header).toMatch(/^[\w-]+={0,2}$/)
      if (header !== undefined) expect(header.length % 4).toBe(0)
      return [name, header === undefined ? undefined : (JSON.parse(Buffer.from(header, 'base64').toString()) as object)]
    })
  )
  const own = { username: 'dev_test', password: 'mhd_?>~' }
  expect(given).toEqual({
    own: { ...own, serveraddress: 'registry.test:5000' },
    typed: { ...own, serveraddress: 'Registry.Test:5000' },
    hub: undefined,
    other: undefined,
    plain: undefined,
  })
  expect(readFileSync(`${run.folder}/notes.json`, 'utf8')).not.toContain('mhd_')
})

test('a server of before gives no login: the engine pulls with what it knows itself', async () => {
  await using engine = await new TestEngine().start()
  await using server = await new TestServer().start()
  await using _run = runAgent(server, engine.socket)
  engine.registry.add(images.own)
  await server.want(1, [wanted({ name: 'own', image: images.own })])
  await expect.poll(() => server.lastOf('own')?.state).toBe('running')
  expect(engine.logins.get(images.own)).toBeUndefined()
})

test('the port of HTTPS may be named or not, where the server is asked by HTTPS', () => {
  for (const [hosts, host] of [
    [['masthead.test'], 'Masthead.test:443'],
    [['masthead.test:443'], 'masthead.test'],
  ] as const) {
    expect(isOneOf(hosts, host, 'https://masthead.test')).toBe(true)
    // There it is another server's port.
    expect(isOneOf(hosts, host, 'http://masthead.test')).toBe(false)
  }
  expect(isOneOf(['masthead.test'], 'masthead.test:4430', 'https://masthead.test')).toBe(false)
})
