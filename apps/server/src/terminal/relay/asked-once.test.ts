import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { hashSecret } from '../../kernel/secrets/presented-secret.ts'
import { putTestDevice } from '../test-device.ts'
import { openWindow } from '../test-terminal.ts'

let house: House
let address: string
beforeAll(async () => {
  house = await openHouse()
  address = await house.server.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => house[Symbol.asyncDispose]())

test('the windows of one session are asked for once, whatever other cookies its browser got between them', async () => {
  const { owner, open } = await putTestDevice(house, address)
  const permissions = ['assets.view', 'terminal.open']
  const [member, other] = [await house.newMember(owner, permissions), await house.newMember(owner, permissions)]
  const { id, window } = await open(member)
  const second = await openWindow(address, { cookie: `${member.cookie}; theme=dark` }, id, { client: 'two' })
  const third = await openWindow(address, other, id, { client: 'three' })
  const asked = vi.spyOn(house.app.db, 'executeQuery')
  const timesFor = ({ cookie }: Person) => {
    const secret = hashSecret(/masthead_session=([^;]*)/.exec(cookie)![1]!)
    return asked.mock.calls.filter(([query]) => {
      const [first] = 'parameters' in query ? query.parameters : []
      return Buffer.isBuffer(first) && secret.equals(first)
    }).length
  }
  await vi.waitFor(() => expect(timesFor(other)).toBeGreaterThan(2), 20_000)
  expect(timesFor(member)).toBe(timesFor(other))
  asked.mockRestore()
  for (const { socket } of [window, second, third]) socket.close()
}, 60_000)
