import type { RTCDataChannel, RTCPeerConnection } from 'werift'
import type { Shell, StartShell } from '@masthead/agent/terminal/shell'

type Given = {
  start: StartShell
  /** Has a message published at the topic of answers. */
  answer: (message: string) => void
}

const largestFrame = 1024 // bytes
/** So many shells at once. */
const most = 20
/** Who asked and does not come is waited for no longer. */
const comesWithin = 30_000 // ms
/** The channel says that it is closed before the connection goes. */
const goodbye = 500 // ms
/** What a server types first, to hide the line by which a real device sets up its colours. Here there is none. */
const firstLine = 'clear\r'

/** The helper of a CORE device, which answers an offer and gives its channel a shell (domain §6.6). */
export function keepCoreTerminals({ start, answer }: Given) {
  const open = new Map<RTCPeerConnection, () => void>()

  async function join(request: Buffer) {
    const { id, payload } = JSON.parse(request.toString()) as { id: string; payload: string }
    const { type, sdp } = JSON.parse(Buffer.from(payload, 'base64').toString()) as { type: 'offer'; sdp: string }
    if (type !== 'offer' || open.size >= most) return
    // Loaded when it is needed: nobody may ask.
    const { RTCPeerConnection } = await import('werift')
    const peer = new RTCPeerConnection({ iceServers: [] })
    let channel: RTCDataChannel | undefined
    let over = false
    const end = () => {
      if (over) return
      over = true
      clearTimeout(late)
      open.delete(peer)
      channel?.close()
      setTimeout(() => void peer.close().catch(() => {}), goodbye).unref()
    }
    const late = setTimeout(() => channel ?? end(), comesWithin)
    open.set(peer, end)
    peer.connectionStateChange.subscribe((state) => {
      if (state === 'failed' || state === 'disconnected' || state === 'closed') end()
    })
    peer.onDataChannel.subscribe((made) => {
      if (channel) return made.close()
      channel = made
      return runShell(made, start, end)
    })
    try {
      await peer.setRemoteDescription({ type, sdp })
      await peer.setLocalDescription(await peer.createAnswer())
      const said = JSON.stringify({ type: 'answer', sdp: peer.localDescription!.sdp })
      if (!over) answer(JSON.stringify({ id, payload: Buffer.from(said).toString('base64') }))
    } catch (error) {
      end()
      throw error
    }
  }

  return {
    /** A request to be connected. One that cannot be read is answered with nothing, as of a device. */
    receive(request: Buffer): void {
      join(request).catch(() => {})
    },
    size: () => open.size,
    stop(): void {
      for (const end of open.values()) end()
    },
  }
}

/** A shell that is shown by a channel, and ends with it. */
function runShell(channel: RTCDataChannel, start: StartShell, end: () => void) {
  const send = (bytes: Uint8Array) => {
    for (let at = 0; at < bytes.byteLength && channel.readyState === 'open'; at += largestFrame)
      channel.send(Buffer.from(bytes.subarray(at, at + largestFrame)))
  }
  // What comes while it starts is for it, too.
  const started: Promise<Shell> = start({ cols: 80, rows: 24 }, { onBytes: send, onExit: end })
  started.catch(end)
  let isFirst = true
  channel.onMessage.subscribe((data) => {
    const text = data.toString()
    const wasFirst = isFirst
    const size = /^resize_(\d+),(\d+)$/.exec(text)
    if (text === 'ping') return channel.send('pong')
    if (!size) isFirst = false
    if (!size && wasFirst && text === firstLine) return undefined
    return void started.then(
      (shell) =>
        size ? shell.resize({ rows: Number(size[1]), cols: Number(size[2]) }) : shell.write(Buffer.from(data as Buffer), () => {}),
      () => {}
    )
  })
  channel.stateChanged.subscribe((state) => {
    if (state !== 'closing' && state !== 'closed') return
    started.then((shell) => shell.end()).catch(() => {})
    end()
  })
}
