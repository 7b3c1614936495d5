import { sql } from 'kysely'
import type { Parsed, Reply } from '@masthead/contract/kernel/operation'
import { refusedHours, type listNetworkUsage as promise } from '@masthead/contract/usage/network-operations'
import { lateHours } from '@masthead/contract/usage/usage'
import type { Actor, Db, ReadDb } from '../kernel/app.ts'
import { networksOf } from '../networks/index.ts'
import { shareMoment } from './large-account.ts'
import { previousOf, usagePeriod, type Period } from './usage-period.ts'
import { findCompleteUntil } from './usage-queries.ts'
import { accountRows, simSeen, type Viewer } from './usage-source.ts'

type Sums = { mccmnc: string; bytes_up: number; bytes_down: number; bytes: number }

const hourMs = 3_600_000

/** What was used on each network, and where SIMs are not let in. */
export async function listNetworkUsage(db: ReadDb, actor: Actor, query: Parsed<typeof promise>['query']): Promise<Reply<typeof promise>> {
  const period = usagePeriod(query, query.interval, actor.at)
  return shareMoment(db, actor, ['network usage', period], (tx) => readNetworkUsage(tx, actor, period))
}

async function readNetworkUsage(db: Db, actor: Actor, period: Period): Promise<Reply<typeof promise>> {
  const used = await sumByNetwork(db, actor, period)
  const before = new Map((await sumByNetwork(db, actor, previousOf(period, actor.at))).map((row) => [row.mccmnc, row.bytes]))
  const lasts = period.start <= actor.at && actor.at < period.end
  const refused = lasts ? await countRefused(db, actor) : new Map<string, number>()
  const sums = new Map(used.map((row) => [row.mccmnc, row]))
  const all = [...new Set([...sums.keys(), ...before.keys(), ...refused.keys()])].filter(Boolean)
  const networks = await networksOf(db, all)
  const complete = await findCompleteUntil(db)
  return {
    networks: all
      .map((mccmnc) => ({
        network: networks.get(mccmnc)!,
        bytes_up: sums.get(mccmnc)?.bytes_up ?? 0,
        bytes_down: sums.get(mccmnc)?.bytes_down ?? 0,
        bytes: sums.get(mccmnc)?.bytes ?? 0,
        previous_bytes: before.get(mccmnc) ?? 0,
        refused_sims: lasts ? (refused.get(mccmnc) ?? 0) : null,
      }))
      .toSorted(
        (a, b) => b.bytes - a.bytes || (b.refused_sims ?? 0) - (a.refused_sims ?? 0) || (a.network.mccmnc < b.network.mccmnc ? -1 : 1)
      ),
    unknown_bytes: sums.get('')?.bytes ?? 0,
    previous_unknown_bytes: before.get('') ?? 0,
    settled_until: complete && new Date(Date.parse(complete) - lateHours * hourMs).toISOString(),
  }
}

async function sumByNetwork(db: Db, viewer: Viewer, period: Period): Promise<Sums[]> {
  const { rows } = await sql<Sums>`select * from (
      select mccmnc, sum(bytes_up) as bytes_up, sum(bytes_down) as bytes_down, sum(bytes_up) + sum(bytes_down) as bytes
      from (${accountRows(viewer, period, null)}) u group by 1) n
    where bytes > 0`.execute(db)
  return rows
}

/** SIMs that a network, or our own rule for it, did not let in. Refusals that name no network are left out, because no row of the list is theirs. */
async function countRefused(db: Db, actor: Actor): Promise<Map<string, number>> {
  const since = new Date(actor.at.getTime() - refusedHours * hourMs)
  const { rows } = await sql<{ mccmnc: string; sims: number }>`
    select mccmnc, count(distinct sim_id) as sims from connection_event
    where account_id = ${actor.account_id} and hour >= date_trunc('hour', ${since}::timestamptz, 'UTC') and last_at >= ${since}
      and kind in ('rejected', 'forbidden') and mccmnc <> '' and ${simSeen(actor, sql`sim_id`)}
    group by 1`.execute(db)
  return new Map(rows.map(({ mccmnc, sims }) => [mccmnc, sims]))
}
