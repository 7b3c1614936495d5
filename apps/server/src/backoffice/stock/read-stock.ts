import type { AssetType } from '@masthead/contract/assets/asset'
import { assetTypes } from '@masthead/contract/assets/asset-types'
import { parseIccid } from '@masthead/contract/assets/iccid'
import { readTable } from '../../kernel/http/read-csv.ts'

/** One piece of stock, as a line of the file has it. */
export type StockRow = {
  line: number
  type: AssetType
  serial: string
  iccid: string | null
  imsis: string[]
  msisdn: string | null
  eid: string | null
  imei: string | null
}
export type BadLine = { line: number; words: string }

const columns = ['type', 'serial', 'iccid', 'imsi', 'msisdn', 'eid', 'imei'] as const
type Column = (typeof columns)[number]

const mostImsis = 10

/** Stock from a CSV, line by line. A line that is wrong comes as words; a header that is wrong ends it all. */
export async function* readStock(file: AsyncIterable<Uint8Array | string>): AsyncGenerator<StockRow | BadLine> {
  for await (const each of readTable(file, { columns, key: 'serial', needs })) {
    const { line } = each
    if ('wrong' in each) yield { line, words: each.wrong }
    else yield readRow(line, each.values)
  }
}

const needs = (names: readonly string[]) => [
  !names.includes('type') && 'The column "type" is missing.',
  !names.includes('serial') && !names.includes('iccid') && 'One of the columns "serial" and "iccid" is needed.',
]

const types = new Map<string, AssetType>(
  Object.entries(assetTypes).flatMap(([key, label]) => [key, label.toLowerCase()].map((word) => [word, key as AssetType]))
)

const typeNames = new Intl.ListFormat('en', { type: 'disjunction' }).format(Object.keys(assetTypes))

/** Checks one value: empty is null, a value of the right form comes back, anything else is reported as wrong. */
function readDigits(text: string | undefined, form: RegExp, words: string, wrong: string[]): string | null {
  const digits = text?.replaceAll(/[\s-]/g, '').replace(/^\+/, '') ?? ''
  if (digits === '') return null
  if (!form.test(digits)) wrong.push(`"${text!.slice(0, 60)}" is not ${words}`)
  return digits
}

function readRow(line: number, text: Partial<Record<Column, string>>): StockRow | BadLine {
  const wrong: string[] = []
  const type = types.get(text.type?.toLowerCase() ?? '')
  if (!type) wrong.push(text.type ? `"${text.type.slice(0, 60)}" is not a type: ${typeNames}` : 'The type is missing')
  const iccid = text.iccid ? parseIccid(text.iccid) : null
  if (text.iccid && !iccid) wrong.push(`"${text.iccid.slice(0, 60)}" is not an ICCID: 18 to 20 digits that begin with 89`)
  const serial = text.serial || text.iccid?.replaceAll(/[\s-]/g, '') || ''
  if (serial === '') wrong.push('The serial number is missing')
  else if (!/^[\x21-\x7e]{3,64}$/.test(serial))
    wrong.push(`"${serial.slice(0, 60)}" is not a serial number: 3 to 64 characters without blanks`)
  const imsis = (text.imsi ?? '').split(';').flatMap((each) => readDigits(each, /^\d{14,15}$/, 'an IMSI: 14 or 15 digits', wrong) ?? [])
  if (imsis.length > 0 && !text.iccid) wrong.push('An IMSI needs the ICCID of its SIM')
  if (imsis.length > mostImsis) wrong.push(`A SIM has at most ${mostImsis} IMSIs`)
  if (new Set(imsis).size < imsis.length) wrong.push('An IMSI is there twice')
  const msisdn = readDigits(text.msisdn, /^\d{5,15}$/, 'an MSISDN: 5 to 15 digits', wrong)
  const eid = readDigits(text.eid, /^\d{32}$/, 'an EID: 32 digits', wrong)
  const imei = readDigits(text.imei, /^\d{14,16}$/, 'an IMEI: 14 to 16 digits', wrong)
  return wrong.length > 0 ? { line, words: wrong.join('. ') } : { line, type: type!, serial, iccid, imsis, msisdn, eid, imei }
}
