import { onTheWay } from './wire.ts'

/** Pieces of fewer bytes are put together, because each takes memory beside its bytes. */
const smallest = 1024

/** Adds bytes to the last of some pieces, or as one more. */
export function addPiece(pieces: Uint8Array[], bytes: Uint8Array): void {
  const last = pieces.at(-1)
  if (last === undefined || last.byteLength + bytes.byteLength > smallest) return void pieces.push(bytes)
  const both = new Uint8Array(last.byteLength + bytes.byteLength)
  both.set(last)
  both.set(bytes, last.byteLength)
  pieces[pieces.length - 1] = both
}

/** Bytes that were sent, kept until the other side has taken them, so that a connection that breaks loses none. Places count from the first byte. */
export class Unacked {
  #chunks: Uint8Array[] = []
  #from = 0
  #end = 0

  add(chunk: Uint8Array): void {
    addPiece(this.#chunks, chunk)
    this.#end += chunk.byteLength
  }

  /** The other side has all before this place. */
  taken(at: number): void {
    const upTo = Math.min(at, this.#end)
    let dropped = 0
    for (const chunk of this.#chunks) {
      if (this.#from + chunk.byteLength > upTo) break
      this.#from += chunk.byteLength
      dropped++
    }
    if (dropped > 0) this.#chunks.splice(0, dropped)
    const [first] = this.#chunks
    if (!first || upTo <= this.#from) return
    this.#chunks[0] = first.subarray(upTo - this.#from)
    this.#from = upTo
  }

  /** What is kept from this place on; undefined: some of it is not there any more, or was never there. */
  since(at: number): Uint8Array[] | undefined {
    if (at < this.#from || at > this.#end) return undefined
    let place = this.#from
    return this.#chunks.flatMap((chunk) => {
      const begin = place
      place += chunk.byteLength
      return place <= at ? [] : [at > begin ? chunk.subarray(at - begin) : chunk]
    })
  }

  get end(): number {
    return this.#end
  }
  get bytes(): number {
    return this.#end - this.#from
  }
  /** Nothing more should be taken from where it comes. */
  get full(): boolean {
    return this.bytes >= onTheWay
  }
}
