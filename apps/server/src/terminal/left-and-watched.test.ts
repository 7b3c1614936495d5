import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getTerminal } from '@masthead/contract/terminal/operations'
import { openHouse, type House } from '@masthead/testkit/house'
import { endLeft } from './tasks.ts'
import { putTestDevice } from './test-device.ts'
import { openWindow } from './test-terminal.ts'

let house: House
let address: string
beforeAll(async () => {
  house = await openHouse()
  address = await house.server.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => house[Symbol.asyncDispose]())

test('sessions that nobody holds any more are ended, however many older ones have recordings that cannot be kept', async () => {
  const { owner, asset_id, device_id } = await putTestDevice(house, address)
  const at = house.clock.now()
  const row = {
    account_id: owner.account_id,
    asset_id,
    asset_name: 'Relay',
    device_id,
    kind: 'agent' as const,
    person_id: 'usr_x',
    opened_by: owner.email,
    client_ip: null,
    cols: 80,
    rows: 24,
    requested_at: at,
    held_by: 'gone',
    held_until: new Date(at.getTime() - 1000),
    recording: 'writing' as const,
  }
  const ids = Array.from({ length: 205 }, (_, nth) => `trm_${String(nth).padStart(3, '0')}`)
  await house.db
    .insertInto('terminal_session')
    .values(
      ids.map(
        (id, nth) =>
          ({ ...row, id, ...(nth < 202 ? { state: 'ended', ended_at: at, end_reason: 'server_stopped' } : { state: 'open' }) }) as never
      )
    )
    .execute()
  const failing = { ...house.app.blobs.drafts, size: () => Promise.reject(new Error('The disk')) }
  await endLeft({ ...house.app, blobs: { ...house.app.blobs, drafts: failing } } as typeof house.app, 0)
  for (const terminal_id of ids.slice(202))
    expect((await owner.call(getTerminal, { params: { terminal_id } })).body).toMatchObject({
      state: 'ended',
      end_reason: 'server_stopped',
    })
}, 60_000)

test('a window that comes and goes is one line of the activities', async () => {
  const { owner, open } = await putTestDevice(house, address)
  const member = await house.newMember(owner, ['assets.view', 'terminal.open'])
  const { id, window } = await open()
  for (let nth = 0; nth < 3; nth++) {
    const watcher = await openWindow(address, member, id, { client: randomUUID() })
    await watcher.message('who')
    watcher.socket.close()
    await watcher.closed()
  }
  window.say({ t: 'end' })
  await window.message('ended')
  const named = async (name: string) => (await house.events(owner.account_id)).filter((event) => event.name === name)
  await expect.poll(() => named('terminal.terminal_ended'), { timeout: 20_000 }).toHaveLength(1)
  expect(await named('terminal.terminal_watched')).toHaveLength(1)
}, 60_000)

test('a session says who else was there, and who of them had the keyboard', async () => {
  const { owner, open } = await putTestDevice(house, address)
  const members = [
    await house.newMember(owner, ['assets.view', 'terminal.open']),
    await house.newMember(owner, ['assets.view', 'terminal.open']),
  ]
  const { id, window } = await open()
  const participants = async () => (await owner.call(getTerminal, { params: { terminal_id: id } })).body.participants
  expect(await participants()).toEqual([])
  // A second window of who opened it is nobody else.
  await (await openWindow(address, owner, id, { client: 'second' })).message('who')
  for (const [nth, member] of members.entries()) {
    const { you } = await (await openWindow(address, member, id, { client: `${nth}` })).message('who')
    if (nth === 0) window.say({ t: 'give', to: you })
  }
  const [first, second] = members.map(({ email }) => email)
  await expect.poll(participants, { timeout: 20_000 }).toEqual([first, second].map((email, nth) => ({ email, typed: nth === 0 })))
}, 60_000)
