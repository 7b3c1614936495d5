import { createHash, randomBytes } from 'node:crypto'
import { link, open, rename, statfs, unlink, type FileHandle } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { FileTrouble, placeFor } from './place.ts'

/** Room that is left to the device. */
const leaves = 16 * 1024 * 1024

/** A file that is being written: it has another name until it is whole. */
export class WrittenFile {
  readonly path: string
  readonly size: number
  #handle: FileHandle
  #draft: string
  #mode: number | null
  #hash = createHash('sha256')
  #at = 0
  #sum: string | undefined
  #over = false

  private constructor(given: { path: string; draft: string; size: number; mode: number | null; handle: FileHandle }) {
    this.path = given.path
    this.size = given.size
    this.#draft = given.draft
    this.#mode = given.mode
    this.#handle = given.handle
  }

  static async begin({ path: typed, name, size, replace }: { path: string; name: string; size: number; replace: boolean }) {
    const { path, mode } = await placeFor(typed, name, replace)
    const { bavail, bsize } = await statfs(dirname(path))
    const room = Math.max(0, bavail * bsize - leaves)
    if (size > room) throw new FileTrouble('no_space', `It has ${size} bytes, and there is room for ${room}`)
    const draft = join(dirname(path), `.${basename(path).slice(0, 180)}.${randomBytes(6).toString('hex')}.part`)
    return new WrittenFile({ path, draft, size, mode, handle: await open(draft, 'wx', mode ?? 0o666) })
  }

  get at(): number {
    return this.#at
  }
  get isWhole(): boolean {
    return this.#at === this.size
  }
  get sum(): string {
    return (this.#sum ??= this.#hash.digest('hex'))
  }

  async write(bytes: Uint8Array): Promise<void> {
    this.#hash.update(bytes)
    for (let from = 0; from < bytes.byteLength;) {
      const { bytesWritten } = await this.#handle.write(bytes, from, bytes.byteLength - from, this.#at + from)
      from += bytesWritten
    }
    this.#at += bytes.byteLength
  }

  /** Gives it its name. One that another made meanwhile stays, unless it was to be replaced. */
  async keep(): Promise<void> {
    await this.#handle.sync()
    if (this.#mode !== null) await this.#handle.chmod(this.#mode)
    await this.#handle.close()
    if (this.#mode === null) {
      await link(this.#draft, this.path)
      await unlink(this.#draft)
    } else await rename(this.#draft, this.path)
    this.#over = true
  }

  /** Nothing of it stays, unless it was kept. */
  async drop(): Promise<void> {
    if (this.#over) return
    this.#over = true
    await this.#handle.close().catch(() => {})
    await unlink(this.#draft).catch(() => {})
  }
}
