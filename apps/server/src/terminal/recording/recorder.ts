import { createHash } from 'node:crypto'
import type { Size } from '@masthead/contract/terminal/session'
import type { Blobs } from '../../kernel/blobs/blobs.ts'
import { Cast } from './cast.ts'

const flushEvery = 400 // ms: where a part is written within half a second, a server that is killed loses less than the last one
const mostPending = 1024 * 1024 // bytes that wait to be written, before what writes them is held up
const farBehind = 16 * mostPending // what writes them did not let itself be held up
const mostWritten = 4 * 1024 ** 3 // bytes

type Given = {
  drafts: Blobs['drafts']
  draft: string
  key: string
  size: Size
  at: number
  title: string
  onRoom: () => void
  onFail: (error: unknown) => void
}

/** Writes what is shown and typed in a terminal, as it comes, and makes a blob of it in the end. */
export class Recorder {
  #given: Given
  #cast = new Cast()
  #hash = createHash('sha256')
  #began = performance.now()
  #pending: Buffer[] = []
  #waiting = 0
  #written = 0
  #writing: Promise<void> | undefined
  /** What waits is to be written as soon as what is being written is. */
  #due = false
  #timer: NodeJS.Timeout
  #failed = false

  constructor(given: Given) {
    this.#given = given
    this.#add(this.#cast.begin(given.size, given.at / 1000, given.title))
    this.#timer = setInterval(() => void this.#flush(), flushEvery)
    this.#timer.unref()
  }

  output = (bytes: Uint8Array) => this.#add(this.#cast.output(this.#now(), bytes))
  input = (bytes: Uint8Array) => this.#add(this.#cast.input(this.#now(), bytes))
  resize = (size: Size) => this.#add(this.#cast.resize(this.#now(), size))
  marker = (words: string) => this.#add(this.#cast.marker(this.#now(), words))

  /** Nothing more should come until `onRoom` is called. */
  get full(): boolean {
    return this.#waiting >= mostPending
  }

  /** Why there can be no more. */
  get over(): 'recording_full' | 'recording_failed' | null {
    return this.#written > mostWritten ? 'recording_full' : this.#waiting > farBehind ? 'recording_failed' : null
  }

  /** What is to be kept; the blob is there afterwards. */
  async keep(): Promise<void> {
    clearInterval(this.#timer)
    this.#add(this.#cast.end(this.#now()))
    await this.#flush()
    if (this.#failed) throw new Error('The recording could not be written')
    await this.#given.drafts.keep(this.#given.draft, this.#given.key, { size: this.#written, sha256: this.#hash.digest('hex') })
  }

  /** Nothing of it is to be kept. */
  async drop(): Promise<void> {
    clearInterval(this.#timer)
    this.#failed = true
    await this.#writing
    await this.#given.drafts.drop(this.#given.draft)
  }

  #now = () => (performance.now() - this.#began) / 1000

  #add(text: string) {
    if (text === '' || this.#failed) return
    const bytes = Buffer.from(text)
    this.#pending.push(bytes)
    this.#waiting += bytes.byteLength
    if (this.full) void this.#flush()
  }

  /** One part at a time; what was to be written meanwhile follows at once. */
  #flush(): Promise<void> {
    this.#due = true
    return (this.#writing ??= this.#writeDue().finally(() => (this.#writing = undefined)))
  }

  async #writeDue(): Promise<void> {
    while (this.#due) {
      this.#due = false
      await this.#write()
    }
  }

  async #write(): Promise<void> {
    const part = this.#pending
    if (part.length === 0 || this.#failed) return
    this.#pending = []
    const size = part.reduce((sum, { byteLength }) => sum + byteLength, 0)
    try {
      const { size: written, failed } = await this.#given.drafts.append(this.#given.draft, this.#written, piecesOf(part), { alone: true })
      if (failed || written !== this.#written + size) throw failed ?? new Error('Some bytes were not written')
      for (const piece of part) this.#hash.update(piece)
      this.#written = written
      // Also where it became full while this part was written.
      const wasFull = this.full
      this.#waiting -= size
      if (wasFull && !this.full) this.#given.onRoom()
    } catch (error) {
      this.#failed = true
      this.#pending = []
      this.#waiting = 0
      this.#given.onFail(error)
    }
  }
}

async function* piecesOf(part: Buffer[]): AsyncIterable<Uint8Array> {
  yield* part
}
