import { dayOf, formatDay } from '@masthead/contract/kernel/time'
import { sql, type RawBuilder } from 'kysely'
import { anyOf, knowTags, matching } from '../../assets/index.ts'
import type { Db } from '../../kernel/app.ts'
import { textArray } from '../../kernel/array-literals.ts'
import type { Value } from '../../kernel/http/csv.ts'
import type { Sheet } from '../../kernel/sheet.ts'
import { describeSims, filterOf, isWhole, removed, simCells, simColumns, type Asked } from './asset-sims.ts'
import { lookUp } from './look-up.ts'
import { ReportRefused } from '../makers.ts'
import { recordCostColumns, recordCosts } from './record-costs.ts'

type UsageRecord = {
  sim_id: string
  event_at: Date
  received_at: Date
  session_id: string
  mccmnc: string
  network: string | null
  country: string | null
  rat: string
  bytes_up: number
  bytes_down: number
}

/** `ip`: the address that its session has, or had last. */
const columns = ['event_at', 'received_at', 'session_id', 'ip', 'mccmnc', 'network', 'country', 'rat', 'bytes_up', 'bytes_down'] as const
const cellsOf = (row: UsageRecord, ip: string | null): Value[] => [
  row.event_at.toISOString(),
  row.received_at.toISOString(),
  row.session_id,
  ip,
  row.mccmnc,
  row.network,
  row.country,
  row.rat,
  row.bytes_up,
  row.bytes_down,
]

/** So many rows are read at once at most, more than a block has, and about so many are aimed at. */
const most = 2500
const aim = 1500
/** 128 MB at most: where few of the records are the account's, others may do something between two parts. */
const mostBlocks = 16_384
const dayMs = 86_400_000

/**
 * Each usage record, about in the order in which they came. They have no index by account or SIM, because that was a sixth of the meter's work; they are never changed, and lie by the
 * day on which they came. So each block of them is read once, some at a time.
 */
export async function recordSheet(db: Db, asked: Asked): Promise<Sheet> {
  const { actor, start, end } = asked
  const of = isWhole(asked)
    ? sql`true`
    : sql`r.sim_id in (select sim.id from asset join sim on sim.account_id = asset.account_id and sim.asset_id = asset.id
        where ${matching(actor, await knowTags(db, actor, filterOf(asked.filter)))})`
  const which = sql`r.account_id = ${actor.account_id} and r.event_at >= ${start} and r.event_at < ${end} and ${of}`
  const days = await daysFrom(db, start)
  const total = days.reduce((sum, { blocks }) => sum + blocks, 0)
  let read = 0
  const namesFor = lookUp((sims) => namesOf(db, asked, sims))
  const sessionsFor = lookUp((ids) => sessionsOf(db, asked, ids))
  const costsOf = await recordCosts(db, asked)
  async function fill(part: readonly UsageRecord[]): Promise<Value[][]> {
    const [names, sessions] = await Promise.all([
      namesFor(part.map(({ sim_id }) => sim_id)),
      sessionsFor(part.map(({ session_id }) => session_id)),
    ])
    const sessionOf = part.map(({ session_id }) => sessions.get(session_id))
    const costs = await costsOf(
      part,
      sessionOf.map((session) => session?.started_at)
    )
    return part.map((row, n) => [...cellsOf(row, sessionOf[n]?.ip ?? null), ...costs[n]!, ...(names.get(row.sim_id) ?? simCells(removed))])
  }
  async function* rows() {
    let size = 64
    for (const { day, blocks } of days) {
      for (let at = 0; at < blocks;) {
        const upto = Math.min(blocks, at + size)
        const part = await readBlocks(db, day, at, upto, which)
        if (part.length === most) {
          size = Math.max(1, Math.floor(size / 4))
          continue
        }
        yield await fill(part)
        read += upto - at
        at = upto
        size = Math.min(mostBlocks, size * 4, Math.max(1, Math.round((size * aim) / Math.max(part.length, 1))))
      }
      await refuseDropped(db, day)
    }
  }
  return { columns: [...columns, ...recordCostColumns, ...simColumns], rows: rows(), share: () => (total === 0 ? null : read / total) }
}

/** The days whose records may be of that time or later, and how much there is of each now. A record comes after what it is of, but for a clock that is a little ahead. */
async function daysFrom(db: Db, start: Date): Promise<{ day: string; blocks: number }[]> {
  const { rows } = await sql<{ day: string; blocks: number }>`select right(c.relname, 8)::date as day,
      (pg_relation_size(c.oid) / current_setting('block_size')::int)::int as blocks
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'usage_record'::regclass and not i.inhdetachpending and right(c.relname, 8)::date >= ${dayOf(start.getTime() - dayMs)}::date order by 1`.execute(
    db
  )
  return rows
}

async function readBlocks(db: Db, day: string, from: number, upto: number, which: RawBuilder<unknown>): Promise<UsageRecord[]> {
  const midnight = new Date(day).getTime()
  const { rows } =
    await sql<UsageRecord>`select r.sim_id, r.event_at, r.received_at, r.session_id, r.mccmnc, n.name as network, n.country, r.rat, r.bytes_up, r.bytes_down
    from usage_record r left join network n on n.mccmnc = r.mccmnc
    where r.received_at >= ${new Date(midnight)} and r.received_at < ${new Date(midnight + dayMs)}
      and r.ctid >= ${`(${from},0)`}::tid and r.ctid < ${`(${upto},0)`}::tid and ${which}
    order by r.received_at, r.event_at limit ${most}`.execute(db)
  return rows
}

/** A day that is dropped while it is read has no rows from then on. Throws ReportRefused: a new one is of the days that are kept. */
async function refuseDropped(db: Db, day: string): Promise<void> {
  const { rows } = await sql`select from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'usage_record'::regclass and right(c.relname, 8)::date = ${day}::date and not i.inhdetachpending`.execute(db)
  if (rows.length === 0)
    throw new ReportRefused(
      `The records received on ${formatDay(day)} were deleted while it was made, because they are not kept for longer. Make it again for those that are kept`
    )
}

/** What is known of SIMs. */
async function namesOf(db: Db, { actor }: Asked, sims: readonly string[]): Promise<Map<string, Value[]>> {
  const known = await describeSims(db, actor, sql`sim.id = ${anyOf(sims)}`)
  return new Map(known.map((sim) => [sim.sim_id, simCells(sim)]))
}

/** Of sessions that are kept. */
async function sessionsOf(db: Db, { actor: { account_id } }: Asked, ids: readonly string[]) {
  const { rows } = await sql<{ id: string; ip: string | null; started_at: Date }>`select id, host(ip) as ip, started_at
    from data_session where account_id = ${account_id} and id = any(${textArray(ids)}::text[])`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}
