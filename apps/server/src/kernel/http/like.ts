/** Text as `like` and `ilike` look for it: what stands for others stands for itself. */
export const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&')

/** A pattern for `like` on what is in small letters: the text anywhere. */
export const containing = (text: string): string => `%${escapeLike(text.toLowerCase())}%`

/** The same with the text at the beginning. */
export const beginning = (text: string): string => `${escapeLike(text.toLowerCase())}%`
