import type { WebSocket } from 'ws'
import type { EndReason, Size } from '@masthead/contract/terminal/session'
import { onTheWay, takenEach, type ToBrowser } from '@masthead/contract/terminal/wire'
import type { Actor } from '../../kernel/app.ts'
import type { Recorder } from '../recording/recorder.ts'

/** A window that is so far behind is let go, and may come again: nobody waits for who only watches, and not every device can be held up. */
export const mostUnread = 1024 * 1024
/** Frames that a window may be behind, however few bytes they are: each takes memory of its own. */
const mostUnsent = 16_384
/**
 * Bytes that the shell has not taken, from which on the one who types is not read. A window that counts sends at most `onTheWay` and a piece: not read, it
 * could not say what it has shown either, and a shell that waits for that would take nothing more.
 */
export const mostUntaken = onTheWay + takenEach
/** What a message takes beside its bytes, as these are counted: tens of thousands of single keys fill memory, and a paste comes in few pieces. */
export const perMessage = 16

/** Where the bytes come from and go to: an agent of ours, or a CORE device. `taken`: it may send on. `allowed`: whether it may still be there. */
export type DeviceEnd = {
  /** `taken`: the shell has it, as far as the device says so, or never will. */
  write: (bytes: Uint8Array, taken: () => void) => void
  /** Bytes that were written and not taken yet. */
  untaken: () => number
  allowed: () => Promise<boolean | 'unknown'>
  /** Lets go of it, as if the network broke. */
  drop: () => void
  resize: (size: Size) => void
  taken: (at: number) => void
  /** Has it come for a file; undefined: it has no files. */
  askForFile?: (id: string) => void
  end: () => void
}

/**
 * Whether somebody may still be there. `comes_again`: with the secret that their session has by now; the one by which they came was replaced. `unknown`: it
 * cannot be asked.
 */
export type Allowed = boolean | 'comes_again' | 'unknown'

/** Somebody at a window. `secret`: of their session, by which they came. `unsent`: frames of output that wait to be sent there. */
export type Visitor = {
  client: string
  secret: string
  actor: Actor
  socket: WebSocket
  allowed: () => Promise<Allowed>
  asks: boolean
  unsent: number
}

/** Whether a window is so far behind that it is let go. */
export const isBehind = ({ socket, unsent }: Visitor): boolean => socket.bufferedAmount > mostUnread || unsent > mostUnsent

export function show(visitor: Visitor, bytes: Uint8Array): void {
  visitor.unsent++
  visitor.socket.send(bytes, () => visitor.unsent--)
}

/** To a window. */
export const sendWords = (socket: WebSocket, words: ToBrowser): void => socket.send(JSON.stringify(words))

export type Ending = { reason: EndReason; by?: string | null; words?: string | null }

/** The session that is relayed. */
export type Relayed = {
  account_id: string
  id: string
  device_id: string
  asset_id: string
  asset_name: string
  person_id: string
  opened_by: string
  /** Opened by support, with this access. */
  support_id: string | null
}

/** What a relay is made of. */
export type RelayGiven = {
  session: Relayed
  size: Size
  recorder: Recorder
  /** In ms, however the time is set meanwhile. */
  now: () => number
  /** ms since it was asked for. */
  age: number
  onOpen: () => void
  onEnd: (ending: Ending) => void
  onWatch: (visitor: Visitor) => void
  onHandOver: (from: Visitor, to: Visitor) => void
}
