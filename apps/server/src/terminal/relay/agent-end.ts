import type { WebSocket } from 'ws'
import { FromDevice, readFrame, type ToDevice } from '@masthead/contract/terminal/wire'
import { type DeviceEnd, mostUnread, perMessage } from './ends.ts'
import type { Relay } from './relay.ts'

/** Joins the connection of an agent to its relay. One that comes again takes the place of the one before, and goes on where that broke off. */
export function joinAgent(relay: Relay, socket: WebSocket, allowed: DeviceEnd['allowed']): void {
  const sendWords = (words: ToDevice) => socket.send(JSON.stringify(words))
  /** What it was sent and has not said to have taken, the oldest first. */
  const sent: { bytes: number; taken: () => void }[] = []
  let untaken = 0
  let says = false
  const took = (n: number) => {
    says = true
    untaken = Math.max(0, untaken - n)
    for (let left = n; left > 0 && sent.length > 0;) {
      const first = sent[0]!
      const part = Math.min(left, first.bytes)
      left -= part
      first.bytes -= part
      if (first.bytes > 0) return
      sent.shift()
      first.taken()
    }
  }
  const end: DeviceEnd = {
    write: (bytes, taken) => {
      if (!says) return socket.send(bytes, () => taken())
      untaken += bytes.byteLength
      sent.push({ bytes: bytes.byteLength, taken })
      return socket.send(bytes)
    },
    // It may say that it took what it never read.
    untaken: () => Math.max(says ? untaken + sent.length * perMessage : 0, socket.bufferedAmount),
    allowed,
    drop: () => {
      relay.detach(end)
      socket.terminate()
    },
    resize: ({ cols, rows }) => sendWords({ t: 'size', cols, rows }),
    taken: (at) => sendWords({ t: 'taken', at }),
    askForFile: (id) => sendWords({ t: 'file', id }),
    end: () => {
      sendWords({ t: 'end' })
      socket.close(1000)
    },
  }
  socket.on('message', (data: Buffer, isBinary) => {
    if (!relay.isAt(end)) return undefined
    // Some of what it says has an answer, and one that reads none would fill the memory. It may come again.
    if (socket.bufferedAmount > mostUnread) return end.drop()
    if (isBinary) return relay.shown(data)
    const said = readFrame(FromDevice, data.toString())
    if (said?.t === 'started') relay.started(said.user)
    else if (said?.t === 'took') took(said.n)
    else if (said?.t === 'exit') relay.end({ reason: 'shell_ended', by: relay.typist?.actor.email ?? null })
    else if (said?.t === 'failed') relay.end({ reason: 'not_supported', words: said.words })
  })
  socket.on('close', () => {
    relay.detach(end)
    // What was on its way is lost with it.
    took(untaken)
  })
  socket.on('error', () => {})
  sendWords({ t: 'from', at: relay.attach(end) })
}
