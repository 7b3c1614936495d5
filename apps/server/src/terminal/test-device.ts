import { once } from 'node:events'
import { WebSocket } from 'ws'
import { expect } from 'vitest'
import { deviceKeyHeader } from '@masthead/contract/devices/agent/device-operations'
import { openTerminal } from '@masthead/contract/terminal/operations'
import type { House, Person } from '@masthead/testkit/house'
import { putAgent } from '../devices/agent/test-agent.ts'
import { openWindow } from './test-terminal.ts'

/** A device that says what the test has it say. `address`: where the house listens. */
export async function putTestDevice(house: House, address: string) {
  const owner = await house.newOwner()
  const { asset_id, device_id, token } = await putAgent(house, owner)
  await house.db
    .updateTable('device')
    .set({ online: true } as never)
    .where('id', '=', device_id)
    .execute()
  const connect = async (id: string, key = `${device_id}:${token}`) => {
    const socket = new WebSocket(`${address.replace('http', 'ws')}/v1/devices/terminal/${id}`, { headers: { [deviceKeyHeader]: key } })
    const got: Buffer[] = []
    socket.on('message', (data: Buffer, isBinary) => isBinary && got.push(data))
    socket.on('error', () => {})
    await once(socket, 'open')
    return { socket, got, say: (words: object) => socket.send(JSON.stringify(words)) }
  }
  return {
    owner,
    asset_id,
    device_id,
    key: `${device_id}:${token}`,
    connect,
    async open(person: Person = owner) {
      const { body, text } = await person.call(openTerminal, { params: { asset_id }, body: { cols: 80, rows: 24 } })
      expect(body.id, text).toBeTruthy()
      const window = await openWindow(address, person, body.id)
      const device = await connect(body.id)
      device.say({ t: 'started', user: 'root' })
      await window.message('step', ({ step }) => step === 'shell')
      return { id: body.id, window, device }
    },
  }
}
