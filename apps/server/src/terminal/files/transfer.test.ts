import type { WebSocket } from 'ws'
import { expect, test } from 'vitest'
import { filePiece, filePieceOf, readFilePiece } from '@masthead/contract/terminal/file-wire'
import { Transfer } from './transfer.ts'

const places = [0, 1, 2, 3].map((nth) => nth * filePiece)
const size = places.length * filePiece
const pieceAt = (at: number) => filePieceOf(at, Buffer.alloc(filePiece))

/** A connection that keeps the places of the pieces which it is sent. */
function openEnd() {
  const got: number[] = []
  const send = (data: string | Uint8Array) => typeof data !== 'string' && got.push(readFilePiece(data)!.at)
  return { socket: { send, close: () => {} } as unknown as WebSocket, got }
}

function begin(way: 'up' | 'down') {
  const transfer = new Transfer({
    id: 'fil_1',
    begin: { t: 'begin', way, path: '/a', name: 'a', size: way === 'up' ? size : 0, replace: false },
    now: () => 0,
    onMove: () => {},
    onEnd: () => {},
  })
  const [browser, device] = [openEnd(), openEnd()]
  transfer.joinBrowser(browser.socket)
  transfer.joinDevice(device.socket)
  transfer.fromDevice(device.socket, { t: 'ready', path: '/a', name: 'a', size })
  return { transfer, browser, device }
}

test('a window that comes again while the device still sends gets each piece, in order', () => {
  const { transfer, browser, device } = begin('down')
  const ask = (end: { socket: WebSocket }) => places.forEach((at) => transfer.fromBrowser(end.socket, { t: 'want', at, n: filePiece }))
  ask(browser)
  for (const at of places.slice(0, 2)) transfer.piece(device.socket, pieceAt(at))
  transfer.leaveBrowser(browser.socket)
  const again = openEnd()
  transfer.joinBrowser(again.socket)
  ask(again)
  for (const at of [...places.slice(2), ...places]) transfer.piece(device.socket, pieceAt(at))
  expect(again.got).toEqual(places)
})

test('a device that comes again while the window still sends gets each piece, in order', () => {
  const { transfer, browser, device } = begin('up')
  const ask = (end: { socket: WebSocket }) => places.forEach((at) => transfer.fromDevice(end.socket, { t: 'want', at, n: filePiece }))
  ask(device)
  transfer.leaveDevice(device.socket)
  for (const at of places.slice(0, 2)) transfer.piece(browser.socket, pieceAt(at))
  const again = openEnd()
  transfer.joinDevice(again.socket)
  ask(again)
  for (const at of [...places.slice(2), ...places]) transfer.piece(browser.socket, pieceAt(at))
  expect(again.got).toEqual(places)
})

test('who wants more and more of a file and reads nothing is let go, and fills no memory', () => {
  const { transfer, browser, device } = begin('up')
  let gone = 0
  Object.assign(device.socket, { bufferedAmount: 0, terminate: () => gone++ })
  const send = () => {
    transfer.fromDevice(device.socket, { t: 'want', at: 0, n: filePiece })
    transfer.piece(browser.socket, pieceAt(0))
  }
  send()
  expect([device.got, gone]).toEqual([[0], 0])
  Object.assign(device.socket, { bufferedAmount: 2 * 1024 * 1024 })
  send()
  expect([device.got, gone]).toEqual([[0], 1])
})

test('so is a window that goes on sending, a byte at a time, and reads nothing of what is wanted of it', () => {
  const { transfer, browser, device } = begin('up')
  let gone = 0
  Object.assign(browser.socket, { bufferedAmount: 2 * 1024 * 1024, terminate: () => gone++ })
  transfer.fromDevice(device.socket, { t: 'want', at: 0, n: 1 })
  expect(gone).toBe(1)
})
