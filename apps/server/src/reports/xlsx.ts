import type { Value } from '../kernel/http/csv.ts'
import { byText, type Sheet } from '../kernel/sheet.ts'
import { zipped, type ZipEntry } from './zip.ts'

/** A sheet takes 1,048,576 lines, and a cell 32,767 characters. */
const linesOfSheet = 1_000_000
const mostCharacters = 32_767
/** A spreadsheet keeps 15 digits of a number. */
const mostNumber = 1e15
const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const ofDocument = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const ofPackage = 'http://schemas.openxmlformats.org/package/2006'

/** A workbook (ECMA-376) as it comes, with another sheet after each million rows. Text is text to a spreadsheet, whatever it begins with. */
export const xlsxOf = (sheet: Pick<Sheet, 'columns' | 'rows'>, at: Date): AsyncGenerator<Buffer> => zipped(partsOf(sheet), at)

async function* partsOf({ columns, rows }: Pick<Sheet, 'columns' | 'rows'>): AsyncGenerator<ZipEntry> {
  const parts = rows[Symbol.asyncIterator]()
  // What the sheet before had no room for.
  const left: { rows: readonly (readonly Value[])[]; ended: boolean } = { rows: [], ended: false }
  let sheets = 0
  do {
    sheets++
    yield { name: `xl/worksheets/sheet${sheets}.xml`, text: sheetOf(columns, parts, left) }
  } while (!left.ended || left.rows.length > 0)
  const numbers = Array.from({ length: sheets }, (_, i) => i + 1)
  yield { name: 'xl/workbook.xml', text: [workbookOf(numbers)] }
  yield { name: 'xl/_rels/workbook.xml.rels', text: [relationsOf(numbers)] }
  yield { name: 'xl/styles.xml', text: [styles] }
  yield { name: '_rels/.rels', text: [root] }
  yield { name: '[Content_Types].xml', text: [typesOf(numbers)] }
}

type Left = { rows: readonly (readonly Value[])[]; ended: boolean }

async function* sheetOf(columns: readonly string[], parts: AsyncIterator<readonly (readonly Value[])[]>, left: Left) {
  yield `${head}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetFormatPr defaultRowHeight="15"/><cols><col min="1" max="${columns.length}" width="20" customWidth="1"/></cols><sheetData>${headOf(columns)}`
  let lines = 0
  const lineOf = lineWriter()
  while (lines < linesOfSheet) {
    if (left.rows.length === 0) {
      if (left.ended) break
      const { value, done } = await parts.next()
      left.ended = done === true
      left.rows = done ? [] : value
      continue
    }
    const now = left.rows.slice(0, linesOfSheet - lines)
    left.rows = left.rows.slice(now.length)
    lines += now.length
    for (const some of byText(now)) yield some.map((row) => lineOf(row)).join('')
  }
  // Whether there is another sheet is known by the next row alone.
  while (!left.ended && left.rows.length === 0) {
    const { value, done } = await parts.next()
    left.ended = done === true
    left.rows = done ? [] : value
  }
  yield '</sheetData></worksheet>'
}

const headOf = (columns: readonly string[]) => `<row>${columns.map((name) => cellOf(name, ' s="1"')).join('')}</row>`

/** Writes lines one after the other: a cell like the one above it, as those of the same SIM are, is not written anew. */
function lineWriter() {
  let above: readonly Value[] = []
  let cells: string[] = []
  return (row: readonly Value[]): string => {
    cells = row.map((value, i) => (i < above.length && value === above[i] ? cells[i]! : cellOf(value, '')))
    above = row
    return `<row>${cells.join('')}</row>`
  }
}

function cellOf(value: Value, style: string): string {
  if (value === null || value === undefined || value === '') return `<c${style}/>`
  if (typeof value === 'boolean') return `<c t="b"${style}><v>${Number(value)}</v></c>`
  if (typeof value === 'number' && Number.isFinite(value) && Math.abs(value) < mostNumber) return `<c${style}><v>${value}</v></c>`
  return `<c t="inlineStr"${style}><is><t xml:space="preserve">${escaped(String(value).slice(0, mostCharacters))}</t></is></c>`
}

const marks: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
// What XML 1.0 has no way to say (§2.2).
const unsayable = /(?![\t\n\r])[\p{Cc}\ufffe\uffff]/gu
const escaped = (text: string) =>
  /[&<>"\p{Cc}\p{Cs}\ufffe\uffff]/u.test(text)
    ? text
        .toWellFormed()
        .replaceAll(unsayable, '')
        .replaceAll(/[&<>"]/g, (mark) => marks[mark]!)
    : text

const workbookOf = (numbers: readonly number[]) =>
  `${head}<workbook xmlns="${main}" xmlns:r="${ofDocument}"><sheets>${numbers
    .map((n) => `<sheet name="${n === 1 ? 'Report' : `Report ${n}`}" sheetId="${n}" r:id="rId${n}"/>`)
    .join('')}</sheets></workbook>`

const relationsOf = (numbers: readonly number[]) =>
  `${head}<Relationships xmlns="${ofPackage}/relationships">${numbers
    .map((n) => `<Relationship Id="rId${n}" Type="${ofDocument}/worksheet" Target="worksheets/sheet${n}.xml"/>`)
    .join('')}<Relationship Id="rId0" Type="${ofDocument}/styles" Target="styles.xml"/></Relationships>`

/** The second format is bold: the line of the columns. */
const styles = `${head}<styleSheet xmlns="${main}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="2"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`

const root = `${head}<Relationships xmlns="${ofPackage}/relationships"><Relationship Id="rId1" Type="${ofDocument}/officeDocument" Target="xl/workbook.xml"/></Relationships>`

const typesOf = (numbers: readonly number[]) => {
  const spreadsheet = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
  return `${head}<Types xmlns="${ofPackage}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${spreadsheet}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${spreadsheet}.styles+xml"/>${numbers
    .map((n) => `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="${spreadsheet}.worksheet+xml"/>`)
    .join('')}</Types>`
}
