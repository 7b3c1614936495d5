import { afterAll, beforeAll, expect, test } from 'vitest'
import * as codes from '@masthead/contract/terminal/access-code-operations'
import { joinTerminal } from '@masthead/contract/terminal/operations'
import { openTerminalHouse, openWindow, soon, type TerminalHouse } from '../test-terminal.ts'

let house: TerminalHouse
beforeAll(async () => {
  house = await openTerminalHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

test('a code that is set during a session lets go who watches, and lets them in again once they gave it; the opener goes on', async () => {
  const params = { asset_id: house.asset_id }
  const watcher = await house.newMember(house.owner, ['assets.view', 'terminal.open'])
  const { id, window } = await house.open()
  await window.message('step', ({ step }) => step === 'shell')
  const watch = () => openWindow(house.address, watcher, id, { client: 'two' })
  const first = await watch()
  await first.message('who')
  expect((await house.owner.call(codes.updateAccessCode, { params, body: { code: 'open sesame' } })).status).toBe(200)
  await soon('The end of the window', first.closed())
  expect((await watch()).status()).toBe(409)
  expect((await watcher.call(joinTerminal, { params: { terminal_id: id }, body: { code: 'open sesame' } })).status).toBe(200)
  const second = await watch()
  await second.message('who')
  window.type('echo still-$((40+2))\r')
  await second.shows('still-42')
  await window.shows('still-42')
  window.say({ t: 'end' })
  await window.message('ended')
}, 60_000)
