import { sql } from 'kysely'
import { iccidForms } from '@masthead/contract/assets/iccid'
import type { Tx } from '../../kernel/app.ts'
import type { StockRow } from './read-stock.ts'

/** Stock that is there already, or earlier in the same file. */
export type Known = Omit<StockRow, 'line'> & { account_id: string | null }

/** Stock by every number that must not be there twice. */
class KnownStock {
  #bySerial = new Map<string, Known>()
  #byNumber = new Map<string, Known>()

  add(stock: Known) {
    this.#bySerial.set(stock.serial.toLowerCase(), stock)
    for (const [, key] of numbersOf(stock)) this.#byNumber.set(key, stock)
  }

  withSerial(serial: string): Known | undefined {
    return this.#bySerial.get(serial.toLowerCase())
  }

  /** Which number of a row belongs to another piece of stock, in words. */
  conflictOf(row: StockRow): string | undefined {
    for (const [words, key] of numbersOf(row)) {
      const other = this.#byNumber.get(key)
      if (other && other.serial.toLowerCase() !== row.serial.toLowerCase()) return `${words} belongs to serial number ${other.serial}`
    }
    return undefined
  }
}

/** Each number in words, and the key it is found by. An ICCID is the same with and without its check digit. */
const numbersOf = ({ iccid, imsis, msisdn }: Pick<StockRow, 'iccid' | 'imsis' | 'msisdn'>) => [
  ...(iccid ? iccidForms(iccid).map((form) => [`ICCID ${iccid}`, `iccid ${form}`] as const) : []),
  ...imsis.map((imsi) => [`IMSI ${imsi}`, `imsi ${imsi}`] as const),
  ...(msisdn ? [[`MSISDN ${msisdn}`, `msisdn ${msisdn}`] as const] : []),
]

/**
 * What the stock has in common with these rows, locked: nobody registers it meanwhile. IMSIs are looked up one by one: all at once (`&&`) take three
 * times as long, as the index then compares each with each.
 */
export async function findKnownForUpdate(tx: Tx, rows: readonly StockRow[]): Promise<KnownStock> {
  const found = await tx
    .selectFrom('inventory')
    .select(['serial', 'type', 'iccid', 'imsis', 'msisdn', 'eid', 'imei', 'account_id'])
    .where(
      sql<boolean>`lower(serial) = any(array(
        select lower(serial) from inventory where lower(serial) = any(${rows.map((row) => row.serial.toLowerCase())}::text[])
        union select lower(serial) from inventory where iccid = any(${rows.flatMap((row) => (row.iccid ? iccidForms(row.iccid) : []))}::text[])
        union select lower(serial) from inventory where msisdn = any(${rows.flatMap((row) => row.msisdn ?? [])}::text[])
        union select lower(serial) from unnest(${rows.flatMap((row) => row.imsis)}::text[]) imsi, inventory where imsis @> array[imsi]))`
    )
    .forUpdate()
    .execute()
  const known = new KnownStock()
  for (const row of found) known.add(row)
  return known
}

const compared = { type: 'type', iccid: 'ICCID', imsis: 'IMSI', msisdn: 'MSISDN', eid: 'EID', imei: 'IMEI' } as const

/** What a row says otherwise than the stock with its serial number, in words; undefined when they are the same. */
export function differenceOf(row: StockRow, known: Known): string | undefined {
  const names = Object.keys(compared) as (keyof typeof compared)[]
  const differing = names.filter((name) => String(row[name] ?? '') !== String(known[name] ?? ''))
  if (differing.length === 0) return undefined
  return `Serial number ${known.serial} is there already, with another ${differing.map((name) => compared[name]).join(', ')}`
}
