import { once } from 'node:events'
import { connect } from 'node:net'
import { WebSocket } from 'ws'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { deviceKeyHeader } from '@masthead/contract/devices/agent/device-operations'
import { getTunnel, openTunnel } from '@masthead/contract/terminal/tunnel-operations'
import { readFrame, ToDevice } from '@masthead/contract/terminal/wire'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { enrolDevice } from '../devices/index.ts'
import { carry } from './files/test-file.ts'
import { putTestDevice } from './test-device.ts'
import { soon } from './test-terminal.ts'

let house: House
let address: string
beforeAll(async () => {
  house = await openHouse()
  address = await house.server.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => house[Symbol.asyncDispose]())

async function come(path: string, key: string) {
  const socket = new WebSocket(`${address.replace('http', 'ws')}/v1/devices/${path}`, { headers: { [deviceKeyHeader]: key } })
  socket.on('error', () => {})
  await once(socket, 'open')
  return socket
}

const enrolAnew = ({ account_id }: Person, asset_id: string) =>
  house.db.transaction().execute((tx) => enrolDevice(tx, { account_id, asset_id, kind: 'agent', at: house.clock.now() }))

test('a tunnel leads no more to who came with the credentials that its device had before, and waits for the device', async () => {
  const { owner, asset_id, key } = await putTestDevice(house, address)
  const { body, text } = await owner.call(openTunnel, {
    params: { asset_id },
    body: { port: 22, address: null, sources: ['127.0.0.1/32'], minutes: 15 },
  })
  expect(body.id, text).toBeTruthy()
  const check = async () => (await owner.call(getTunnel, { params: { tunnel_id: body.id } })).body
  const before = await come(`tunnel/${body.id}`, key)
  await vi.waitFor(async () => expect((await check()).state).toBe('open'), 20_000)
  const socket = connect({ host: '127.0.0.1', port: Number((await check()).reached_at!.split(':')[1]) })
  socket.on('error', () => {})
  await once(socket, 'connect')
  const gone = Promise.all([once(before, 'close'), once(socket.resume(), 'close')])
  const { device_id, password } = await enrolAnew(owner, asset_id)
  await soon('The device of before is let go', gone)
  await vi.waitFor(async () => expect(await check()).toMatchObject({ state: 'waiting', reached_at: null }), 20_000)
  await expect(come(`tunnel/${body.id}`, key)).rejects.toThrow(/403/)
  const after = await come(`tunnel/${body.id}`, `${device_id}:${password}`)
  await vi.waitFor(async () => expect((await check()).state).toBe('open'), 20_000)
  after.close()
}, 90_000)

test('a file goes no more to who came with the credentials that its device had before', async () => {
  const { owner, asset_id, key, open } = await putTestDevice(house, address)
  const { id, device } = await open()
  const asked = new Promise<string>((resolve) => {
    device.socket.on('message', (data: Buffer, isBinary) => {
      const said = isBinary ? undefined : readFrame(ToDevice, data.toString())
      if (said?.t === 'file') resolve(said.id)
    })
  })
  const file = await carry(
    { address, person: owner, terminal: id },
    { way: 'down', path: '/etc/hostname', name: 'hostname', size: 0, replace: false }
  )
  const before = await come(`terminal-file/${await asked}`, key)
  const gone = once(before, 'close')
  await enrolAnew(owner, asset_id)
  await soon('The device of before is let go', gone)
  file.say({ t: 'cancel' })
}, 60_000)
