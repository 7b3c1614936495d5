import type { WebSocket } from 'ws'
import { fileBrokenOff, fileFetched, fileSent } from '@masthead/contract/terminal/events'
import { mostFiles, type FileEnd } from '@masthead/contract/terminal/file'
import { FileFromBrowser, FileFromDevice, type FileToBrowser } from '@masthead/contract/terminal/file-wire'
import { idKind, newId } from '@masthead/contract/kernel/id'
import { awayFor } from '@masthead/contract/terminal/session'
import { readFrame } from '@masthead/contract/terminal/wire'
import { formatBytes } from '@masthead/contract/usage/bytes'
import type { Actor, App } from '../../kernel/app.ts'
import { record } from '../../kernel/record.ts'
import type { Allowed } from '../relay/ends.ts'
import type { Relay } from '../relay/relay.ts'
import { storable } from '../storable.ts'
import { Transfer, type FileEnding } from './transfer.ts'

const fileId = idKind('fil')
const asksEvery = 1000 // ms: whoever may not any more is out within two seconds

/** Who sends or fetches. `client`: their window on the terminal. `allowed`: whether they may still be there. */
type Sender = { actor: Actor; client: string; relay: Relay; allowed: () => Promise<Allowed> }
type Held = Sender & { transfer: Transfer }

/** The files that go through the terminals of this process. A file ends with its terminal. */
export class FileHub {
  #app: App
  #held = new Map<string, Held>()
  /** The connections of devices, and whether each may still be there. */
  #devices = new Map<WebSocket, () => Promise<boolean | 'unknown'>>()
  #writing = new Set<Promise<unknown>>()
  #timer: NodeJS.Timeout
  #asking = false

  constructor(app: App) {
    this.#app = app
    this.#timer = setInterval(() => void this.#check(), asksEvery)
    this.#timer.unref()
  }

  /** A connection of a window: it begins a file, or goes on with one. */
  joinBrowser(sender: Sender, socket: WebSocket): void {
    let mine: Transfer | undefined
    socket.on('message', (data: Buffer, isBinary) => {
      if (isBinary) return mine?.piece(socket, data)
      const said = readFrame(FileFromBrowser, data.toString())
      if (!said) return refuse(socket, 'not_understood')
      if (mine) return mine.fromBrowser(socket, said)
      const found = said.t === 'begin' ? this.#begin(sender, said) : said.t === 'resume' ? this.#find(sender, said.id) : 'not_understood'
      if (typeof found === 'string') return refuse(socket, found)
      mine = found
      found.joinBrowser(socket)
    })
    socket.on('close', () => mine?.leaveBrowser(socket))
  }

  /** The file that a device comes for; undefined: it is over, or none of its own. */
  ofDevice(id: string, device_id: string): Transfer | undefined {
    const held = this.#held.get(id)
    return held && held.relay.given.session.device_id === device_id && !held.transfer.isOver ? held.transfer : undefined
  }

  joinDevice(transfer: Transfer, socket: WebSocket, allowed: () => Promise<boolean | 'unknown'>): void {
    this.#devices.set(socket, allowed)
    socket.on('message', (data: Buffer, isBinary) => {
      if (isBinary) return transfer.piece(socket, data)
      const said = readFrame(FileFromDevice, data.toString())
      return said && transfer.fromDevice(socket, said)
    })
    socket.on('close', () => {
      this.#devices.delete(socket)
      transfer.leaveDevice(socket)
    })
    transfer.joinDevice(socket)
  }

  endOf(relay: Relay): void {
    for (const held of this.#held.values()) if (held.relay === relay) held.transfer.end('session_over')
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await Promise.allSettled(this.#writing)
  }

  #begin(sender: Sender, begin: Extract<FileFromBrowser, { t: 'begin' }>): Transfer | FileEnd {
    const { relay, actor, client } = sender
    const { session, recorder } = relay.given
    if (relay.isOver || !relay.isOpen) return 'session_over'
    if (relay.typist?.client !== client) return 'watching'
    if (!relay.device) return 'device_left'
    const { askForFile } = relay.device
    if (!askForFile) return 'not_supported'
    const open = [...this.#held.values()].filter((held) => held.relay === relay && !held.transfer.isOver)
    if (open.length >= mostFiles) return 'too_many'
    const { clock } = this.#app
    const id = newId(fileId, clock.now().getTime())
    const now = clock.passed
    const transfer = new Transfer({ id, begin, now, onMove: () => relay.used(), onEnd: (ending) => this.#note(held, begin.way, ending) })
    const held = { ...sender, transfer }
    this.#held.set(id, held)
    recorder.marker(`${actor.email} ${begin.way === 'up' ? `sends ${begin.name} to` : 'fetches'} ${begin.path}`)
    this.#app.log.info({ terminal: session.id, file: id, way: begin.way }, 'a file goes through a terminal')
    askForFile(id)
    return transfer
  }

  #find({ actor, relay, allowed }: Sender, id: string): Transfer | FileEnd {
    const held = this.#held.get(id)
    if (!held || held.relay !== relay || held.actor.person_id !== actor.person_id) return 'left'
    // By what they came with now.
    held.allowed = allowed
    return held.transfer
  }

  async #check() {
    if (this.#asking || this.#held.size === 0) return
    this.#asking = true
    await Promise.all([...this.#devices].map(async ([socket, allowed]) => (await allowed()) || socket.terminate()))
    await Promise.all(
      [...this.#held.values()].map(async (held) => {
        const { transfer, allowed, relay, client } = held
        if (transfer.isOver) return
        // The keyboard of a window that is away for a moment is still its.
        if (relay.typist && relay.typist.client !== client) return transfer.end('watching')
        const may = await allowed()
        if (!may) return transfer.end('not_allowed')
        // It may not come again after all; one that came again while this was asked is another.
        if (may === 'comes_again' && held.allowed === allowed) transfer.dropBrowser()
        transfer.check()
      })
    )
    this.#asking = false
  }

  #note({ transfer: { id }, actor, relay }: Held, way: 'up' | 'down', { end, path, size, moved, sha256 }: FileEnding) {
    // Kept for a window that has not received how it ended.
    setTimeout(() => this.#held.delete(id), awayFor).unref()
    const { asset_id, asset_name, id: terminal_id } = relay.given.session
    const named = { asset_id, asset_name, terminal_id, path: storable(path) }
    const by = { ...actor, at: this.#app.clock.now() }
    const noted = this.#app.db
      .transaction()
      .execute(async (tx) => {
        if (end === 'done')
          await record(tx, by, way === 'up' ? fileSent : fileFetched, { ...named, size: formatBytes(size), sha256: sha256! })
        else if (moved > 0)
          await record(tx, by, fileBrokenOff, { ...named, way, size: formatBytes(moved), of: formatBytes(size), reason: end })
      })
      .catch((error: unknown) => this.#app.log.error({ err: error, file: id }, 'something of a file could not be written'))
    this.#writing.add(noted)
    void noted.finally(() => this.#writing.delete(noted))
  }
}

function refuse(socket: WebSocket, end: FileEnd) {
  const words: FileToBrowser = { t: 'over', end, words: null }
  socket.send(JSON.stringify(words))
  socket.close(1000)
}
