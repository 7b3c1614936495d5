/** What a cell may hold. */
export type Value = string | number | boolean | null | undefined

/**
 * One line of CSV (RFC 4180). Text that a spreadsheet would take for a formula gets an apostrophe in front, wherever a cell may begin: many
 * spreadsheets split at `;` and tabs, and then see no quotes in the middle of a line (OWASP, CSV injection).
 */
export const csvLine = (values: readonly Value[]): string => `${values.map(csvField).join(',')}\r\n`

// Where Chinese and Japanese are typed, spreadsheets take the wide signs for the narrow ones.
const formula = /(?<=^|[;\t\r\n])(?=[ "]*[=+\-@＝＋－＠])|^(?=[\t\r\n])/g

function csvField(value: Value): string {
  if (value === null || value === undefined) return ''
  if (typeof value !== 'string') return String(value)
  const safe = value.replaceAll(formula, "'")
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
