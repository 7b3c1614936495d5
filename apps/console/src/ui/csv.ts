export type CsvValue = string | number | boolean | null | undefined

// What begins so is run as a formula by spreadsheets; a number of ours is none.
const field = (value: CsvValue) => {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Rows as comma-separated values (RFC 4180), the first being the heads. */
export const csvText = (rows: readonly (readonly CsvValue[])[]) => rows.map((row) => `${row.map(field).join(',')}\r\n`).join('')
