import { EventEmitter } from 'node:events'
import type { WebSocket } from 'ws'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { FileFromBrowser } from '@masthead/contract/terminal/file-wire'
import { awayFor } from '@masthead/contract/terminal/session'
import type { Actor, App } from '../../kernel/app.ts'
import type { Allowed } from '../relay/ends.ts'
import type { Relay } from '../relay/relay.ts'
import { FileHub } from './file-hub.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A connection that keeps what it is sent. */
function openSocket() {
  const events = new EventEmitter()
  const said: { t: string; id?: string }[] = []
  const closed: (number | undefined)[] = []
  const send = (words: string) => void said.push(JSON.parse(words) as { t: string; id?: string })
  const close = (code?: number) => {
    closed.push(code)
    events.emit('close')
  }
  const hear = (words: FileFromBrowser) => events.emit('message', Buffer.from(JSON.stringify(words)), false)
  return { socket: Object.assign(events, { send, close }) as unknown as WebSocket, said, closed, hear }
}

/** A hub, and a window and a device with a file between them. */
function openFile(allowed: () => Promise<Allowed>) {
  const time = { at: 0 }
  const db = { transaction: () => ({ execute: (work: (tx: unknown) => Promise<void>) => work({}) }) }
  const app = { clock: { now: () => new Date(0), passed: () => time.at }, log: { info: () => {}, error: () => {} }, db } as unknown as App
  const relay = {
    isOver: false,
    isOpen: true,
    typist: { client: 'one' },
    device: { askForFile: () => {} },
    used: () => {},
    given: {
      session: { id: 'ter_1', device_id: 'dev_1', asset_id: 'ast_1', asset_name: 'Weir' },
      recorder: { marker: () => {} },
    },
  } as unknown as Relay
  const actor = { person_id: 'per_1', email: 'ada@example.com' } as unknown as Actor
  const hub = new FileHub(app)
  const sender = { actor, client: 'one', relay }
  const [browser, device] = [openSocket(), openSocket()]
  hub.joinBrowser({ ...sender, allowed }, browser.socket)
  browser.hear({ t: 'begin', way: 'down', path: '/a', name: '', size: 0, replace: false })
  const { id = '' } = browser.said[0]!
  hub.joinDevice(hub.ofDevice(id, 'dev_1')!, device.socket, () => Promise.resolve(true))
  return { hub, sender, browser, device, id, time }
}

test('a file whose window does not come again with the new secret of its session ends after a minute, as any whose window is gone', async () => {
  const { hub, browser, device, time } = openFile(() => Promise.resolve('comes_again'))
  await vi.advanceTimersByTimeAsync(1000)
  expect(browser.closed).toEqual([4002])
  time.at = awayFor
  await vi.advanceTimersByTimeAsync(1000)
  expect(device.said.map(({ t }) => t)).toEqual(['do'])
  time.at = awayFor + 1
  await vi.advanceTimersByTimeAsync(1000)
  expect(device.said.map(({ t }) => t)).toEqual(['do', 'over'])
  await hub.close()
})

test('a window that comes again with the new secret while it is asked about the one before is not closed', async () => {
  let answer = (_: Allowed) => {}
  const { hub, sender, browser, id } = openFile(() => new Promise((resolve) => (answer = resolve)))
  await vi.advanceTimersByTimeAsync(1000)
  const again = openSocket()
  hub.joinBrowser({ ...sender, allowed: () => Promise.resolve(true) }, again.socket)
  again.hear({ t: 'resume', id })
  answer('comes_again')
  await vi.advanceTimersByTimeAsync(1000)
  expect([browser.closed, again.closed]).toEqual([[4000], []])
  await hub.close()
})
