import { isUtf8 } from 'node:buffer'
import type { Size } from '@masthead/contract/terminal/session'
import { withinReach } from './candidates.ts'
import type { DeviceEnd } from './ends.ts'
import { Outbox } from './outbox.ts'
import type { Relay } from './relay.ts'

/** How an offer gets to a device, and its answer back: by MQTT (domain §6.6). */
export type Signalling = {
  offer: (payload: string) => Promise<void>
  /** Undefined: none yet. */
  answer: () => Promise<string | undefined>
  /** The address from which the device was seen last; null: none is known. */
  from: () => Promise<string | null>
  /** What the device signs in with, as something that is another once its credentials are. */
  login: () => Promise<string | null>
}

const asksEvery = 250 // ms
const gathersWithin = 3000 // ms
/** The user as whom a device of that kind starts its shell. */
const user = 'sixfab'
/** What a device says that has no terminal for its processor. */
export const notSupported = 'platform_not_supported'
const mostUnsent = 256 * 1024
/** Channels that the device may open beside ours. */
const mostOthers = 16
/** Bytes of one message: not more than any other side has to take (RFC 8841 §6.1). */
const mostAtOnce = 16 * 1024
/** Messages with text or bytes in them (RFC 8831 §8). */
const shownKinds = new Set([51, 53])

/**
 * Opens the shell of a CORE device: we are the browser of its protocol, so that what goes through is recorded and stopped here. Its channel cannot be
 * held up, so a window that stays behind is let go instead.
 */
export async function joinCore(relay: Relay, { offer, answer, from, login }: Signalling): Promise<void> {
  // Loaded when it is needed: most have no such device.
  const { RTCPeerConnection } = await import('werift')
  const peer = new RTCPeerConnection({ iceServers: [] })
  const channel = peer.createDataChannel('terminal')
  // The shell has this one. Any other is kept for as long as the session lasts, also once it is closed.
  let others = 0
  peer.onDataChannel.subscribe(() => {
    if (++others > mostOthers) relay.end({ reason: 'device_left', words: `The device opened more than ${mostOthers} channels of its own` })
  })
  let over = false
  let signedInBy: string | null = null
  const outbox = new Outbox({
    // What waits when it is over goes nowhere, and nothing waits for a channel that has no room any more.
    hasRoom: () => over || channel.bufferedAmount < mostUnsent,
    send: (message) => !over && channel.readyState === 'open' && channel.send(message),
  })
  const end: DeviceEnd = {
    write: (bytes, taken) => {
      const parts = messagesOf(bytes)
      let left = parts.length
      if (left === 0) return taken()
      for (const part of parts) outbox.say(part, () => --left === 0 && taken())
      return undefined
    },
    // Beside what the channel has.
    untaken: () => outbox.untaken,
    // What is typed goes past the broker, which lets nobody in with the credentials of before.
    allowed: () =>
      login().then(
        (now) => now === signedInBy,
        () => 'unknown' as const
      ),
    drop: () => relay.end({ reason: 'device_left', words: 'The device was given other credentials' }),
    resize: ({ cols, rows }: Size) => outbox.say(`resize_${rows},${cols}`),
    taken: () => {},
    end: () => {
      over = true
      channel.close()
      // The channel says that it is closed before the connection goes.
      setTimeout(() => void peer.close().catch(() => {}), 500).unref()
    },
  }
  channel.stateChanged.subscribe((state) => {
    if (state === 'open') {
      // As it comes: the device writes bytes into messages of text, cuts characters, and the channel would hand on others in their place.
      peer.sctpTransport!.sctp.onReceive.subscribe((stream, kind, data) => {
        if (stream === channel.id && shownKinds.has(kind)) relay.shown(data)
      })
      relay.started(user)
      // Its first line sets up the colours, and is nothing to be seen.
      outbox.say('clear\r')
    } else if (state === 'closed' && !over) relay.end({ reason: 'shell_ended', by: relay.typist?.actor.email ?? null })
  })
  peer.connectionStateChange.subscribe((state) => {
    if (over || (state !== 'failed' && state !== 'disconnected')) return
    // It does not come again by itself, as an agent does within its minute.
    relay.end(relay.isOpen ? { reason: 'device_left', words: 'The connection to the device broke' } : { reason: 'not_connected' })
  })
  try {
    signedInBy = await login()
    await peer.setLocalDescription(await peer.createOffer())
    // It takes no candidates later.
    await new Promise<void>((resolve) => {
      if (peer.iceGatheringState === 'complete') return resolve()
      peer.iceGatheringStateChange.subscribe((state) => state === 'complete' && resolve())
      setTimeout(resolve, gathersWithin)
    })
    const { sdp } = peer.localDescription!
    await offer(Buffer.from(JSON.stringify({ type: 'offer', sdp })).toString('base64'))
    let said = await answer()
    while (said === undefined && !relay.isOver) {
      await new Promise((resolve) => setTimeout(resolve, asksEvery))
      said = await answer()
    }
    if (said === undefined || relay.isOver) return end.end()
    if (said === notSupported) {
      end.end()
      return relay.end({ reason: 'not_supported', words: 'There is no terminal for the processor of this device: it takes arm32 or arm64' })
    }
    relay.attach(end)
    const { type, sdp: theirs } = JSON.parse(Buffer.from(said, 'base64').toString()) as { type: 'answer'; sdp: string }
    await peer.setRemoteDescription({ type, sdp: withinReach(theirs, await from()) })
  } catch (error) {
    end.end()
    relay.end({ reason: 'not_connected', words: `The device could not be reached: ${(error as Error).message}`.slice(0, 300) })
  }
}

/**
 * What is typed as the messages that carry it, byte for byte: text, as a browser sends it, and bytes where they are none. What reads like a word of
 * the protocol is sent in two, as it would be none of what was typed.
 */
export function messagesOf(typed: Uint8Array): (string | Buffer)[] {
  const bytes = Buffer.from(typed.buffer, typed.byteOffset, typed.byteLength)
  const messages: Buffer[] = []
  for (let at = 0; at < bytes.length;) {
    let end = Math.min(at + mostAtOnce, bytes.length)
    // Not within a character.
    for (let back = 0; back < 3 && end < bytes.length && (bytes[end]! & 0b1100_0000) === 0b1000_0000; back++) end--
    const message = bytes.subarray(at, end)
    const text = message.toString('latin1')
    if (text === 'ping' || text.startsWith('resize_')) messages.push(message.subarray(0, 1), message.subarray(1))
    else messages.push(message)
    at = end
  }
  return messages.map((message) => (isUtf8(message) ? message.toString() : message))
}
