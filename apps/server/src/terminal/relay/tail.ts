import { addPiece } from '@masthead/contract/terminal/unacked'

const most = 64 * 1024

/** The last of what was shown, for who comes later. */
export class Tail {
  #chunks: Uint8Array[] = []
  bytes = 0

  add(chunk: Uint8Array): void {
    addPiece(this.#chunks, chunk)
    this.bytes += chunk.byteLength
    while (this.#chunks.length > 1 && this.bytes - this.#chunks[0]!.byteLength >= most) this.bytes -= this.#chunks.shift()!.byteLength
  }

  all = (): readonly Uint8Array[] => this.#chunks
}
