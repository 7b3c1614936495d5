import { EventEmitter } from 'node:events'
import type { WebSocket } from 'ws'
import { expect, test } from 'vitest'
import type { Actor } from '../../kernel/app.ts'
import type { Recorder } from '../recording/recorder.ts'
import { joinAgent } from './agent-end.ts'
import { mostUntaken, type DeviceEnd, type Visitor } from './ends.ts'
import { Relay } from './relay.ts'
import { joinWindow, refuse } from './window-end.ts'

function open() {
  const written: string[] = []
  const time = { now: 0 }
  const shell = { untaken: 0 }
  const recorder = { full: false, over: null, input() {}, output() {}, resize() {}, marker() {} } as unknown as Recorder
  const session = {
    account_id: 'a',
    id: 't',
    device_id: 'd',
    asset_id: 's',
    asset_name: 'S',
    person_id: 'p',
    opened_by: 'p@x',
    support_id: null,
  }
  const nothing = () => {}
  const relay = new Relay({
    session,
    size: { cols: 80, rows: 24 },
    recorder,
    now: () => time.now,
    age: 0,
    onOpen: nothing,
    onEnd: nothing,
    onWatch: nothing,
    onHandOver: nothing,
  })
  const device: DeviceEnd = {
    write: (bytes) => void written.push(Buffer.from(bytes).toString()),
    untaken: () => shell.untaken,
    allowed: () => Promise.resolve(true),
    drop: nothing,
    resize: ({ cols }) => void written.push(`cols ${cols}`),
    taken: nothing,
    end: nothing,
  }
  relay.attach(device)
  relay.started('root')
  written.length = 0
  const visit = (person_id: string, client: string): Visitor => {
    // A window that does not go when it is asked to, and goes on sending.
    const socket = { send: nothing, close: nothing, pause: nothing, resume: nothing, isPaused: false, bufferedAmount: 0 }
    socket.pause = () => void (socket.isPaused = true)
    socket.resume = () => void (socket.isPaused = false)
    const visitor = {
      client,
      secret: '',
      actor: { person_id, email: person_id } as Actor,
      socket: socket as unknown as WebSocket,
      allowed: () => Promise.resolve(true),
      asks: false,
      unsent: 0,
    }
    relay.join(visitor, undefined)
    return visitor
  }
  return { relay, visit, written, time, shell, type: (by: Visitor, text: string) => relay.typed(by, Buffer.from(text)) }
}

test('a window whose place another took types no more, changes no size and hands nothing over', () => {
  const { relay, visit, written, type } = open()
  const first = visit('p', 'one')
  type(first, 'a')
  const second = visit('p', 'one')
  const watcher = visit('q', 'two')
  type(first, 'b')
  relay.resized(first, { cols: 100, rows: 30 })
  relay.handOver(first, 'two')
  expect(relay.typist).toBe(second)
  type(second, 'c')
  type(watcher, 'd')
  expect(written).toEqual(['a', 'c'])
})

test('one that may not stay is gone at once, however long it takes to go', () => {
  const { relay, visit, written, type } = open()
  const first = visit('p', 'one')
  const watcher = visit('q', 'two')
  relay.drop(watcher, 4003, 'not allowed')
  relay.handOver(first, 'two')
  relay.ask(watcher)
  type(watcher, 'x')
  expect([relay.typist, [...relay.visitors.keys()], written]).toEqual([first, ['one'], []])
})

test('who got the keyboard and is gone for good gives it back to who opened the session, and to nobody else', () => {
  const { relay, visit, written, time, type } = open()
  const opener = visit('p', 'one')
  const other = visit('q', 'two')
  const third = visit('r', 'three')
  relay.handOver(opener, 'two')
  type(other, 'a')
  relay.leave(other)
  time.now = 10_000
  relay.check()
  type(opener, 'b')
  expect(relay.typist).toBeUndefined()
  time.now = 20_000
  relay.check()
  type(opener, 'c')
  type(third, 'd')
  expect([relay.typist, written]).toEqual([opener, ['a', 'c']])
  // Once back, the other one watches, until it is handed over again.
  const back = visit('q', 'two')
  type(back, 'e')
  relay.handOver(opener, 'two')
  type(back, 'f')
  expect(written).toEqual(['a', 'c', 'f'])
})

test('a session of which nobody can be asked whether it may go on is over after a minute, and not where somebody was asked meanwhile', () => {
  const { relay, time } = open()
  const askedAt = (seconds: number, answered: boolean) => {
    time.now = seconds * 1000
    if (answered) relay.asked()
    else relay.unasked()
    return relay.isOver
  }
  expect([askedAt(0, true), askedAt(100, false), askedAt(160, false), askedAt(161, true), askedAt(162, false)]).toEqual(
    Array(5).fill(false)
  )
  expect([askedAt(222, false), askedAt(223, false)]).toEqual([false, true])
})

test('who got the keyboard and may not stay any more loses it to who opened the session, which goes on and ends with that one', () => {
  const { relay, visit, written, type } = open()
  const opener = visit('p', 'one')
  const other = visit('q', 'two')
  const third = visit('r', 'three')
  relay.handOver(opener, 'two')
  type(other, 'a')
  refuse(relay, third)
  expect([relay.typist, [...relay.visitors.keys()]]).toEqual([other, ['one', 'two']])
  refuse(relay, other)
  type(other, 'b')
  type(opener, 'c')
  expect([relay.isOver, relay.typist, [...relay.visitors.keys()], written]).toEqual([false, opener, ['one'], ['a', 'c']])
  refuse(relay, opener)
  expect(relay.isOver).toBe(true)
})

test('a window that changes its size again and again while its device reads nothing is not read until it does', () => {
  const { relay, visit, written, shell } = open()
  const first = visit('p', 'one')
  relay.resized(first, { cols: 100, rows: 30 })
  expect([written, first.socket.isPaused]).toEqual([['cols 100'], false])
  shell.untaken = 1024 * 1024
  relay.resized(first, { cols: 101, rows: 30 })
  expect(first.socket.isPaused).toBe(true)
  relay.check()
  expect(first.socket.isPaused).toBe(true)
  shell.untaken = 0
  relay.check()
  expect(first.socket.isPaused).toBe(false)
})

test('a window that asks on and reads no answer is let go', () => {
  const { relay } = open()
  const closed: number[] = []
  const socket = Object.assign(new EventEmitter(), {
    bufferedAmount: 0,
    isPaused: false,
    send() {},
    close: (code: number) => closed.push(code),
  })
  const actor = { person_id: 'p', email: 'p@x' } as Actor
  const allowed = () => Promise.resolve(true)
  joinWindow(relay, { client: 'one', secret: '', actor, socket: socket as unknown as WebSocket, allowed, from: undefined })
  const ask = () => socket.emit('message', Buffer.from('{"t":"ping","n":1}'), false)
  ask()
  expect([closed, relay.visitors.size]).toEqual([[], 1])
  socket.bufferedAmount = 2 * 1024 * 1024
  ask()
  expect([closed, relay.visitors.size]).toEqual([[4001], 0])
})

test('a window that is not read while its paste waits is read again once it has handed over', () => {
  const { relay, visit, shell, type } = open()
  const first = visit('p', 'one')
  const second = visit('q', 'two')
  shell.untaken = 1024 * 1024
  type(first, 'a')
  expect(first.socket.isPaused).toBe(true)
  relay.handOver(first, 'two')
  expect([relay.typist, first.socket.isPaused]).toEqual([second, false])
})

test('the keyboard is handed over once a second at most', () => {
  const { relay, visit, time } = open()
  const [first, second] = [visit('p', 'one'), visit('q', 'two')]
  const typistAt = (ms: number, from: Visitor, to: string) => {
    time.now = ms
    relay.handOver(from, to)
    return relay.typist
  }
  expect([typistAt(0, first, 'two'), typistAt(999, second, 'one'), typistAt(1000, second, 'one')]).toEqual([second, second, first])
})

test('a window that only watches and reads nothing is let go, however often the size is changed and windows come and go', () => {
  const { relay, visit } = open()
  const first = visit('p', 'one')
  const watches = (client: string) => {
    const { socket } = visit('q', client)
    const closed: number[] = []
    Object.assign(socket, { close: (code: number) => closed.push(code) })
    return { socket, closed }
  }
  const [one, other] = [watches('two'), watches('three')]
  relay.resized(first, { cols: 100, rows: 30 })
  expect([one.closed, other.closed]).toEqual([[], []])
  Object.assign(one.socket, { bufferedAmount: 2 * 1024 * 1024 })
  relay.resized(first, { cols: 101, rows: 30 })
  expect([one.closed, other.closed, [...relay.visitors.keys()]]).toEqual([[4001], [], ['one', 'three']])
  Object.assign(other.socket, { bufferedAmount: 2 * 1024 * 1024 })
  visit('q', 'four')
  expect([other.closed, [...relay.visitors.keys()]]).toEqual([[4001], ['one', 'four']])
})

test('a device that says on and on that its shell has started and reads nothing is let go', () => {
  const { relay } = open()
  let gone = 0
  const socket = Object.assign(new EventEmitter(), { bufferedAmount: 0, send() {}, terminate: () => gone++ })
  joinAgent(relay, socket as unknown as WebSocket, () => Promise.resolve(true))
  const say = () => socket.emit('message', Buffer.from('{"t":"started","user":"root"}'), false)
  say()
  expect([gone, relay.device === undefined]).toEqual([0, false])
  socket.bufferedAmount = 2 * 1024 * 1024
  say()
  expect([gone, relay.device === undefined]).toEqual([1, true])
})

test('many keys that a device does not take hold up who types, as a long paste does', () => {
  const { relay, visit, type } = open()
  const first = visit('p', 'one')
  const sent: unknown[] = []
  const socket = Object.assign(new EventEmitter(), { bufferedAmount: 0, send: (data: unknown) => sent.push(data) })
  joinAgent(relay, socket as unknown as WebSocket, () => Promise.resolve(true))
  const took = (n: number) => socket.emit('message', Buffer.from(JSON.stringify({ t: 'took', n })), false)
  took(0)
  let keys = 0
  while (!first.socket.isPaused && keys < mostUntaken) {
    type(first, 'a')
    keys++
  }
  expect(keys).toBeLessThan(20_000)
  took(keys)
  expect([relay.device!.untaken(), first.socket.isPaused]).toEqual([0, false])
})

test('a window that takes none of many small pieces is let go, however few bytes they are', () => {
  const { relay, visit } = open()
  const [first, other] = [visit('p', 'one'), visit('q', 'two')]
  first.socket.send = ((_: Uint8Array, sent?: () => void) => sent?.()) as typeof first.socket.send
  const closed: number[] = []
  Object.assign(other.socket, { close: (code: number) => closed.push(code) })
  const byte = Buffer.from('x')
  for (let nth = 0; nth < 20_000; nth++) relay.shown(byte)
  expect([closed, [...relay.visitors.keys()], first.unsent]).toEqual([[4001], ['one'], 0])
})
