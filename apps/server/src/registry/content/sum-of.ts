/** A sum of bytes that others said, at most the largest number that an answer has: it is whole, and the database takes it. */
export const sumOf = (bytes: readonly number[]): number =>
  Math.min(
    bytes.reduce((sum, each) => sum + each, 0),
    Number.MAX_SAFE_INTEGER
  )
