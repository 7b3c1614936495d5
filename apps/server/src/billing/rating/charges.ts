import type { RoundingScope } from '@masthead/contract/billing/rating'
import type { Db, Tx } from '../../kernel/app.ts'
import { booleanArray, numberArray, textArray } from '../../kernel/array-literals.ts'
import { prepared } from '../../kernel/database/prepared.ts'
import type { RateKey } from './tables.ts'

/** What data costs an account in a network on a day. */
export type Rate = Omit<RateKey, 'source'> & {
  price_micros: number
  block_bytes: number
  rounding_scope: RoundingScope
  kb: number
  name: string
}
export const nameOfRate = ({ tariff_id, number, from_day, zone_id }: Omit<RateKey, 'source'>): string =>
  `${tariff_id} ${number} ${from_day} ${zone_id}`
export type Asked = { account_id: string; mccmnc: string; day: string }

const findRates = prepared<Omit<Rate, 'name'> & { n: number }>(
  `select n, tariff_id, number, from_day, zone_id, price_micros, block_bytes, rounding_scope, kb from rates_of($1::text[], $2::text[], $3::date[])`
)

/** By `account mccmnc day`; nothing where the account pays by no tariff. */
export async function ratesOf(db: Db, asked: readonly Asked[]): Promise<(of: Asked) => Rate | undefined> {
  const keyOf = ({ account_id, mccmnc, day }: Asked) => `${account_id} ${mccmnc} ${day}`
  const wanted = [...new Map(asked.map((each) => [keyOf(each), each])).values()]
  const columns = (['account_id', 'mccmnc', 'day'] as const).map((name) => textArray(wanted.map((each) => each[name])))
  const rows = wanted.length === 0 ? [] : await findRates(db, columns)
  const found = new Map(
    rows.map(({ n, ...rate }) => {
      return [keyOf(wanted[Number(n) - 1]!), { ...rate, name: nameOfRate(rate) }]
    })
  )
  return (of) => found.get(keyOf(of))
}

export type ScopeKey = RateKey & { account_id: string; sim_id: string; month: string; scope: string }
export type Scope = ScopeKey & { bytes: bigint; charged: bigint }

const scopeKey = ['account_id', 'sim_id', 'month', 'scope', 'tariff_id', 'number', 'from_day', 'zone_id', 'source'] as const
const scopeColumns = scopeKey.join(', ')
const scopeTypes = ['text', 'text', 'date', 'text', 'text', 'integer', 'date', 'text', 'text']
/** Rows of parameters from number `first` on, and `n` of each. In a select list unnest makes no copy. */
const rowsFrom = (types: readonly string[], names: string, first = 1) => {
  const columns = names.split(', ').map((name, i) => `unnest($${first + i}::${types[i]}[]) as ${name}`)
  return `(select ${columns.join(', ')}, generate_series(1, cardinality($${first}::text[])) as n)`
}
const isSame = (columns: string, as: string) =>
  columns
    .split(', ')
    .map((column) => `${as}.${column} = k.${column}`)
    .join(' and ')
/** Rows of `given` that were not found to be moved. Mostly all were: that is asked once. */
const notIn = (moved: string, given: string) =>
  `(select count(*) from ${moved}) < (select count(*) from ${given}) and not exists (select from ${moved} m where m.n = k.n)`

const scopeArrays = (keys: readonly ScopeKey[]) =>
  scopeKey.map((column) =>
    column === 'number' ? numberArray(keys.map(({ number }) => number)) : textArray(keys.map((key) => key[column]))
  )
export const nameOfScope = (of: ScopeKey): string =>
  `${of.account_id} ${of.sim_id} ${of.month} ${of.scope} ${of.tariff_id} ${of.number} ${of.from_day} ${of.zone_id} ${of.source}`

const findScopes = prepared<ScopeKey & { bytes: string; charged: string }>(
  `select ${scopeColumns}, s.bytes::text as bytes, s.charged_micros::text as charged
    from ${rowsFrom(scopeTypes, scopeColumns)} k join charge_scope s using (${scopeColumns})`
)

/** Scopes as they stand, by their names. Whoever asks holds the counters of the SIMs, so nobody else moves them meanwhile. */
export async function scopesOf(tx: Tx, keys: readonly ScopeKey[]): Promise<Map<string, Scope>> {
  if (keys.length === 0) return new Map()
  const rows = await findScopes(tx, scopeArrays(keys))
  return new Map(rows.map((row) => [nameOfScope(row), { ...row, bytes: BigInt(row.bytes), charged: BigInt(row.charged) }]))
}

export type ChargeKey = RateKey & { account_id: string; sim_id: string; day: string; mccmnc: string; is_late: boolean }
/** What is added to a row of charges. */
export type Charge = ChargeKey & {
  price_micros: number
  bytes: bigint
  billed: bigint
  micros: bigint
  from: number
  to: number
  records: number
}

const chargeColumns = 'account_id, sim_id, day, tariff_id, number, from_day, zone_id, source, mccmnc, is_late'
const amounts = 'price_micros, bytes, billed_bytes, charged_micros, used_from, used_to, records'
const chargeTypes = [
  'text',
  'text',
  'date',
  'text',
  'integer',
  'date',
  'text',
  'text',
  'text',
  'boolean',
  'bigint',
  'bigint',
  'bigint',
  'bigint',
  'float8',
  'float8',
  'integer',
]

export const nameOfCharge = (of: ChargeKey): string =>
  `${of.account_id} ${of.sim_id} ${of.day} ${of.tariff_id} ${of.number} ${of.from_day} ${of.zone_id} ${of.source} ${of.mccmnc} ${of.is_late}`

const byName = <Row>(rows: ReadonlyMap<string, Row>): Row[] => [...rows.keys()].sort().map((name) => rows.get(name)!)

// What is there is updated, which an upsert would do with a lock before. The counters of the SIMs are locked, so nobody else begins a row meanwhile.
const write = prepared(`with scope as ${rowsFrom([...scopeTypes, 'bigint', 'bigint'], `${scopeColumns}, bytes, charged`)},
  scope_moved as (update charge_scope s set bytes = k.bytes, charged_micros = k.charged from scope k where ${isSame(scopeColumns, 's')} returning k.n),
  scope_begun as (insert into charge_scope (${scopeColumns}, bytes, charged_micros)
    select ${scopeColumns}, bytes, charged from scope k where ${notIn('scope_moved', 'scope')}),
  more as ${rowsFrom(chargeTypes, `${chargeColumns}, ${amounts}`, 12)},
  moved as (update charge c set bytes = c.bytes + k.bytes, billed_bytes = c.billed_bytes + k.billed_bytes,
      charged_micros = c.charged_micros + k.charged_micros, used_from = least(c.used_from, to_timestamp(k.used_from / 1000)),
      used_to = greatest(c.used_to, to_timestamp(k.used_to / 1000)), records = c.records + k.records, is_open = true
    from more k where ${isSame(chargeColumns, 'c')} returning k.n)
  insert into charge (${chargeColumns}, ${amounts})
    select ${chargeColumns}, price_micros, bytes, billed_bytes, charged_micros, to_timestamp(used_from / 1000), to_timestamp(used_to / 1000), records
    from more k where ${notIn('moved', 'more')}`)

/** Writes scopes as they are now, and what is added to charges, by their names, in one order everywhere. */
export async function writeCharges(tx: Tx, scopes: ReadonlyMap<string, Scope>, charges: ReadonlyMap<string, Charge>): Promise<void> {
  if (charges.size === 0) return
  const sorted = byName(charges)
  const inOrder = byName(scopes)
  const texts = (['account_id', 'sim_id', 'day', 'tariff_id'] as const).map((name) => textArray(sorted.map((each) => each[name])))
  const more = (['from_day', 'zone_id', 'source', 'mccmnc'] as const).map((name) => textArray(sorted.map((each) => each[name])))
  await write(tx, [
    ...scopeArrays(inOrder),
    textArray(inOrder.map(({ bytes }) => String(bytes))),
    textArray(inOrder.map(({ charged }) => String(charged))),
    ...texts,
    numberArray(sorted.map(({ number }) => number)),
    ...more,
    booleanArray(sorted.map(({ is_late }) => is_late)),
    numberArray(sorted.map(({ price_micros }) => price_micros)),
    ...(['bytes', 'billed', 'micros'] as const).map((name) => textArray(sorted.map((each) => String(each[name])))),
    numberArray(sorted.map(({ from }) => from)),
    numberArray(sorted.map(({ to }) => to)),
    numberArray(sorted.map(({ records }) => records)),
  ])
}
