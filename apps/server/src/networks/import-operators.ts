import { createHash } from 'node:crypto'
import { CsvError, parse } from 'csv-parse'
import { Technology } from '@masthead/contract/networks/network'
import { sql } from 'kysely'
import { pipeline, type Readable } from 'node:stream'
import type { NetworkImport, Operator } from '@masthead/contract/backoffice/network-operations'
import { networksChanged } from '@masthead/contract/backoffice/problems'
import { invalidRequest, Problem } from '@masthead/contract/kernel/problem'
import type { Actor, Tx } from '../kernel/app.ts'
import { needFuture, setRates } from './change-operators.ts'
import { operatorsOn } from './operators.ts'

const columns = ['mccmnc', 'name', 'country', 'rats', 'zone', 'cost', 'price'] as const
type Line = Record<(typeof columns)[number], string> & { line: number }
type Known = Omit<Operator, 'notes' | 'active'>
/** A network as a line wants it. */
type Wanted = {
  mccmnc: string
  name: string
  country: string
  rats: string[]
  zone: string
  cost_micros: number | null
  price_micros: number | null
}

const mostRows = 5000
const longestLine = 10_000 // characters
const shownChanges = 500
const shownErrors = 1000

/** The lines of a file of networks. Throws invalid_request where it is no such file. */
export async function readNetworks(file: Readable): Promise<Line[]> {
  const lines: Line[] = []
  const records = parse({
    columns: readHeader,
    bom: true,
    trim: true,
    skip_empty_lines: true,
    info: true,
    relax_column_count: true,
    max_record_size: longestLine,
  })
  // A request that breaks off ends the reading, too.
  pipeline(file, records, () => {})
  try {
    for await (const { record, info } of records as AsyncIterable<{ record: Omit<Line, 'line'>; info: { lines: number } }>) {
      if (lines.length === mostRows) throw new Problem(invalidRequest, `A file has at most ${mostRows} networks`)
      lines.push({ ...(Object.fromEntries(columns.map((name) => [name, record[name] ?? ''])) as Omit<Line, 'line'>), line: info.lines })
    }
  } catch (error) {
    if (error instanceof CsvError) throw new Problem(invalidRequest, `The file cannot be read: ${error.message}`)
    throw error
  }
  if (lines.length === 0) throw new Problem(invalidRequest, 'The file names no network')
  return lines
}

function readHeader(header: string[]): string[] {
  const names = header.map((name) => name.trim().toLowerCase())
  const strange = names.filter((name) => !(columns as readonly string[]).includes(name))
  if (strange.length === 0 && names.includes('mccmnc')) return names
  const words = strange.length > 0 ? `There is no column "${strange[0]!.slice(0, 40)}".` : 'The column "mccmnc" is missing.'
  throw new Problem(invalidRequest, `${words} The first line names the columns: ${columns.join(',')}`)
}

type Import = { effective_from: string; apply: boolean; basis?: string | undefined }

/** Compares a file of networks with what is there on the day it is to begin; with `apply`, and no wrong line, takes it over. Throws rate_in_past, networks_changed. */
export async function importOperators(
  tx: Tx,
  actor: Actor,
  lines: readonly Line[],
  { effective_from, apply, basis }: Import
): Promise<NetworkImport> {
  needFuture(effective_from, actor.at)
  await sql`lock table network in share row exclusive mode`.execute(tx)
  const known = new Map(
    (
      await operatorsOn(tx, effective_from).select(['network.mccmnc', 'name', 'country', 'rats', 'now.rate', 'then.next_rate']).execute()
    ).map((row) => [row.mccmnc, row])
  )
  const report: NetworkImport = {
    rows: lines.length,
    added: 0,
    changed: 0,
    unchanged: 0,
    failed: 0,
    applied: false,
    changes: [],
    basis: '',
    errors: [],
  }
  const seen = new Set<string>()
  const wanted = new Map<string, Wanted>()
  const whole = createHash('sha256').update(effective_from)
  for (const line of lines) {
    const before = known.get(line.mccmnc)
    const read = seen.has(line.mccmnc) ? 'This network is in the file twice' : readLine(line, before)
    seen.add(line.mccmnc)
    if (typeof read === 'string') {
      report.failed++
      if (report.errors.length < shownErrors) report.errors.push({ line: line.line, words: read })
      continue
    }
    const fields = differences(before, read)
    if (fields.length === 0) {
      report.unchanged++
      continue
    }
    wanted.set(read.mccmnc, read)
    const kind = before ? 'changed' : 'added'
    report[kind]++
    whole.update(JSON.stringify([read.mccmnc, fields]))
    if (report.changes.length < shownChanges) report.changes.push({ line: line.line, mccmnc: read.mccmnc, name: read.name, kind, fields })
  }
  report.basis = whole.digest('base64url')
  if (apply && basis !== undefined && basis !== report.basis) throw new Problem(networksChanged)
  if (!apply || report.failed > 0 || wanted.size === 0) return report
  await write(tx, actor, [...wanted.values()], effective_from)
  return { ...report, applied: true }
}

/** Control characters, and what stands for bytes that were no UTF-8. */
const noText = /[\p{Cc}\uFFFD]/u

/** What a line wants, empty fields as they are; or what is wrong with it. */
function readLine(line: Line, before: Known | undefined): Wanted | string {
  const { mccmnc } = line
  const wrong: string[] = []
  if (Object.values(line).some((value) => typeof value === 'string' && noText.test(value)))
    return 'There are characters that are no text: save the file as UTF-8'
  if (!/^\d{3}-\d{2,3}$/.test(mccmnc)) wrong.push(`"${mccmnc.slice(0, 20)}" is not an MCC-MNC like 262-01`)
  const name = line.name || before?.name || ''
  if (name === '' || name.length > 120) wrong.push(name === '' ? 'The name is missing' : 'The name is too long')
  const country = line.country.toUpperCase() || before?.country || ''
  if (!/^[A-Z]{2}$/.test(country)) wrong.push('The country is two letters, like DE')
  const given = line.rats === '' ? (before?.rats ?? []) : line.rats.split(';').map((rat) => rat.trim())
  const strange = given.find((rat) => !(Technology.options as readonly string[]).includes(rat))
  if (strange !== undefined) wrong.push(`"${strange.slice(0, 20)}" is none of ${Technology.options.join(', ')}`)
  const zone = line.zone || before?.rate?.zone || ''
  const cost_micros = line.cost === '' ? (before?.rate?.cost_micros ?? null) : readMoney(line.cost)
  const price_micros = line.price === '' ? (before?.rate?.price_micros ?? null) : readMoney(line.price)
  if (cost_micros === 'wrong' || price_micros === 'wrong')
    wrong.push('Money is dollars for a megabyte with at most six decimals, like 0.0125')
  const parts = [zone !== '', cost_micros !== null, price_micros !== null]
  if (parts.includes(true) && parts.includes(false)) wrong.push('A rate needs its zone, its cost and its price')
  if (zone.length > 40) wrong.push('The zone is too long')
  if (wrong.length > 0) return wrong.join('. ')
  return {
    mccmnc,
    name,
    country,
    rats: [...new Set(given)],
    zone,
    cost_micros: cost_micros as number | null,
    price_micros: price_micros as number | null,
  }
}

/** Dollars as text to whole millionths; no fraction ever passes through a float. */
function readMoney(text: string): number | 'wrong' {
  const match = /^(\d{1,6})(?:\.(\d{1,6}))?$/.exec(text)
  return match ? Number(match[1]) * 1_000_000 + Number((match[2] ?? '').padEnd(6, '0')) : 'wrong'
}

const dollars = (micros: number | null) => (micros === null ? '' : (micros / 1_000_000).toFixed(6).replace(/\.?0+$/, ''))

function differences(before: Known | undefined, after: Wanted) {
  const rows = [
    ['name', before?.name, after.name],
    ['country', before?.country, after.country],
    ['rats', before?.rats.join(';'), after.rats.join(';')],
    ['zone', before?.rate?.zone, after.zone],
    ['cost', dollars(before?.rate?.cost_micros ?? null), dollars(after.cost_micros)],
    ['price', dollars(before?.rate?.price_micros ?? null), dollars(after.price_micros)],
  ] as const
  return rows.flatMap(([field, was = '', is]) => (was === is ? [] : [{ field, before: was, after: is }]))
}

async function write(tx: Tx, actor: Actor, wanted: readonly Wanted[], effective_from: string) {
  await sql`insert into network (mccmnc, name, country, rats)
    select mccmnc, name, country, rats from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) as given (mccmnc text, name text, country text, rats text[])
    on conflict (mccmnc) do update set name = excluded.name, country = excluded.country, rats = excluded.rats`.execute(tx)
  const rated = wanted.flatMap(({ mccmnc, zone, cost_micros, price_micros }) =>
    cost_micros === null || price_micros === null ? [] : [{ mccmnc, zone, cost_micros, price_micros, effective_from }]
  )
  await setRates(tx, actor, rated)
}
