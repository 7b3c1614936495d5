/** Text for `like` and `ilike` with its wildcards escaped, so that `%` and `_` match themselves. */
export const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&')

/** A pattern for `like` on what is in small letters: the text anywhere. */
export const containing = (text: string): string => `%${escapeLike(text.toLowerCase())}%`

/** The same with the text at the beginning. */
export const beginning = (text: string): string => `${escapeLike(text.toLowerCase())}%`
