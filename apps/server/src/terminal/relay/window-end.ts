import { FromBrowser, onTheWay, readFrame } from '@masthead/contract/terminal/wire'
import { mostUnread, type Visitor } from './ends.ts'
import type { Relay } from './relay.ts'

type Given = Omit<Visitor, 'asks' | 'unsent'> & { from: number | undefined }

/** Joins a window to the relay of its session. */
export function joinWindow(relay: Relay, { from, ...who }: Given): void {
  const visitor: Visitor = { ...who, asks: false, unsent: 0 }
  const { socket, actor } = who
  socket.on('message', (data: Buffer, isBinary) => {
    // Much of what it says has an answer, and one that reads none would fill the memory.
    if (socket.bufferedAmount > mostUnread) return relay.drop(visitor, 4001, 'too slow')
    if (isBinary) return relay.typed(visitor, data)
    const said = readFrame(FromBrowser, data.toString())
    if (said?.t === 'size') relay.resized(visitor, said)
    else if (said?.t === 'taken') relay.taken(visitor, said.at)
    else if (said?.t === 'ask') relay.ask(visitor)
    else if (said?.t === 'give') relay.handOver(visitor, said.to)
    else if (said?.t === 'ping') socket.send(JSON.stringify({ t: 'pong', n: said.n }))
    else if (said?.t === 'end' && relay.typist === visitor) relay.end({ reason: 'ended', by: actor.email })
  })
  socket.on('close', () => relay.leave(visitor))
  socket.on('error', () => {})
  relay.join(visitor, from)
}

/** Lets somebody go who may not stay. A session is of who opened it: they have the keyboard then, and without them it is over. */
export function refuse(relay: Relay, visitor: Visitor): void {
  const typed = relay.typist === visitor
  if (typed && visitor.actor.person_id === relay.given.session.person_id) return relay.end({ reason: 'not_allowed' })
  relay.drop(visitor, 4003, 'not allowed')
  if (typed) relay.giveBack()
}

/** Bytes of one frame: a paste comes in pieces. */
export const largestFrame = onTheWay
