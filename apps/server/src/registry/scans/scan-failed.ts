/**
 * Why a scan went wrong, in words. `away`: the scanner was not reached, and what it was asked for may still be there; `failed`: this scan of it is lost, and
 * another may succeed; `for_good`: another would end alike.
 */
export class ScanFailed extends Error {
  readonly name = 'ScanFailed'
  readonly kind: 'away' | 'failed' | 'for_good'
  constructor(kind: ScanFailed['kind'], words: string, cause?: unknown) {
    super(words, { cause })
    this.kind = kind
  }
}
