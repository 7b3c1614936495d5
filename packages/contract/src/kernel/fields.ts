import * as z from 'zod/mini'

/** Times on the wire: ISO 8601 in UTC. */
export const Time = z.iso.datetime()
const known = z.refine<string>((text) => text >= '1970' && text < '3000', 'Choose a time of the years 1970 to 2999')
/** A time to look from or to: one that this product can know of, and that the database can count with. */
export const AskedTime = z.iso.datetime().check(known)
/** The same of a day. */
export const AskedDay = z.iso.date().check(known)
/** An e-mail address as it is kept: trimmed and in lower case. */
export const Email = z.pipe(
  z.string().check(z.trim(), z.toLowerCase(), z.maxLength(254)),
  z.email({ error: 'Enter an e-mail address, like name@example.com' })
)
/**
 * Whole bytes in a reply or an event. JSON numbers are exact up to 2^53 (9 PB). A larger sum is the nearest number there is: what a database
 * holds exactly is never refused on its way out. What is asked for has Zod's own int, which refuses what would be rounded.
 */
export const Bytes = z.number().check(z.refine(Number.isInteger, 'Enter whole bytes'), z.nonnegative())
/** A list given by repeating a query parameter (`tag=a&tag=b`); one value is a list of one. */
export const listOf = <Item extends z.ZodMiniType>(item: Item) =>
  z.optional(
    z.pipe(
      z.transform((value: z.input<Item> | z.input<Item>[]) => (Array.isArray(value) ? value : [value])),
      z.array(item).check(z.maxLength(100))
    )
  )
/** No line breaks and other control characters: names stand in mails, logs and headers of files. */
const oneLine = z.regex(/^[^\p{Cc}\p{Zl}\p{Zp}\p{Cs}]*$/u, 'Use one line of text')
/**
 * What nobody sees, and what turns the direction of the text around it: with it a name could look like another's in a list, or turn the
 * sentence it stands in. The joiners of U+200C and U+200D stay, since scripts and emoji need them between what is seen.
 */
const unseen = /[\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0]/g
const visible = z.overwrite<string>((text) => text.replaceAll(unseen, '').replaceAll(/^[\s\u200c\u200d]+|[\s\u200c\u200d]+$/g, ''))
/** One line that can be seen, of at most 120 characters; `words` are said of one with fewer than `least`. */
export const named = (words: string, least = 1) =>
  z.string().check(visible, z.minLength(least, words), z.maxLength(120, 'Use at most 120 characters'), oneLine)
/** A name a person gives to a thing. */
export const Name = named('Enter a name')
/** The name of an account. */
export const TeamName = named('Enter the name of your company or team')
