type Value = string | number | boolean | null | undefined

/** One line of CSV (RFC 4180). Text that a spreadsheet would take for a formula gets an apostrophe in front. */
export const csvLine = (values: readonly Value[]): string => `${values.map(csvField).join(',')}\r\n`

function csvField(value: Value): string {
  if (value === null || value === undefined) return ''
  if (typeof value !== 'string') return String(value)
  const safe = /^[=+\-@\t\r\n＝＋－＠]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
