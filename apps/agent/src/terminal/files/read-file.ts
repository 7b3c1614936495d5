import { createHash } from 'node:crypto'
import { open, stat, type FileHandle } from 'node:fs/promises'
import { largestFile } from '@masthead/contract/terminal/file'
import { FileTrouble } from './place.ts'

/** A file that is being read, as long as it was when it was opened. */
export class ReadFile {
  readonly path: string
  readonly size: number
  #handle: FileHandle
  #hash = createHash('sha256')
  #at = 0
  #sum: string | undefined

  private constructor(path: string, size: number, handle: FileHandle) {
    this.path = path
    this.size = size
    this.#handle = handle
  }

  static async begin({ path }: { path: string }) {
    // Looked at first: a pipe that nobody writes to is opened for ever.
    if (!(await stat(path)).isFile()) throw new FileTrouble('not_a_file', path)
    const handle = await open(path, 'r')
    const { size } = await handle.stat()
    if (size <= largestFile) return new ReadFile(path, size, handle)
    await handle.close()
    throw new FileTrouble('too_large', `It has ${size} bytes`)
  }

  get isWhole(): boolean {
    return this.#at === this.size
  }
  get sum(): string {
    return (this.#sum ??= this.#hash.digest('hex'))
  }

  async read(at: number, n: number): Promise<Uint8Array> {
    const bytes = Buffer.alloc(n)
    for (let got = 0; got < n;) {
      const { bytesRead } = await this.#handle.read(bytes, got, n - got, at + got)
      if (bytesRead === 0) throw new FileTrouble('changed', `It is shorter than the ${this.size} bytes that it had`)
      got += bytesRead
    }
    // Of what is read again the sum has its part already.
    if (at <= this.#at && at + n > this.#at) {
      this.#hash.update(bytes.subarray(this.#at - at))
      this.#at = at + n
    }
    return bytes
  }

  drop(): Promise<void> {
    return this.#handle.close().catch(() => {})
  }
}
