import { dayOf } from '@masthead/contract/kernel/time'
import { sql } from 'kysely'
import { overageAllowed, type Overage } from '@masthead/contract/datapools/pool'
import type { Tx } from '../kernel/app.ts'
import { decideTerms, type TermOf } from './decide-terms.ts'
import { type Draw, drawFromPools, givesNothing, type OpenTerm } from './draw.ts'
import { renewPools } from './renew-pools.ts'

/** What a SIM used between two reports, and in which network. Times are milliseconds since 1970. */
export type UsageOfSim = { account_id: string; sim_id: string; from: number; at: number; bytes: number; mccmnc: string }

type Row = Overage & {
  n: number
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
/** What one term gave one SIM of one report. */
export type Taken = Draw & { term: Term; usage: UsageOfSim }

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
  const terms = new Map<string, Term>()
  const termsOf = Map.groupBy(rows, ({ n }) => n)
  const taken: Taken[] = known.flatMap((each, i) => {
    const own = (termsOf.get(i + 1) ?? []).map((row) => {
      const key = `${row.account_id} ${row.pool_id} ${row.starts_at.getTime()}`
      const term = terms.get(key) ?? termOf(row)
      terms.set(key, term)
      return term
    })
    return drawFromPools(each, own).map((draw) => ({ ...draw, term: draw.term as Term, usage: each }))
  })
  if (taken.length === 0) return taken
  await addTaken(tx, taken)
  await decideTerms(tx, [...terms.values()].filter(hasCome).map(keyOf), at)
  return taken
}

/** The terms that usage may be taken from. Pools whose term is over are renewed, or ended, before. */
async function openTerms(tx: Tx, usage: readonly UsageOfSim[], at: Date): Promise<Row[]> {
  const column = <Key extends keyof UsageOfSim>(key: Key) => usage.map((each) => each[key])
  const times = (key: 'from' | 'at') => usage.map((each) => new Date(each[key]))
  const ask = async () => {
    const { rows } =
      await sql<Row>`select * from open_terms(${column('account_id')}::text[], ${column('sim_id')}::text[], ${times('from')}::timestamptz[],
      ${times('at')}::timestamptz[], ${column('mccmnc')}::text[], ${column('bytes')}::bigint[], ${at}::timestamptz)`.execute(tx)
    return rows
  }
  const rows = await ask()
  const due = rows.filter(({ is_due }) => is_due)
  if (due.length === 0) return rows
  await renewPools(tx, due, at)
  return ask()
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

type Sum = TermOf & { bytes: number; over: number }

/** What a term gave a SIM; what it got back is negative. */
type Moved = Pick<Taken, 'at' | 'bytes' | 'over'> & {
  term: Pick<Term, 'account_id' | 'pool_id' | 'starts_at'>
  usage: Pick<UsageOfSim, 'sim_id'>
}

/** Sums of what was moved by a key, in the order of the keys. */
function summed(moved: readonly Moved[], more: (each: Moved) => string): (Sum & { more: string })[] {
  const sums = new Map<string, Sum & { more: string }>()
  for (const each of moved) {
    const { account_id, pool_id, starts_at } = each.term
    const own = more(each)
    const key = `${account_id} ${pool_id} ${starts_at} ${own}`
    const sum = sums.get(key) ?? { account_id, pool_id, starts_at: new Date(starts_at), more: own, bytes: 0, over: 0 }
    sum.bytes += each.bytes
    sum.over += each.over
    sums.set(key, sum)
  }
  return [...sums.keys()].sort().map((key) => sums.get(key)!)
}

const rowsOf = (sums: readonly (Sum & { more: string })[]) =>
  sql`unnest(${sums.map((sum) => sum.account_id)}::text[], ${sums.map((sum) => sum.pool_id)}::text[], ${sums.map((sum) => sum.starts_at)}::timestamptz[],
    ${sums.map((sum) => sum.more)}::text[], ${sums.map((sum) => sum.bytes)}::bigint[], ${sums.map((sum) => sum.over)}::bigint[])
    as k(account_id, pool_id, starts_at, more, bytes, over)`

/** Each connection adds to its own part of a term's sums. */
export async function addTaken(tx: Tx, taken: readonly Moved[]): Promise<void> {
  const part = sql`pg_backend_pid() % ${sql.lit(parts)}`
  await sql`with counted as (
      insert into data_pool_counter as c (account_id, pool_id, starts_at, part, within_bytes, over_bytes)
        select account_id, pool_id, starts_at, ${part}, bytes - over, over from ${rowsOf(summed(taken, () => ''))}
        on conflict (account_id, pool_id, starts_at, part)
        do update set within_bytes = c.within_bytes + excluded.within_bytes, over_bytes = c.over_bytes + excluded.over_bytes
    ), by_day as (
      insert into data_pool_day as d (account_id, pool_id, starts_at, day, part, bytes, over_bytes)
        select account_id, pool_id, starts_at, more::date, ${part}, bytes, over from ${rowsOf(summed(taken, ({ at }) => dayOf(at)))}
        on conflict (account_id, pool_id, starts_at, day, part)
        do update set bytes = d.bytes + excluded.bytes, over_bytes = d.over_bytes + excluded.over_bytes
    ) insert into data_pool_usage as u (account_id, pool_id, starts_at, sim_id, bytes, over_bytes)
        select account_id, pool_id, starts_at, more, bytes, over from ${rowsOf(summed(taken, ({ usage }) => usage.sim_id))}
        on conflict (account_id, pool_id, starts_at, sim_id)
        do update set bytes = u.bytes + excluded.bytes, over_bytes = u.over_bytes + excluded.over_bytes`.execute(tx)
}
