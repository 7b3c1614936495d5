import * as z from 'zod/mini'

/** Times on the wire: ISO 8601 in UTC. */
export const Time = z.iso.datetime()
/** An e-mail address as it is kept: trimmed and in lower case. */
export const Email = z.pipe(
  z.string().check(z.trim(), z.toLowerCase(), z.maxLength(254)),
  z.email({ error: 'Write an e-mail address, like name@example.com' })
)
/** Whole bytes. A JSON number is exact up to 9 PB, far above what one SIM moves. */
export const Bytes = z.int().check(z.nonnegative())
/** A list given by repeating a query parameter (`tag=a&tag=b`); one value is a list of one. */
export const listOf = <Item extends z.ZodMiniType>(item: Item) =>
  z.optional(
    z.pipe(
      z.transform((value: z.input<Item> | z.input<Item>[]) => (Array.isArray(value) ? value : [value])),
      z.array(item).check(z.maxLength(100))
    )
  )
/** No line breaks and other control characters: names stand in mails, logs and headers of files. */
export const oneLine = z.regex(/^\P{Cc}*$/u, 'Use one line of text')
/** A name a person gives to a thing. */
export const Name = z.string().check(z.trim(), z.minLength(1, 'Give it a name'), z.maxLength(120, 'Use at most 120 characters'), oneLine)
/** The name of an account. */
export const TeamName = z
  .string()
  .check(z.trim(), z.minLength(1, 'Write the name of your company or team'), z.maxLength(120, 'Use at most 120 characters'), oneLine)
