import { answersWithin, awayFor, idleEndsAfter, longestSession, unaskedFor, type Size } from '@masthead/contract/terminal/session'
import { Unacked } from '@masthead/contract/terminal/unacked'
import { takenEach, type ToBrowser } from '@masthead/contract/terminal/wire'
import { type DeviceEnd, type Ending, isBehind, mostUnread, mostUntaken, type RelayGiven, sendWords, show, type Visitor } from './ends.ts'
import { Tail } from './tail.ts'

/** Windows on one session. */
const mostVisitors = 20
/** Whoever opened the session has the keyboard again when who got it is away for so long. */
const givenBackAfter = 15_000 // ms
const handsOverEach = 1000 // ms

/**
 * What stands between a device and the windows that show its shell. One types, the others watch. Of what the device writes no more is taken than
 * the one who types has shown and the recording has written, so that a window that does not read holds up the device and fills no memory.
 */
export class Relay {
  readonly given: RelayGiven
  readonly visitors = new Map<string, Visitor>()
  #output = new Unacked()
  #tail = new Tail()
  #device: DeviceEnd | undefined
  #typist = ''
  #size: Size
  #user: string | null = null
  #acknowledged = 0
  #open = false
  #ended = false
  /** Since when each is away, or a key was pressed, or nobody can be asked whether it may go on, and when it was asked for, in ms. */
  #since: { asked: number; device: number; typist: number; key: number; handed: number; unasked?: number }
  bytesIn = 0

  constructor(given: RelayGiven) {
    this.given = given
    this.#size = given.size
    const now = given.now()
    this.#since = { asked: now - given.age, device: now, typist: now, key: now, handed: now - handsOverEach }
  }

  get received(): number {
    return this.#output.end
  }
  get typist(): Visitor | undefined {
    return this.visitors.get(this.#typist)
  }

  // The device.

  /** It is there, or there again. Answers where it is to go on. */
  attach(device: DeviceEnd): number {
    const before = this.#device
    this.#device = device
    before?.drop()
    this.#acknowledged = this.received
    this.#notifyAll(this.#open ? { t: 'device', here: true } : { t: 'step', step: 'device' })
    return this.received
  }

  detach(device: DeviceEnd): void {
    if (this.#device !== device || this.#ended) return
    this.#device = undefined
    this.#since.device = this.given.now()
    if (this.#open) this.#notifyAll({ t: 'device', here: false })
    this.#release()
  }

  /** What comes from any other is of no device of this session any more. */
  isAt = (device: DeviceEnd): boolean => this.#device === device
  /** Something is done, if not with a key: it is not idle. */
  used(): void {
    this.#since.key = this.given.now()
  }
  get device(): DeviceEnd | undefined {
    return this.#device
  }

  started(user: string | null): void {
    this.#user = user
    this.#device?.resize(this.#size)
    if (this.#open) return
    this.#open = true
    this.#since.key = this.given.now()
    this.given.onOpen()
    this.#notifyAll({ t: 'step', step: 'shell' })
    this.#notifyWho()
  }

  shown(bytes: Uint8Array): void {
    if (this.#ended || bytes.byteLength === 0) return
    const { recorder } = this.given
    recorder.output(bytes)
    if (recorder.over) return this.end({ reason: recorder.over })
    this.#output.add(bytes)
    this.#tail.add(bytes)
    for (const visitor of this.visitors.values()) {
      if (isBehind(visitor)) this.drop(visitor, 4001, 'too slow')
      else show(visitor, bytes)
    }
    // A device that cannot be held up: whoever stays behind begins anew with the last of it.
    if (this.#output.bytes > mostUnread) this.#output.taken(this.received)
    this.goOn()
  }

  /** Says to the device that it may send more, once there is room. */
  goOn(): void {
    this.#release()
    if (this.#output.full || this.given.recorder.full || this.received - this.#acknowledged < takenEach) return
    this.#acknowledged = this.received
    this.#device?.taken(this.#acknowledged)
  }

  // The windows.

  /** `from`: the place in the output that a window goes on at which was here before. */
  join(visitor: Visitor, from: number | undefined): void {
    const { client, actor, socket } = visitor
    const before = this.visitors.get(client)
    for (const other of this.visitors.values()) if (other !== before && isBehind(other)) this.drop(other, 4001, 'too slow')
    if (!before && this.visitors.size >= mostVisitors) return socket.close(4003, 'too many windows')
    this.visitors.set(client, visitor)
    before?.socket.close(4000, 'another window took its place')
    const opener = actor.person_id === this.given.session.person_id
    const isTypist = client === this.#typist || (opener && !this.typist)
    if (isTypist) this.#typist = client
    const rest = from === undefined ? undefined : this.#output.since(from)
    const begins = rest ? from! : this.received - this.#tail.bytes
    sendWords(socket, { t: 'from', at: begins, anew: !rest })
    if (!isTypist || this.#open) sendWords(socket, { t: 'size', ...this.#size })
    for (const chunk of rest ?? this.#tail.all()) socket.send(chunk)
    if (isTypist) {
      this.#output.taken(begins)
      this.goOn()
    } else if (!before) this.given.onWatch(visitor)
    if (this.#device) sendWords(socket, { t: 'step', step: 'device' })
    if (this.#open) sendWords(socket, { t: 'step', step: 'shell' })
    if (this.#open && !this.#device) sendWords(socket, { t: 'device', here: false })
    this.#notifyWho()
  }

  leave(visitor: Visitor): void {
    if (this.visitors.get(visitor.client) !== visitor) return
    this.visitors.delete(visitor.client)
    if (visitor.client === this.#typist) this.#since.typist = this.given.now()
    this.#notifyWho()
  }

  /** Ends a window, which may not stay or does not keep up. It may take its time to go, and says nothing more here. */
  drop(visitor: Visitor, code: number, why: string): void {
    visitor.socket.close(code, why)
    this.leave(visitor)
  }

  typed(visitor: Visitor, bytes: Uint8Array): void {
    const took = () => sendWords(visitor.socket, { t: 'took', n: bytes.byteLength })
    if (this.typist !== visitor || !this.#open || !this.#device || this.#ended) return took()
    this.#since.key = this.given.now()
    this.bytesIn += bytes.byteLength
    this.given.recorder.input(bytes)
    this.#device.write(bytes, () => {
      took()
      this.#release()
    })
    // A paste of any length waits where it comes from: in a window that counts, and else in the connection.
    this.#holdUp(visitor)
  }

  #holdUp({ socket }: Visitor) {
    if (this.#isHeld) socket.pause()
  }

  get #isHeld(): boolean {
    return !this.#ended && (this.given.recorder.full || (this.#device?.untaken() ?? 0) >= mostUntaken)
  }

  #release() {
    const socket = this.typist?.socket
    if (socket?.isPaused && !this.#isHeld) socket.resume()
  }

  resized(visitor: Visitor, size: Size): void {
    const { client } = visitor
    if (this.typist !== visitor || this.#ended || (size.cols === this.#size.cols && size.rows === this.#size.rows)) return
    this.#size = size
    this.given.recorder.resize(size)
    if (this.#open) this.#device?.resize(size)
    this.#holdUp(visitor)
    for (const other of this.visitors.values())
      if (isBehind(other)) this.drop(other, 4001, 'too slow')
      else if (other.client !== client) sendWords(other.socket, { t: 'size', ...size })
  }

  taken(visitor: Visitor, at: number): void {
    if (this.typist !== visitor) return
    this.#output.taken(at)
    this.goOn()
  }

  ask(visitor: Visitor): void {
    const asks = visitor.client !== this.#typist
    if (this.visitors.get(visitor.client) !== visitor || visitor.asks === asks) return
    visitor.asks = asks
    this.#notifyWho()
  }

  handOver(from: Visitor, client: string): void {
    const to = this.visitors.get(client)
    const now = this.given.now()
    // Each is an activity: nobody hands over on and on.
    if (this.typist !== from || !to || to === from || this.#ended || now - this.#since.handed < handsOverEach) return
    this.#since.handed = now
    this.#setTypist(to)
    this.given.recorder.marker(`${from.actor.email} hands over to ${to.actor.email}`)
    this.given.onHandOver(from, to)
    this.#notifyWho()
  }

  /** To a window of who opened it. */
  giveBack(): void {
    const to = [...this.visitors.values()].find(({ actor }) => actor.person_id === this.given.session.person_id)
    if (!to || this.#ended) return
    this.#setTypist(to)
    this.given.recorder.marker(`${to.actor.email} has the keyboard again`)
    this.#notifyWho()
  }

  #setTypist(to: Visitor) {
    // Only who types is held up.
    this.typist?.socket.resume()
    this.#typist = to.client
    to.asks = false
    // What is on its way to the new one was sent already.
    this.#output.taken(this.received)
    this.goOn()
  }

  // Its end.

  /** Everybody was asked whether they may be here. */
  asked(): void {
    delete this.#since.unasked
  }

  /** Somebody could not be asked. Nothing was taken away by that, for a while. */
  unasked(): void {
    this.#since.unasked ??= this.given.now()
    if (this.given.now() - this.#since.unasked > unaskedFor) this.end({ reason: 'not_asked' })
  }

  /** Ends it where its time is over. */
  check(): void {
    const now = this.given.now()
    // Nobody says that a connection has sent what waited in it.
    this.#release()
    const { asked, device, typist, key } = this.#since
    if (!this.typist && now - typist > givenBackAfter) this.giveBack()
    if (!this.#open && now - asked > answersWithin) this.end({ reason: this.#device ? 'no_shell' : 'no_answer' })
    else if (now - asked > longestSession) this.end({ reason: 'too_long' })
    else if (!this.#device && now - device > awayFor) this.end({ reason: 'device_left' })
    else if (!this.typist && now - typist > awayFor) this.end({ reason: 'left' })
    else if (this.#open && now - key > idleEndsAfter) this.end({ reason: 'idle' })
  }

  end(ending: Ending): void {
    if (this.#ended) return
    this.#ended = true
    this.#device?.end()
    this.#notifyAll({ t: 'ended', reason: ending.reason, by: ending.by ?? null, words: ending.words ?? null })
    for (const { socket } of this.visitors.values()) {
      // What says that it is closed can be read again.
      if (socket.isPaused) socket.resume()
      socket.close(1000, ending.reason)
    }
    this.given.onEnd(ending)
  }

  get isOver(): boolean {
    return this.#ended
  }
  get isOpen(): boolean {
    return this.#open
  }

  #notifyAll(words: ToBrowser) {
    for (const { socket } of this.visitors.values()) sendWords(socket, words)
  }

  #notifyWho() {
    const now = this.given.now()
    const people = [...this.visitors.values()].map(({ client: id, actor, asks }) => ({
      id,
      email: actor.email,
      types: id === this.#typist,
      asks,
    }))
    const left = { ends_in: this.#since.asked + longestSession - now, idle_in: this.#since.key + idleEndsAfter - now }
    for (const { socket, client } of this.visitors.values())
      sendWords(socket, { t: 'who', you: client, people, recorded: true, user: this.#user, ...left })
  }
}
