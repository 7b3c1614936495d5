import type { ReportFormat } from '@masthead/contract/reports/report'
import { byText, csvOf, type Sheet } from '../kernel/sheet.ts'
import { xlsxOf } from './xlsx.ts'

type Written = { type: string; write: (sheet: Sheet, at: Date) => AsyncIterable<Uint8Array> }

/** How a report is written, part by part, and of which type its file is. */
export const formats: Record<ReportFormat, Written> = {
  csv: { type: 'text/csv; charset=utf-8', write: (sheet) => bytesOf(csvOf(sheet)) },
  json: { type: 'application/json; charset=utf-8', write: (sheet) => bytesOf(jsonOf(sheet)) },
  xlsx: { type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', write: (sheet, at) => xlsxOf(sheet, at) },
}

async function* bytesOf(text: AsyncIterable<string>): AsyncGenerator<Buffer> {
  for await (const piece of text) if (piece !== '') yield Buffer.from(piece)
}

/** An array with an object for each row, one a line. */
async function* jsonOf({ columns, rows }: Sheet): AsyncGenerator<string> {
  yield '['
  let mark = '\n'
  for await (const part of rows)
    for (const some of byText(part)) {
      yield mark + some.map((row) => JSON.stringify(Object.fromEntries(columns.map((column, i) => [column, row[i] ?? null])))).join(',\n')
      mark = ',\n'
    }
  yield '\n]\n'
}
