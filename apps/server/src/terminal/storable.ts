/** A device says what it likes: the database keeps neither NUL nor half a letter. */
export const storable = (words: string): string => words.toWellFormed().replaceAll('\0', '')
