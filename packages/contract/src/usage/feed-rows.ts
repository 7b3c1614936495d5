import * as z from 'zod/mini'

/** Rows of one call. More of them are more calls. */
export const mostRows = 1000

/** Read one by one (`feed-record.ts`), so that a wrong row costs no other one. */
export const Rows = z
  .array(z.record(z.string(), z.nullable(z.union([z.string(), z.number()], { error: 'A field is text or a number' }))))
  .check(z.minLength(1, 'Send at least one'), z.maxLength(mostRows, `Send at most ${mostRows} at once`))

/** Which rows were not taken, and why. */
export const RowErrors = z.array(z.object({ index: z.int(), words: z.string() }))
