/** The words of what was pasted or typed. */
export const wordsOf = (text: string): string[] => text.split(/[\s,;]+/).filter((each) => each !== '')

/** Columns by which an asset is known, the surest one first. */
const known = ['id', 'asset_id', 'asset', 'serial', 'serial_number', 'iccid']

/**
 * What names the assets in a CSV file, one a line: the column whose head is known (id, serial, ICCID), and the first one where none is. Cells are separated by
 * commas, semicolons or tabs, and may be in quotes.
 */
export function keysOfCsv(text: string): string[] {
  const rows = text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .map(cellsOf)
  const head = rows[0]?.map((cell) => cell.toLowerCase().replaceAll(/[\s-]+/g, '_')) ?? []
  const column = known.map((name) => head.indexOf(name)).find((place) => place !== -1)
  return rows.slice(column === undefined ? 0 : 1).flatMap((cells) => cells[column ?? 0] || [])
}

const cellsOf = (line: string): string[] =>
  [...line.matchAll(/(?:^|[,;\t])(?:\s*"((?:[^"]|"")*)"\s*|([^,;\t]*))/g)].map(([, quoted, plain = '']) =>
    (quoted?.replaceAll('""', '"') ?? plain).trim()
  )
