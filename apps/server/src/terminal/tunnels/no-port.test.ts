import { once } from 'node:events'
import { createServer as createPage, request, type IncomingMessage } from 'node:http'
import { createServer, type AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import * as ops from '@masthead/contract/terminal/tunnel-operations'
import { openTerminalHouse, type TerminalHouse } from '../test-terminal.ts'
import { notifyWaiting } from './tunnel-rows.ts'

let house: TerminalHouse
beforeAll(async () => {
  house = await openTerminalHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

test('where no port is free a tunnel says so, and its device comes again in a minute and not at once', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await new Promise<void>((resolve) => void other.once('listening', resolve))
  const { port } = other.address() as AddressInfo
  Object.assign(house.app.config, { tunnels: { ...house.app.config.tunnels, from: port, to: port } })
  const { body } = await house.owner.call(ops.openTunnel, {
    params: { asset_id: house.asset_id },
    body: { port: 22, address: null, sources: ['127.0.0.1/32'], minutes: 15 },
  })
  expect(body).toMatchObject({ state: 'waiting', no_port: false })
  const tunnel = { params: { tunnel_id: body.id } }
  const check = async () => (await house.owner.call(ops.getTunnel, tunnel)).body
  await vi.waitFor(async () => expect(await check()).toMatchObject({ state: 'waiting', no_port: true, reached_at: null }), 20_000)
  await vi.waitFor(() => expect(house.agent.tunnels.size()).toBe(0), 20_000)
  const held = () => house.db.selectFrom('tunnel').select(['held_by', 'told_at']).where('id', '=', body.id).executeTakeFirstOrThrow()
  await vi.waitFor(async () => expect((await held()).held_by).toBeNull(), 20_000)
  const before = await held()
  house.clock.advance({ seconds: 59 })
  await notifyWaiting(house.app.db, house.clock.now())
  expect(await held()).toEqual(before)
  // While the device is away nothing is tried, and the tunnel waits for it alone.
  const { device_id } = house
  const setOnline = (online: boolean) =>
    house.db
      .updateTable('device')
      .set({ online } as never)
      .where('id', '=', device_id)
      .execute()
  await setOnline(false)
  expect(await check()).toMatchObject({ state: 'waiting', no_port: false })
  await setOnline(true)
  expect(await check()).toMatchObject({ state: 'waiting', no_port: true })

  await new Promise((resolve) => other.close(resolve))
  house.clock.advance({ seconds: 1 })
  await vi.waitFor(
    async () => expect(await check()).toMatchObject({ state: 'open', no_port: false, reached_at: `127.0.0.1:${port}` }),
    30_000
  )
  expect((await house.owner.call(ops.revokeTunnel, tunnel)).body.state).toBe('ended')
}, 90_000)

test('with a domain for tunnels one without a free port is reached by its name, and at a port as well once one is free', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  const page = createPage((_asked, answer) => void answer.end('a page of the device')).listen(0, '127.0.0.1')
  await Promise.all([other, page].map((server) => once(server, 'listening')))
  const { port } = other.address() as AddressInfo
  Object.assign(house.app.config, { tunnels: { ...house.app.config.tunnels, from: port, to: port, domain: 'tunnels.test' } })
  const { body } = await house.owner.call(ops.openTunnel, {
    params: { asset_id: house.asset_id },
    body: { port: (page.address() as AddressInfo).port, address: null, sources: ['127.0.0.1/32'], minutes: 15 },
  })
  const tunnel = { params: { tunnel_id: body.id } }
  const check = async () => (await house.owner.call(ops.getTunnel, tunnel)).body
  await vi.waitFor(async () => expect(await check()).toMatchObject({ state: 'open', no_port: true, reached_at: null }), 30_000)
  const { host } = new URL((await check()).url!)
  const ask = async () => {
    const asked = request(`${house.address}/`, { headers: { host } })
    asked.end()
    const [answer] = (await once(asked, 'response')) as [IncomingMessage]
    return `${answer.statusCode} ${String(Buffer.concat((await answer.toArray()) as Buffer[]))}`
  }
  expect(await ask()).toBe('200 a page of the device')

  await new Promise((resolve) => other.close(resolve))
  // A minute passes, however the clock is set meanwhile.
  house.clock.set(new Date(house.clock.now().getTime() - 60_000))
  house.clock.advance({ seconds: 60 })
  await vi.waitFor(
    async () => expect(await check()).toMatchObject({ state: 'open', no_port: false, reached_at: `127.0.0.1:${port}` }),
    30_000
  )
  expect(await ask()).toBe('200 a page of the device')
  expect((await house.owner.call(ops.revokeTunnel, tunnel)).body.state).toBe('ended')
  page.close()
}, 90_000)

test('one that is reached by its name alone waits for its device once that leaves, not for a port, and is reached so again', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  Object.assign(house.app.config, { tunnels: { ...house.app.config.tunnels, from: port, to: port, domain: 'tunnels.test' } })
  const { body } = await house.owner.call(ops.openTunnel, {
    params: { asset_id: house.asset_id },
    body: { port: 22, address: null, sources: ['127.0.0.1/32'], minutes: 15 },
  })
  const tunnel = { params: { tunnel_id: body.id } }
  const check = async () => (await house.owner.call(ops.getTunnel, tunnel)).body
  await vi.waitFor(async () => expect(await check()).toMatchObject({ state: 'open', no_port: true }), 30_000)
  house.agent.tunnels.stop()
  await vi.waitFor(async () => expect(await check()).toMatchObject({ state: 'waiting', no_port: false, url: null }), 20_000)
  house.clock.advance({ seconds: 20 })
  await vi.waitFor(async () => expect(await check()).toMatchObject({ state: 'open', no_port: true, reached_at: null }), 30_000)
  expect((await house.owner.call(ops.revokeTunnel, tunnel)).body.state).toBe('ended')
  await new Promise((resolve) => other.close(resolve))
}, 90_000)
