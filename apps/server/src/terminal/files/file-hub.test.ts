import { EventEmitter } from 'node:events'
import type { WebSocket } from 'ws'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { FileFromBrowser } from '@masthead/contract/terminal/file-wire'
import { awayFor } from '@masthead/contract/terminal/session'
import type { Actor, App } from '../../kernel/app.ts'
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

test('a file whose window does not come again with the new secret of its session ends after a minute, as any whose window is gone', async () => {
  let at = 0
  const db = { transaction: () => ({ execute: (work: (tx: unknown) => Promise<void>) => work({}) }) }
  const app = { clock: { now: () => new Date(at) }, log: { info: () => {}, error: () => {} }, db } as unknown as App
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
  const [browser, device] = [openSocket(), openSocket()]
  hub.joinBrowser({ actor, client: 'one', relay, allowed: () => Promise.resolve('comes_again') }, browser.socket)
  browser.hear({ t: 'begin', way: 'down', path: '/a', name: '', size: 0, replace: false })
  hub.joinDevice(hub.ofDevice(browser.said[0]!.id!, 'dev_1')!, device.socket)
  await vi.advanceTimersByTimeAsync(1000)
  expect(browser.closed).toEqual([4002])
  at = awayFor
  await vi.advanceTimersByTimeAsync(1000)
  expect(device.said.map(({ t }) => t)).toEqual(['do'])
  at = awayFor + 1
  await vi.advanceTimersByTimeAsync(1000)
  expect(device.said.map(({ t }) => t)).toEqual(['do', 'over'])
  await hub.close()
})
