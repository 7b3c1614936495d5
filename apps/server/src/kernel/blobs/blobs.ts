import { createHash, type Hash } from 'node:crypto'
import type { Readable } from 'node:stream'

/** What was kept under a key. `sha256`: hex. */
export type KeptBlob = { size: number; sha256: string }
export type FoundBlob = { key: string; size: number; changed_at: Date }
/** Bytes from `start` to `end`, both included, as in a Range header. */
export type ByteRange = { start: number; end: number }

/**
 * What comes in pieces, perhaps of several requests, under names like those of a key's parts; it is no blob until it is kept. What nobody goes on
 * with is removed by `clear`.
 */
export type Drafts = {
  /**
   * Adds what comes behind the first `from` bytes; what was beyond them is gone. Answers how much there is now: where its source fails all that
   * came before may stay, and `failed` says why. Throws DraftGone where there are fewer bytes, and BlobsNotWritten. `alone`: nobody else ever
   * appends to it and no failure is gone on from, so what is there need not be looked up each time.
   */
  append: (
    draft: string,
    from: number,
    bytes: AsyncIterable<Uint8Array>,
    how?: { alone: boolean }
  ) => Promise<{ size: number; failed?: unknown }>
  /** The first `size` bytes. Throws DraftGone where there are fewer. */
  read: (draft: string, size: number) => AsyncIterable<Uint8Array>
  /** Makes a blob of it under a key, as `put` does, whose digest has been seen by who appended. Throws DraftGone, BlobDiffers, BlobsNotWritten. */
  keep: (draft: string, key: string, expected: KeptBlob) => Promise<void>
  /**
   * Removes what a process left that was killed while it wrote: what is behind the first `size` bytes, and parts of a piece, or of a blob whose key ends with
   * `.draft`, that were not whole. Nobody else may write to it meanwhile.
   */
  cut: (draft: string, size: number) => Promise<void>
  drop: (draft: string) => Promise<void>
  /** How many bytes there are; null: there is none. */
  size: (draft: string) => Promise<number | null>
}

/**
 * Large things outside the database, by keys like `reports/acc_1/rep_1.1`: words of small letters, digits, `.`, `_` and `-` with slashes
 * between, and no key is the beginning of another with a slash after it. Each is there whole or not at all. Nothing here knows of accounts:
 * whoever calls has checked whose it is.
 */
export type Blobs = {
  /**
   * Keeps what comes, at the pace at which it can be written and in little memory; what was there under the key is replaced. With `expected` a
   * digest or a size: throws BlobDiffers where they are others, and keeps nothing. Throws BlobsNotWritten, in words.
   */
  put: (key: string, bytes: AsyncIterable<Uint8Array>, expected?: Partial<KeptBlob>) => Promise<KeptBlob>
  /** Null where there is none. Throws BlobsNotRead. */
  find: (key: string) => Promise<FoundBlob | null>
  /** All of it or a part, which must lie within; null where there is none. The reader sets the pace, and must read or destroy it. Throws BlobsNotRead. */
  read: (key: string, range?: ByteRange) => Promise<Readable | null>
  /** An address by which whoever has it reads a blob past us, for twenty minutes from a time on; null: it is read through us. */
  link: (key: string, at: Date) => string | null
  drafts: Drafts
  /** What is not there is no mistake. */
  remove: (key: string) => Promise<void>
  /** All whose key begins so, in no order, as they are found. */
  list: (prefix: string) => AsyncIterable<FoundBlob>
  /** Removes what was left behind by a `put` that was killed, and drafts to which nothing came, before that time; answers how many. */
  clear: (before: Date) => Promise<number>
  /** Why nothing can be written, in words; null: it can. */
  whyNotWritten: () => Promise<string | null>
  /** How many bytes of its disk are free, of how many there are; null: not known, as of a bucket. */
  room: () => Promise<{ free: number; all: number } | null>
  /** Where it is, in words of the configuration. */
  place: string
}

/** What came is not what was said to come. */
export class BlobDiffers extends Error {
  readonly name = 'BlobDiffers'
}

/** A draft that is not there, or not as far: begin anew. */
export class DraftGone extends Error {
  readonly name = 'DraftGone'
}

/** The store takes nothing: `message` says why, for the person who runs it. */
export class BlobsNotWritten extends Error {
  readonly name = 'BlobsNotWritten'
}

/** The store says neither what is there nor that it is not: `message` says why, for the person who runs it. */
export class BlobsNotRead extends Error {
  readonly name = 'BlobsNotRead'
}

const word = /^[a-z0-9_][a-z0-9._-]{0,199}$/
/** Throws where a key is none. They are made by us, so it is a mistake of ours. */
export function checkKey(key: string): string {
  if (key.length > 900 || !key.split('/').every((part) => word.test(part))) throw new Error(`This is no key of a blob: ${key}`)
  return key
}

/** Counts what goes through, and throws at its end where it is not what was expected: before it is kept. */
export class Measure {
  size = 0
  /** Once all has gone through. */
  kept: KeptBlob | undefined
  /** Why no more came. */
  failed: unknown
  readonly #hash: Hash = createHash('sha256')
  readonly #expected: Partial<KeptBlob>

  constructor(expected: Partial<KeptBlob> = {}) {
    this.#expected = expected
  }

  /** The same bytes, as they are asked for. Whoever gives up reading them has not failed by what came. */
  async *of(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const source = bytes[Symbol.asyncIterator]()
    const next = async () => {
      try {
        const step = await source.next()
        if (step.done) this.kept = this.#end()
        else this.#add(step.value)
        return step
      } catch (error) {
        this.failed = error
        throw error
      }
    }
    try {
      for (let step = await next(); !step.done; step = await next()) yield step.value
    } finally {
      await source.return?.()
    }
  }

  #add(chunk: Uint8Array) {
    this.size += chunk.byteLength
    this.#hash.update(chunk)
    if (this.#expected.size !== undefined && this.size > this.#expected.size)
      throw new BlobDiffers(`More came than the ${this.#expected.size} bytes that were announced`)
  }

  #end(): KeptBlob {
    const { size, sha256 } = this.#expected
    const kept = { size: this.size, sha256: this.#hash.digest('hex') }
    if (size !== undefined && size !== kept.size) throw new BlobDiffers(`${kept.size} bytes came, and ${size} were announced`)
    if (sha256 !== undefined && sha256 !== kept.sha256)
      throw new BlobDiffers(`The digest of what came is sha256:${kept.sha256}, and sha256:${sha256} was announced`)
    return kept
  }
}
