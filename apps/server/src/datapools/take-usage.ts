import { dayOf } from '@masthead/contract/kernel/time'
import { overageAllowed, type Overage } from '@masthead/contract/datapools/pool'
import type { Tx } from '../kernel/app.ts'
import { numberArray, textArray } from '../kernel/array-literals.ts'
import { prepared } from '../kernel/database/prepared.ts'
import { decideTerms, type TermOf } from './decide-terms.ts'
import { type Draw, drawFromPools, givesNothing, type OpenTerm, type Stay } from './draw.ts'
import { renewPools } from './renew-pools.ts'

/** What a SIM used between two reports, and in which network; of pools alone that it joined before a time, where one is said. Times are milliseconds since 1970. */
export type UsageOfSim = {
  account_id: string
  sim_id: string
  from: number
  at: number
  bytes: number
  mccmnc: string
  joined_before?: number
}

type Row = Overage & {
  /** The usage that it is for: numbers that count from 1, each with the times of the SIM's stay where it joined or left the pool since its last report. */
  ns: string
  account_id: string
  pool_id: string
  starts_at: Date
  ends_at: Date
  priority: number
  size_bytes: number
  within_bytes: number
  over_bytes: number
  next_mark: number | null
  is_used_up: boolean
  is_exhausted: boolean
  is_due: boolean
}
type Term = OpenTerm & Pick<Row, 'account_id' | 'next_mark' | 'is_used_up' | 'is_exhausted'>
/** What one term gave one SIM of one report: of the n-th usage that was given, from 0. `is_paid`: what is beyond the pool's size is charged. */
export type Taken = Draw & { term: Term; is_paid: boolean; usage: UsageOfSim; n: number }

const parts = 32

/**
 * Takes what SIMs used from their pools, in one transaction with what counted it, and decides what follows. The locks of the pools are held until that
 * commits. Answers with what was taken, in the order of the usage.
 */
export async function takeUsage(tx: Tx, usage: readonly UsageOfSim[], at: Date): Promise<Taken[]> {
  if (usage.length === 0) return []
  // A gateway's clock may be ahead of ours: nothing is taken from a term that has not begun.
  const known = usage.map((each) => ({ ...each, at: Math.min(each.at, at.getTime()), from: Math.min(each.from, each.at, at.getTime()) }))
  const rows = await openTerms(tx, known, at)
  const terms = rows.map(termOf)
  const givers: (Givers | undefined)[] = []
  for (const [i, { ns }] of rows.entries()) for (const one of ns.split(',')) addGiver(givers, known, terms[i]!, one)
  const taken: Taken[] = known.flatMap((each, i) =>
    drawFromPools(each, givers[i]?.terms ?? [], givers[i]?.stays).map((draw) => {
      const term = draw.term as Term
      return { ...draw, term, is_paid: term.most_over === null, usage: each, n: i }
    })
  )
  if (taken.length === 0) return taken
  await addTaken(tx, taken)
  await decideTerms(tx, terms.filter(hasCome).map(keyOf), at)
  return taken
}

type Givers = { terms: Term[]; stays?: Map<Term, Stay[]> }

/** One of the numbers that a term has. A SIM that left a pool and joined it again has two stays in it. */
function addGiver(givers: (Givers | undefined)[], usage: readonly UsageOfSim[], term: Term, one: string) {
  const [n, since, until] = one.split(' ')
  const { joined_before = Infinity } = usage[Number(n) - 1]!
  if (Number(since ?? 0) >= joined_before) return
  const of = (givers[Number(n) - 1] ??= { terms: [] })
  if (of.terms.at(-1) !== term) of.terms.push(term)
  if (since === undefined) return
  of.stays ??= new Map()
  of.stays.set(term, [...(of.stays.get(term) ?? []), { since: Number(since), until: Number(until) }])
}

const findTerms =
  prepared<Row>(`select ns, account_id, pool_id, starts_at, ends_at, priority, size_bytes, overage_policy, overage_percent, within_bytes, over_bytes,
    next_mark, is_used_up, is_exhausted, is_due from terms_of_usage($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::text[], $6::bigint[], $7::timestamptz)`)

/** The terms that usage may be taken from. Pools whose term is over are renewed, or ended, before. */
async function openTerms(tx: Tx, usage: readonly UsageOfSim[], at: Date): Promise<Row[]> {
  const values = [
    ...(['account_id', 'sim_id'] as const).map((key) => textArray(usage.map((each) => each[key]))),
    ...(['from', 'at'] as const).map((key) => numberArray(usage.map((each) => each[key]))),
    textArray(usage.map(({ mccmnc }) => mccmnc)),
    numberArray(usage.map(({ bytes }) => bytes)),
    at,
  ]
  const rows = await findTerms(tx, values)
  const due = rows.filter(({ is_due }) => is_due)
  if (due.length === 0) return rows
  await renewPools(tx, due, at)
  return findTerms(tx, values)
}

const termOf = (row: Row): Term => ({
  account_id: row.account_id,
  pool_id: row.pool_id,
  starts_at: row.starts_at.getTime(),
  ends_at: row.ends_at.getTime(),
  priority: row.priority,
  size: row.size_bytes,
  most_over: overageAllowed(row, row.size_bytes),
  within: row.within_bytes,
  over: row.over_bytes,
  next_mark: row.next_mark,
  is_used_up: row.is_used_up,
  is_exhausted: row.is_exhausted,
})
const keyOf = ({ account_id, pool_id, starts_at }: Term): TermOf => ({ account_id, pool_id, starts_at: new Date(starts_at) })

/** Whether something is to be decided about it. */
const hasCome = (term: Term) =>
  (!term.is_exhausted && givesNothing(term)) ||
  (!term.is_used_up && term.within >= term.size) ||
  (term.next_mark !== null && term.within + term.over >= term.next_mark)

/** What a term gave a SIM; what it got back is negative. */
type Moved = Pick<Taken, 'at' | 'bytes' | 'over'> & {
  term: Pick<Term, 'account_id' | 'pool_id' | 'starts_at'>
  usage: Pick<UsageOfSim, 'sim_id'>
}

/** Sums of what was moved, by term and something more, as columns in the order of their keys. */
function summed(moved: readonly Moved[], more: (each: Moved) => string): string[] {
  const terms = new Map<string, { term: Moved['term']; starts_at: string; sums: Map<string, { bytes: number; over: number }> }>()
  let last: Moved['term'] | undefined
  let own: ReturnType<typeof terms.get>
  for (const each of moved) {
    const { term, bytes, over } = each
    if (!own || term !== last) {
      last = term
      const key = `${term.account_id} ${term.pool_id} ${term.starts_at}`
      own = terms.get(key) ?? { term, starts_at: new Date(term.starts_at).toISOString(), sums: new Map() }
      terms.set(key, own)
    }
    const name = more(each)
    const of = own.sums.get(name)
    if (of) {
      of.bytes += bytes
      of.over += over
    } else own.sums.set(name, { bytes, over })
  }
  const rows = [...terms.keys()].sort().flatMap((key) => {
    const { term, starts_at, sums } = terms.get(key)!
    return [...sums.keys()].sort().map((name) => ({ ...sums.get(name)!, term, starts_at, name }))
  })
  return [
    textArray(rows.map(({ term }) => term.account_id)),
    textArray(rows.map(({ term }) => term.pool_id)),
    textArray(rows.map((row) => row.starts_at)),
    textArray(rows.map(({ name }) => name)),
    numberArray(rows.map(({ bytes }) => bytes)),
    numberArray(rows.map(({ over }) => over)),
  ]
}

const given = { account_id: 'text', pool_id: 'text', starts_at: 'timestamptz', more: 'text', bytes: 'bigint', over: 'bigint' }
/** In a select list unnest makes no copy. */
const rowsFrom = (first: number) =>
  `(select ${Object.entries(given)
    .map(([column, type], i) => `unnest($${first + i}::${type}[]) as ${column}`)
    .join(', ')}) as k`

type Columns = Readonly<Record<string, string>>
const ofTerm: Columns = { account_id: 'k.account_id', pool_id: 'k.pool_id', starts_at: 'k.starts_at' }
/** Each connection adds to its own part of a term's sums. */
const ownPart: Columns = { part: `pg_backend_pid() % ${parts}` }

/**
 * Adds to the sums of a table that are there, and begins the others. Most are there: to insert them, which finds that they are, would lock each row and write it
 * after that.
 */
function adding(table: string, first: number, more: Columns, sums: Columns): string {
  const keys = Object.entries({ ...ofTerm, ...more })
  const columns = [...keys, ...Object.entries(sums)]
  const rows = rowsFrom(first)
  const same = (row: string) => keys.map(([column, value]) => `${row}.${column} = ${value}`).join(' and ')
  const sum = (value: (column: string) => string) => Object.keys(sums).map((column) => `${column} = u.${column} + ${value(column)}`)
  return `${table}_known as (
    update ${table} u set ${sum((column) => sums[column]!).join(', ')} from ${rows} where ${same('u')} returning 1
  ), ${table}_begun as (
    insert into ${table} as u (${columns.map(([column]) => column).join(', ')}) select ${columns.map(([, value]) => value).join(', ')} from ${rows}
      where (select count(*) from ${table}_known) < cardinality($${first}::text[]) and not exists (select from ${table} o where ${same('o')})
      on conflict (${keys.map(([column]) => column).join(', ')}) do update set ${sum((column) => `excluded.${column}`).join(', ')}
  )`
}

const ofBytes: Columns = { bytes: 'k.bytes', over_bytes: 'k.over' }
const addSums = prepared(
  `with ${[
    adding('data_pool_usage', 1, { sim_id: 'k.more' }, ofBytes),
    adding('data_pool_counter', 7, ownPart, { within_bytes: 'k.bytes - k.over', over_bytes: 'k.over' }),
    adding('data_pool_day', 13, { day: 'k.more::date', ...ownPart }, ofBytes),
  ].join(', ')} select where false`
)

export async function addTaken(tx: Tx, taken: readonly Moved[]): Promise<void> {
  const values = [({ usage }: Moved) => usage.sim_id, () => '', ({ at }: Moved) => dayOf(at)].flatMap((more) => summed(taken, more))
  await addSums(tx, values)
}
