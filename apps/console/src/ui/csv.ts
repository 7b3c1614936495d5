export type CsvValue = string | number | boolean | null | undefined

// What begins so is run as a formula by spreadsheets, also after a semicolon or a tab, where many begin a cell (OWASP, CSV injection; the server's
// `http/csv.ts` does the same); a number of ours is none.
const formula = /(?<=^|[;\t\r\n])(?=[ "]*[=+\-@＝＋－＠])|^(?=[\t\r\n])/g

const field = (value: CsvValue) => {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'string' ? value.replaceAll(formula, "'") : String(value)
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Rows as comma-separated values (RFC 4180), the first being the heads. */
export const csvText = (rows: readonly (readonly CsvValue[])[]) => rows.map((row) => `${row.map(field).join(',')}\r\n`).join('')
