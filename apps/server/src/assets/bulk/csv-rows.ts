import { csvColumns, type CsvColumn } from '@masthead/contract/assets/bulk/csv-columns'
import { imeiLocks, parseImei, type ImeiLock } from '@masthead/contract/assets/device'
import { mostLimit, mostRaise } from '@masthead/contract/assets/month-limit'
import { Name } from '@masthead/contract/kernel/fields'
import { readTable } from '../../kernel/http/read-csv.ts'
import type { Before } from '../sim/swap-sim.ts'
import { readConfig } from './csv-config.ts'
import type { Wish, WishedLimit } from './wish.ts'

/** A row of the file: the asset as it names it, and what it wants; groups and tags by their names still. */
export type CsvRow = { key: string; wish: Wish }

/** Rows of a CSV of changes. One that cannot be read says why; a header that is wrong ends it all. Throws invalid_request. */
export async function* readChanges(file: AsyncIterable<Uint8Array | string>): AsyncGenerator<CsvRow> {
  for await (const each of readTable(file, { columns: csvColumns, key: 'asset', needs })) {
    const { line } = each
    if ('wrong' in each) yield { key: each.key, wish: { line, wrong: each.wrong } }
    else yield readRow(line, each.values)
  }
}

const needs = (names: readonly string[]) => [
  !names.includes('asset') && 'The column "asset" is missing.',
  names.length < 2 && 'There is no column that changes anything.',
]

function readRow(line: number, row: { [Name in CsvColumn]?: string }): CsvRow {
  const key = row.asset ?? ''
  const wish: Wish = { line }
  const wrong = key === '' ? 'The row names no asset' : fill(wish, row)
  return { key, wish: wrong === null ? wish : { line, wrong } }
}

const ofSwap: readonly CsvColumn[] = ['asset', 'new_sim', 'old_sim']
const oldSims = new Map<string, Before>([
  ['inactive', 'deactivate'],
  ['terminated', 'terminate'],
])

/** Writes what a row wants into its wish; words when that cannot be read. */
function fill(wish: Wish, row: { [Name in CsvColumn]?: string }): string | null {
  if (row.new_sim) {
    if (csvColumns.some((name) => !ofSwap.includes(name) && row[name])) return 'A row that swaps the SIM changes nothing else'
    const token = row.new_sim.trim()
    if (token.length < 3 || token.length > 64) return 'A new SIM is named by its ICCID or serial number'
    const before = row.old_sim ? oldSims.get(row.old_sim.trim().toLowerCase()) : 'deactivate'
    if (!before) return 'The SIM before is inactive or terminated'
    Object.assign(wish, { new_sim: token, old_sim: before })
    return null
  }
  if (row.old_sim) return 'What becomes of the SIM before is said where new_sim names another one'
  if (row.name) {
    const name = Name.safeParse(row.name)
    if (!name.success) return 'The name is too long, or has characters that cannot be seen'
    wish.name = name.data
  }
  if (row.switch) {
    const word = row.switch.trim().toLowerCase()
    if (word !== 'on' && word !== 'off') return 'A switch is on or off'
    wish.on = word === 'on'
  }
  if (row.state) {
    const state = row.state.toLowerCase()
    if (state === 'terminated') return 'The column state terminates no SIM: select them in the list'
    if (state !== 'active' && state !== 'inactive' && state !== 'standby' && state !== 'ready')
      return 'A state is active, inactive, standby or ready'
    wish.state = state
  }
  if (row.limit) {
    const limit = parseLimit(row.limit)
    if (limit === undefined) return 'A limit is like "500 MB", "2 GB/day" or "none", of 1 MB to 2 TB'
    wish.limit = limit
  }
  if (row.raise) {
    const bytes = parseBytes(row.raise, mostRaise)
    if (bytes === undefined) return 'A raise is like "2 GB": what the limit allows in all, of 1 MB to 1,000 TB'
    wish.raise = bytes
  }
  if (row.imei_lock) {
    const lock = parseLock(row.imei_lock)
    if (!lock) return 'An IMEI lock is off, watch, lock, group or an IMEI with its check digit'
    Object.assign(wish, lock)
  }
  if (row.network_group) wish.network_group = row.network_group.trim()
  if (row.add_tags) wish.add_tags = namesOf(row.add_tags)
  if (row.remove_tags) wish.remove_tags = namesOf(row.remove_tags)
  const config = readConfig(row)
  if (typeof config === 'string') return config
  if (config) wish.configure_core = config
  return null
}

const namesOf = (text: string) => [
  ...new Set(
    text
      .split(';')
      .map((name) => name.trim().toLowerCase())
      .filter(Boolean)
  ),
]

const units = { mb: 1e6, gb: 1e9, tb: 1e12 } as const

/** Bytes of "500 MB", "1.5 GB"; undefined where it is none, or none that a limit may be. */
function parseBytes(text: string, most = mostLimit): number | undefined {
  const match = /^(\d{1,7}(?:\.\d{1,6})?)\s*(mb|gb|tb)$/i.exec(text.trim())
  if (!match) return undefined
  const bytes = Math.round(Number(match[1]) * units[match[2]!.toLowerCase() as keyof typeof units])
  return bytes >= 1e6 && bytes <= most ? bytes : undefined
}

function parseLimit(text: string): WishedLimit | undefined {
  if (text.trim().toLowerCase() === 'none') return null
  const [amount, period, ...more] = text.split('/')
  const bytes = parseBytes(amount!)
  const unit = period?.trim().toLowerCase() ?? 'month'
  if (bytes === undefined || more.length > 0 || (unit !== 'day' && unit !== 'month')) return undefined
  return { bytes, period: unit }
}

function parseLock(text: string): Pick<Wish, 'imei_lock' | 'imeis'> | null {
  const word = text.trim().toLowerCase()
  if (word === 'group') return { imei_lock: null }
  if (Object.hasOwn(imeiLocks, word)) return { imei_lock: word as ImeiLock }
  const imei = parseImei(word)
  return imei === null ? null : { imei_lock: 'lock', imeis: [imei] }
}
