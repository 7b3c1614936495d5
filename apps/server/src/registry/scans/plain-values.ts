/** What the database takes: no NUL, no half characters. */
export const textOf = (value: unknown, most = 300) =>
  typeof value === 'string' ? value.slice(0, most).replaceAll('\0', '').toWellFormed().trim() : ''
export const dateOf = (value: unknown): Date | null => {
  const date = typeof value === 'string' ? new Date(value) : null
  // What the database can keep, and a screen show.
  return date && date.getTime() > 0 && date.getFullYear() < 3000 ? date : null
}
