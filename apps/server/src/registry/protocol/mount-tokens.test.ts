import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createRobot } from '@masthead/contract/registry/operations'
import { openHouse } from '@masthead/testkit/house'
import { basic, client, newPusher, pushBlob, pushImage } from '../test-registry.ts'

test('another repository of the same account is no short way either: a token opens what it is for', async () => {
  await using house = await openHouse()
  const address = await house.server.listen({ host: '127.0.0.1', port: 0 })
  const acme = await newPusher(house, address)
  const tokenOf = async (query: string) => JSON.parse((await acme.ask(`/v2/token?service=x&${query}`)).text) as { token: string }
  const layer = randomBytes(100)
  const digest = await pushBlob(acme.ask, `${acme.slug}/source`, layer)
  const narrow = await tokenOf(`scope=repository:${acme.slug}/target:pull,push`)
  const path = `/v2/${acme.slug}/target/blobs/uploads/?mount=${digest}&from=${acme.slug}/source`
  expect(await client(address, `Bearer ${narrow.token}`)(path, { method: 'POST' })).toMatchObject({ status: 202 })
  const wide = await tokenOf(`scope=repository:${acme.slug}/target:pull,push&scope=repository:${acme.slug}/source:pull`)
  expect(await client(address, `Bearer ${wide.token}`)(path, { method: 'POST' })).toMatchObject({ status: 201 })
  // What the challenge asks for is enough, also of who comes with a token of another repository.
  const other = await tokenOf(`scope=repository:${acme.slug}/source:pull`)
  for (const ask of [client(address), client(address, `Bearer ${other.token}`)]) {
    const refused = await ask(path, { method: 'POST' })
    const scope = /scope="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '')![1]!
    expect([refused.status, scope]).toEqual([401, `repository:${acme.slug}/target:pull,push repository:${acme.slug}/source:pull`])
    const { token } = await tokenOf(`scope=${encodeURIComponent(scope)}`)
    expect(await client(address, `Bearer ${token}`)(path, { method: 'POST' })).toMatchObject({ status: 201 })
  }
  const odd = await client(address)(`${path}%22,x=%22`, { method: 'POST' })
  expect(odd.headers.get('www-authenticate')).toMatch(/scope="repository:[^" ]+"$/)
})

test('a robot of some repositories gets a token for the list, and sees these', async () => {
  await using house = await openHouse()
  const address = await house.server.listen({ host: '127.0.0.1', port: 0 })
  const acme = await newPusher(house, address)
  for (const name of ['door/lock', 'door/bell', 'gate']) await pushImage(acme.ask, `${acme.slug}/${name}`)
  const { body } = await acme.person.call(createRobot, { body: { name: 'doors', repositories: ['door/*'] } })
  const robot = client(address, basic((body as unknown as { secret: string }).secret))
  const answer = await robot('/v2/token?scope=registry:catalog:*')
  const { token, scope } = JSON.parse(answer.text) as { token: string; scope: string }
  expect(scope).toBe('registry:catalog:*')
  const repositories = [`${acme.slug}/door/bell`, `${acme.slug}/door/lock`]
  expect(JSON.parse((await client(address, `Bearer ${token}`)('/v2/_catalog')).text)).toEqual({ repositories })
  // It opens the list and nothing else.
  expect(await client(address, `Bearer ${token}`)(`/v2/${acme.slug}/door/bell/tags/list`)).toMatchObject({ status: 401 })
})
