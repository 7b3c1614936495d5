import { BlobsNotWritten, checkKey, DraftGone, type Blobs, type Drafts, type FoundBlob } from './blobs.ts'

/** `abort`: gives up what was begun under such keys, and is not whole. */
type Store = Pick<Blobs, 'put' | 'read' | 'list' | 'remove'> & { abort: (isOne: (key: string) => boolean) => Promise<void> }

/** Removes drafts to which nothing came since `before`; answers how many pieces. `coming`: keys of pieces that are being written. */
type Clear = (before: Date, coming?: readonly string[]) => Promise<number>

/** The beginning of the keys of what is no blob yet. */
const draftKeys = 'drafts/'
const digits = 15
const draftOf = (key: string) => key.slice(0, key.lastIndexOf('/'))

/**
 * Drafts as an object for each piece, named by where it begins; they are put together when they are kept. A bucket cannot be appended to, and the parts of
 * its own uploads have a least size that a request here need not have.
 */
export function s3Drafts({ put, read, list, remove, abort }: Store): Drafts & { clear: Clear } {
  const prefixOf = (draft: string) => `${draftKeys}${checkKey(draft)}/`
  const beginOf = ({ key }: FoundBlob) => Number(key.slice(-digits))

  /** Its pieces in order, the first `size` bytes of them; throws where one is missing. */
  async function piecesOf(draft: string, size: number): Promise<FoundBlob[]> {
    const found: FoundBlob[] = []
    for await (const piece of list(prefixOf(draft))) found.push(piece)
    found.sort((a, b) => beginOf(a) - beginOf(b))
    const pieces: FoundBlob[] = []
    let at = 0
    for (const piece of found) {
      if (at >= size || beginOf(piece) !== at) continue
      pieces.push(piece)
      at += piece.size
    }
    if (at !== size) throw new DraftGone(`The draft has ${at} of ${size} bytes`)
    return pieces
  }

  async function* readPieces(pieces: FoundBlob[]): AsyncIterable<Uint8Array> {
    for (const { key } of pieces) {
      const piece = await read(key)
      if (!piece) throw new DraftGone('A piece of the draft is not there')
      yield* piece as AsyncIterable<Uint8Array>
    }
  }

  const drop = async (draft: string) => {
    for await (const { key } of list(prefixOf(draft))) await remove(key)
  }

  const cutTo = async (draft: string, size: number) => {
    for await (const piece of list(prefixOf(draft))) if (beginOf(piece) >= size) await remove(piece.key)
  }

  return {
    append: async (draft, from, bytes, { alone } = { alone: false }) => {
      if (!alone) {
        await piecesOf(draft, from)
        await cutTo(draft, from)
      }
      try {
        const { size } = await put(`${prefixOf(draft)}${String(from).padStart(digits, '0')}`, bytes)
        return { size: from + size }
      } catch (error) {
        if (error instanceof BlobsNotWritten) throw error
        return { size: from, failed: error }
      }
    },
    read: async function* (draft, size) {
      yield* readPieces(await piecesOf(draft, size))
    },
    keep: async (draft, key, expected) => {
      await put(key, readPieces(await piecesOf(draft, expected.size)), expected)
      await drop(draft)
    },
    cut: async (draft, size) => {
      await abort((key) => key.startsWith(prefixOf(draft)) || key.endsWith(`.${draft}`))
      await cutTo(draft, size)
    },
    drop,
    size: async (draft) => {
      let most: number | null = null
      for await (const piece of list(prefixOf(draft))) most = Math.max(most ?? 0, beginOf(piece) + piece.size)
      return most
    },
    clear: async (before, coming = []) => {
      const found: FoundBlob[] = []
      for await (const piece of list(draftKeys)) found.push(piece)
      const goOn = new Set(coming.map(draftOf))
      let cleared = 0
      for (const [draft, pieces] of Map.groupBy(found, ({ key }) => draftOf(key))) {
        // Its first piece may be old while the next ones come.
        if (goOn.has(draft) || pieces.some(({ changed_at }) => changed_at >= before)) continue
        for (const { key } of pieces) await remove(key)
        cleared += pieces.length
      }
      return cleared
    },
  }
}
