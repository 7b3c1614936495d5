import { sql } from 'kysely'
import type { Tx } from '../kernel/app.ts'
import { decideTerms, type TermOf } from './decide-terms.ts'
import { lockPools } from './renew-pools.ts'
import { addTaken, takeUsage } from './take-usage.ts'

/** Of a network, or (empty) of all. `hours`: what of it was corrected in each hour, from its beginning in milliseconds since 1970. */
export type Share = { mccmnc: string; bytes: number; hours?: readonly { from: number; bytes: number }[] }
/** `shares`: what was corrected in each network, where none is named. */
type DayOfSim = { account_id: string; sim_id: string; day: string; mccmnc: string; shares?: readonly Share[] }
type Row = TermOf & { bytes: number; over_bytes: number; is_paid: boolean }
type Corrected = {
  /** `n`: of which share, from 0. */
  taken: { n: number; from: number; at: number; bytes: number; over: number; is_paid: boolean }[]
  /** Of each share. `paid_bytes`: of what went beyond a pool by pay as you go. */
  back: { bytes: number; paid_bytes: number; terms: GivenBack[] }[]
}
/** What a term got back of a SIM. `over`: of that, beyond the size of the pool. */
export type GivenBack = { pool_id: string; starts_at: string; bytes: number; over: number }

/** The end of the hour of a correction; of its day, where that says more hours. */
const endOf = ({ hours }: Share, day: string, from: number) => (hours ? from + hourMs : Date.parse(day) + 24 * hourMs)
const hourMs = 3_600_000

/** When what a correction added was used: in the hour with most of it, and not later than now. */
export function usedAt({ hours = [] }: Share, day: string, at: Date): number {
  const [most] = hours.toSorted((a, b) => b.bytes - a.bytes)
  return Math.min(most?.from ?? Date.parse(`${day}T12:00:00Z`), at.getTime())
}

/**
 * What staff add to a day of a SIM is taken from its pools of its hour, like a late report, but of none that it joined afterwards: it did not bring to that what was
 * counted before. What they subtract is given back, of each network by the pools
 * that it was taken from: those of the hours it is subtracted from, first what was taken beyond a pool's size, and last by the pool whose data is used first; without
 * a network, by the pools of all zones. Answers with what pools gave, or got back. With the totals of the SIM locked.
 */
export async function correctPools(tx: Tx, of: DayOfSim, bytes: number, at: Date): Promise<Corrected> {
  const { account_id, sim_id, day, mccmnc, shares = [{ mccmnc, bytes }] } = of
  if (bytes === 0) return { taken: [], back: [] }
  if (bytes > 0) {
    const usage = shares.map((share) => {
      const used_at = usedAt(share, day, at)
      const { mccmnc, bytes } = share
      return { account_id, sim_id, from: used_at, at: used_at, mccmnc, bytes, joined_before: endOf(share, day, used_at) }
    })
    const taken = await takeUsage(tx, usage, at)
    return { back: [], taken: taken.map(({ term: _term, usage: _usage, ...each }) => each) }
  }
  // All at once, in the order of the meter.
  const { rows } = await sql<{ pool_id: string }>`select distinct pool_id from data_pool_usage
    where account_id = ${account_id} and sim_id = ${sim_id}`.execute(tx)
  if (rows.length > 0)
    await lockPools(
      tx,
      rows.map(({ pool_id }) => ({ account_id, pool_id }))
    )
  const back: Corrected['back'] = []
  for (const share of shares) back.push(await giveBack(tx, of, share, at))
  return { taken: [], back }
}

/** Takes again what a correction gave back, of the very terms, however full they are by now. With the totals of the SIM locked. */
export async function takeAgain(
  tx: Tx,
  { account_id, sim_id, day }: Omit<DayOfSim, 'mccmnc'>,
  back: readonly GivenBack[],
  at: Date
): Promise<void> {
  if (back.length === 0) return
  const terms = new Map(
    back.map(({ pool_id, starts_at }) => [`${pool_id} ${starts_at}`, { account_id, pool_id, starts_at: new Date(starts_at) }])
  )
  await lockPools(tx, [...terms.values()])
  const noon = Date.parse(`${day}T12:00:00Z`)
  await addTaken(
    tx,
    back.map(({ pool_id, starts_at, bytes, over }) => ({
      term: { account_id, pool_id, starts_at: Date.parse(starts_at) },
      usage: { sim_id },
      at: noon,
      bytes,
      over,
    }))
  )
  await decideTerms(tx, [...terms.values()], at)
}

/** What the SIM took in the terms of an hour from pools that are for a network, had not ended before it, and that the SIM was in at some time of it. */
const rowsOf = (tx: Tx, { account_id, sim_id, day }: DayOfSim, mccmnc: string, hour: Date, until: Date) =>
  sql<Row>`select u.account_id, u.pool_id, u.starts_at, u.bytes, u.over_bytes, p.overage_policy = 'payg' as is_paid
    from data_pool_usage u join data_pool_term t on t.account_id = u.account_id and t.pool_id = u.pool_id and t.starts_at = u.starts_at
      join data_pool p on p.account_id = u.account_id and p.id = u.pool_id
    where u.account_id = ${account_id} and u.sim_id = ${sim_id} and (p.zone is null or ${mccmnc} = '' or p.zone = zone_of(${mccmnc}, ${day}::date))
      and t.starts_at <= ${hour} and least(t.ends_at, p.ended_at) > ${hour}
      and coalesce((select bool_or(s.joined_at < ${until} and s.left_at > ${hour}) from data_pool_stay s
        where s.account_id = u.account_id and s.sim_id = u.sim_id and s.pool_id = u.pool_id), true)
    order by p.priority desc, least(t.ends_at, p.ended_at) desc, u.pool_id desc for update of u`.execute(tx)

async function giveBack(tx: Tx, of: DayOfSim, share: Share, at: Date): Promise<Corrected['back'][number]> {
  const back: Corrected['back'][number] = { bytes: 0, paid_bytes: 0, terms: [] }
  for (const { from, bytes } of share.hours ?? [{ from: Date.parse(of.day), bytes: share.bytes }]) {
    const { rows } = await rowsOf(tx, of, share.mccmnc, new Date(from), new Date(endOf(share, of.day, from)))
    const given = givenBack(rows, 0 - bytes)
    await addTaken(
      tx,
      given.map(({ account_id, pool_id, starts_at, within, over }) => ({
        term: { account_id, pool_id, starts_at: starts_at.getTime() },
        usage: { sim_id: of.sim_id },
        at: from,
        bytes: -within - over,
        over: -over,
      }))
    )
    await decideTerms(tx, given, at)
    for (const { pool_id, starts_at, is_paid, within, over } of given) {
      back.bytes += within + over
      if (is_paid) back.paid_bytes += over
      back.terms.push({ pool_id, starts_at: starts_at.toISOString(), bytes: within + over, over })
    }
  }
  return back
}

/** Which of the terms give back how much of an amount: what is beyond their sizes first. */
function givenBack(rows: readonly Row[], amount: number) {
  let left = amount
  const given = rows.map((row) => ({ ...row, within: 0, over: 0 }))
  for (const what of ['over', 'within'] as const) {
    for (const row of given) {
      row[what] = Math.min(left, what === 'over' ? row.over_bytes : row.bytes - row.over_bytes)
      left -= row[what]
    }
  }
  return given.filter(({ within, over }) => within + over > 0)
}
